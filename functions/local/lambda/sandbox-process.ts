import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killGroup, spawnLeashed } from '../leash.ts';
import { exited, initTimedOut, timedOut } from './lambda-errors.ts';
import { eachLine } from './lines.ts';
import { endMark, type InvokeMessage, type LambdaError, type SandboxMessage } from './messages.ts';

const PROGRAM = fileURLToPath(new URL('./sandbox.mjs', import.meta.url));
const INIT_LIMIT_MS = 30_000;

export type Stream = 'stdout' | 'stderr';
/** `payload` is JSON text. */
export type Outcome = { readonly payload: string } | { readonly error: LambdaError };

export interface SandboxOptions {
  readonly bundle: string;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A line belongs to the newest invocation; `requestId` is empty before the first. */
  readonly onLine: (requestId: string, stream: Stream, line: string) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface Running {
  readonly requestId: string;
  readonly settle: (outcome: Outcome) => void;
  /** By the wall clock; none before the init has ended. */
  deadline: number;
  outcome: Outcome | undefined;
  /** Streams that weren't read to the invocation's end mark. */
  readonly unended: Set<Stream>;
}

/**
 * One process that handles one invocation at a time. Between invocations it is stopped, as Lambda freezes it: what a
 * handler left behind goes on in the next one.
 */
export class Sandbox {
  /** Resolves when the process is gone and all that it said was heard. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #options: SandboxOptions;
  readonly #initialised: Promise<unknown>;
  #running: Running | undefined;
  #newestRequest = '';
  #timer: NodeJS.Timeout | undefined;
  /** Why it can't go on, when that is known before it is gone. */
  #failure: LambdaError | undefined;
  #alive = true;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#child = spawnLeashed({
      program: process.execPath,
      args: ['--enable-source-maps', `--max-old-space-size=${options.memoryMb}`, PROGRAM, options.bundle],
      env: options.environment,
      cwd: dirname(options.bundle),
      ipc: true,
    });
    this.#child.on('message', (message: SandboxMessage) => this.#hear(message));
    this.#read('stdout');
    this.#read('stderr');
    this.#child.once('exit', () => {
      this.#alive = false;
    });
    this.ended = once(this.#child, 'close').then(([code, signal]) => this.#end(code, signal));
    this.#initialised = Promise.race([once(this.#child, 'message'), this.ended]);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Undefined while it is idle. */
  get requestId(): string | undefined {
    return this.#running?.requestId;
  }

  /** Never rejects: whatever goes wrong is the outcome. The timeout counts from the end of the init. */
  async invoke(requestId: string, payload: string, timeoutMs: number): Promise<Outcome> {
    const outcome = new Promise<Outcome>((settle) => {
      const unended = new Set<Stream>(['stdout', 'stderr']);
      this.#running = { requestId, settle, deadline: Number.POSITIVE_INFINITY, outcome: undefined, unended };
    });
    this.#newestRequest = requestId;
    this.#limit(initTimedOut(requestId, INIT_LIMIT_MS), INIT_LIMIT_MS);
    this.#child.kill('SIGCONT');
    await this.#initialised;
    this.#begin(payload, timeoutMs);
    return outcome;
  }

  /** Past its timeout by the wall clock, which goes on while the machine sleeps and timers don't. */
  isOverdue(): boolean {
    return this.#running !== undefined && this.#options.now() >= this.#running.deadline;
  }

  /** Resolves when it is gone. The invocation that it was handling ends with `failure`. */
  async kill(failure?: LambdaError): Promise<void> {
    this.#failure ??= failure;
    killGroup(this.#child);
    await this.ended;
  }

  #begin(payload: string, timeoutMs: number): void {
    const running = this.#running;
    if (running === undefined || !this.#alive) return;
    const { requestId } = running;
    running.deadline = this.#options.now() + timeoutMs;
    this.#limit(timedOut(requestId, timeoutMs), timeoutMs);
    const message: InvokeMessage = { requestId, payload, remainingMs: timeoutMs };
    // When the process died meanwhile, its end tells.
    this.#child.send(message, () => {});
  }

  #limit(failure: LambdaError, afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.kill(failure), afterMs);
  }

  #hear(message: SandboxMessage): void {
    if (message.kind === 'init-failed') this.#failure = message.error;
    if (message.kind !== 'succeeded' && message.kind !== 'failed') return;
    const running = this.#running;
    if (message.requestId !== running?.requestId) return;
    running.outcome ??= message.kind === 'failed' ? { error: message.error } : { payload: message.payload };
    this.#freezeWhenDone();
  }

  #read(stream: Stream): void {
    const source = this.#child[stream];
    if (source === null) throw new Error(`A sandbox without ${stream}.`);
    eachLine(source, (line) => {
      const mark = endMark(this.#newestRequest);
      const isEnd = line.endsWith(mark);
      // A job may have written without ending its line.
      const text = isEnd ? line.slice(0, -mark.length) : line;
      if (!isEnd || text !== '') this.#options.onLine(this.#newestRequest, stream, text);
      if (isEnd) this.#running?.unended.delete(stream);
      this.#freezeWhenDone();
    });
  }

  /** Done: the outcome is known, and all that the invocation wrote was read. */
  #freezeWhenDone(): void {
    const running = this.#running;
    if (running?.outcome === undefined || running.unended.size > 0) return;
    this.#child.kill('SIGSTOP');
    this.#settle(running.outcome);
  }

  #end(code: number | null, signal: string | null): void {
    const running = this.#running;
    if (running === undefined) return;
    const error = this.#failure ?? exited(running.requestId, code, signal);
    this.#settle(running.outcome ?? { error });
  }

  #settle(outcome: Outcome): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = undefined;
    running?.settle(outcome);
  }
}
