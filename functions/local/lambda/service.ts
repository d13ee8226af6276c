import { randomUUID } from 'node:crypto';
import {
  type FunctionOptions,
  type InvocationResult,
  InvokeError,
  type LambdaService,
  type LambdaServiceOptions,
  type SandboxProcess,
} from './contract.ts';
import { LOCAL_ACCOUNT, sandboxEnvironment } from './environment.ts';
import { type FailedInvocation, failureRecord, tooOldRecord } from './failure-record.ts';
import { startFailed, timedOut } from './lambda-errors.ts';
import type { LambdaError } from './messages.ts';
import { type PooledSandbox, SandboxPool } from './sandbox-pool.ts';
import type { Outcome, Sandbox } from './sandbox-process.ts';

export * from './contract.ts';

/** Lambda on this machine: functions run in processes of their own, killed at their timeout, reused while warm. */
export function createLambdaService(options: LambdaServiceOptions): LambdaService {
  return new LocalLambda(options);
}

const DEFAULT_CONCURRENCY = 50;
const DEFAULT_EVENT_AGE_MS = 6 * 3_600_000;
const DEFAULT_IDLE_MS = 5 * 60_000;
const MAX_ASYNC_BYTES = 1024 * 1024;
/** How soon a machine that slept is noticed. */
const OVERDUE_CHECK_MS = 250;

const SHUTTING_DOWN: LambdaError = {
  errorType: 'ServiceException',
  errorMessage: 'Shutting down: nothing new is started.',
};

interface Invocation {
  readonly functionName: string;
  readonly requestId: string;
  /** JSON text. */
  readonly payload: string;
  readonly mode: 'async' | 'sync';
  readonly queuedAt: number;
  readonly settle: (outcome: Outcome) => void;
}

class LocalLambda implements LambdaService {
  readonly #options: LambdaServiceOptions;
  readonly #pools: ReadonlyMap<string, SandboxPool>;
  readonly #queue: Invocation[] = [];
  readonly #running = new Set<Invocation>();
  readonly #watch: NodeJS.Timeout;
  #closing = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: LambdaServiceOptions) {
    this.#options = options;
    this.#pools = new Map(Object.keys(options.functions).map((name) => [name, this.#poolOf(name)]));
    this.#watch = setInterval(() => void this.#endOverdue(), OVERDUE_CHECK_MS).unref();
  }

  async invoke(functionName: string, payload: unknown, mode: 'async' | 'sync'): Promise<InvocationResult> {
    const text = JSON.stringify(payload ?? null);
    this.#check(functionName, text, mode);
    const requestId = randomUUID();
    const outcome = new Promise<Outcome>((settle) => {
      this.#queue.push({ functionName, requestId, payload: text, mode, queuedAt: this.#now(), settle });
    });
    this.#pump();
    return { requestId, ...(mode === 'async' ? {} : resultOf(await outcome)) };
  }

  pids(): SandboxProcess[] {
    return [...this.#pools].flatMap(([functionName, pool]) =>
      pool.sandboxes.map(({ pid, requestId }) => ({
        pid,
        functionName,
        ...(requestId === undefined ? {} : { requestId }),
      })),
    );
  }

  async drain(ms: number): Promise<readonly { functionName: string; requestId: string }[]> {
    this.#closing = true;
    if (this.#unfinished().length > 0) {
      await new Promise<void>((resolve) => {
        const impatient = setTimeout(resolve, ms);
        this.#whenIdle = () => {
          clearTimeout(impatient);
          resolve();
        };
      });
    }
    return this.#unfinished().map(({ functionName, requestId }) => ({ functionName, requestId }));
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const { settle } of this.#queue.splice(0)) settle({ error: SHUTTING_DOWN });
    clearInterval(this.#watch);
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #unfinished(): readonly Invocation[] {
    return [...this.#running, ...this.#queue];
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)();
  }

  #check(functionName: string, payload: string, mode: 'async' | 'sync'): void {
    if (this.#closing) throw new InvokeError(SHUTTING_DOWN.errorType, 500, SHUTTING_DOWN.errorMessage);
    if (!this.#pools.has(functionName)) {
      const known = [...this.#pools.keys()].join(', ');
      throw new InvokeError(
        'ResourceNotFoundException',
        404,
        `Function not found: ${functionName}. Known: ${known}.`,
      );
    }
    if (mode === 'async' && Buffer.byteLength(payload) > MAX_ASYNC_BYTES) {
      throw new InvokeError(
        'RequestTooLargeException',
        413,
        'An asynchronous payload may have 1 MB at most.',
      );
    }
  }

  #pump(): void {
    const limit = this.#options.concurrency ?? DEFAULT_CONCURRENCY;
    while (this.#running.size < limit) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#running.add(next);
      void this.#run(next);
    }
    if (this.#unfinished().length === 0) this.#whenIdle?.();
  }

  async #run(invocation: Invocation): Promise<void> {
    // Nothing starts while a sandbox works on past its deadline: its lease may be over, and this may be its successor.
    await this.#endOverdue();
    if (this.#isTooOld(invocation)) {
      this.#options.onFailure(tooOldRecord(this.#failed(invocation)), invocation.functionName);
    } else {
      invocation.settle(await this.#execute(invocation));
    }
    this.#running.delete(invocation);
    this.#pump();
  }

  async #execute(invocation: Invocation): Promise<Outcome> {
    const outcome = await this.#inSandbox(invocation);
    if ('error' in outcome && invocation.mode === 'async') {
      this.#options.onFailure(
        failureRecord(this.#failed(invocation), outcome.error),
        invocation.functionName,
      );
    }
    return outcome;
  }

  async #inSandbox({ functionName, requestId, payload }: Invocation): Promise<Outcome> {
    const pool = this.#pool(functionName);
    const taken = takeFrom(pool);
    if ('error' in taken) return taken;
    const { sandbox, cold } = taken;
    const { pid } = sandbox;
    this.#options.onInvocation?.({ kind: 'started', functionName, requestId, pid, cold });
    const outcome = await sandbox.invoke(requestId, payload, this.#function(functionName).timeoutMs);
    pool.giveBack(sandbox);
    this.#options.onInvocation?.({ kind: 'ended', functionName, requestId, pid, ...resultOf(outcome) });
    return outcome;
  }

  #isTooOld({ functionName, mode, queuedAt }: Invocation): boolean {
    const limit = this.#function(functionName).maxEventAgeMs ?? DEFAULT_EVENT_AGE_MS;
    return mode === 'async' && this.#now() - queuedAt > limit;
  }

  #failed({ functionName, requestId, payload }: Invocation): FailedInvocation {
    const functionArn = `arn:aws:lambda:${this.#region}:${LOCAL_ACCOUNT}:function:${functionName}:$LATEST`;
    return { requestId, functionArn, payload: JSON.parse(payload), at: this.#now() };
  }

  async #endOverdue(): Promise<void> {
    const overdue = [...this.#pools].flatMap(([name, pool]) =>
      pool.sandboxes.filter((sandbox) => sandbox.isOverdue()).map((sandbox) => this.#timeOut(sandbox, name)),
    );
    await Promise.all(overdue);
  }

  #timeOut(sandbox: Sandbox, functionName: string): Promise<void> {
    return sandbox.kill(timedOut(sandbox.requestId ?? '', this.#function(functionName).timeoutMs));
  }

  get #region(): string {
    return this.#options.region ?? 'us-east-1';
  }

  #function(name: string): FunctionOptions {
    const found = this.#options.functions[name];
    if (found === undefined) throw new Error(`No function ${name}.`);
    return found;
  }

  #pool(name: string): SandboxPool {
    const found = this.#pools.get(name);
    if (found === undefined) throw new Error(`No function ${name}.`);
    return found;
  }

  #poolOf(functionName: string): SandboxPool {
    const { bundle, memoryMb, env } = this.#function(functionName);
    const { endpointUrl, onLog, idleMs } = this.#options;
    return new SandboxPool(
      {
        bundle,
        memoryMb,
        environment: sandboxEnvironment({
          functionName,
          memoryMb,
          region: this.#region,
          variables: env,
          endpointUrl,
        }),
        onLine: (requestId, stream, line) => onLog(functionName, requestId, stream, line),
        now: () => this.#now(),
      },
      idleMs ?? DEFAULT_IDLE_MS,
    );
  }
}

function takeFrom(pool: SandboxPool): PooledSandbox | { error: LambdaError } {
  try {
    return pool.take();
  } catch (error) {
    return { error: startFailed(error) };
  }
}

function resultOf(outcome: Outcome): { result: unknown } | { error: LambdaError } {
  return 'error' in outcome ? outcome : { result: JSON.parse(outcome.payload) };
}
