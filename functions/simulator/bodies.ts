import type { ManifestJob } from '../domain/manifest.ts';
import { type RunRef, runId } from '../domain/names.ts';
import { minute, second } from '../domain/time.ts';
import type { Context, Fire } from '../job.ts';
import type { EventLoop } from './event-loop.ts';
import type { Faults } from './faults.ts';
import type { Body, BodyEnd, Observer } from './observe.ts';
import type { Random } from './random.ts';
import { never, type Sandbox } from './sandbox.ts';
import type { Trace } from './trace.ts';

/** Job code, as one sandbox runs it. */
export type JobCode = (fire: Fire, ctx: Context, at: BodyPlace) => Promise<unknown>;

export interface BodyPlace {
  readonly sandbox: Sandbox;
  readonly job: ManifestJob;
  /** Started by an offer, not an alarm's delivery. */
  readonly byOffer: boolean;
  /** Lets an error escape. */
  readonly letEscape: (error: unknown) => void;
}

/** What becomes of one body. */
type Conduct =
  | {
      readonly kind: 'returns' | 'throws' | 'leaks' | 'crashes';
      readonly afterMs: number;
      readonly atAbort: AtAbort;
    }
  /** Past its timeout; `hears` its abort, or not. */
  | { readonly kind: 'overruns'; readonly hears: boolean };

/** What it does about an abort before it is done: ends, brings its work to an end within seconds, or goes on. */
type AtAbort = 'ends' | 'hurries' | 'goes-on';

class BodyFailed extends Error {
  override readonly name = 'BodyFailed';
}

/** Modelled job code: it takes its time, and returns, throws, overruns, leaks an error or dies. */
export function modelledCode(random: Random, faults: Faults): JobCode {
  return async ({ id, attempt }, { signal }, { sandbox, job, letEscape }) => {
    const conduct = drawConduct(random.fork(`${id} ${attempt}`), faults, job.timeoutMs);
    if (conduct.kind === 'overruns') return overrun(conduct.hears, sandbox, signal);
    await work(conduct, sandbox, signal);
    if (conduct.kind === 'crashes') sandbox.die('crash');
    if (conduct.kind === 'throws') throw new BodyFailed('the work could not be done');
    if (conduct.kind === 'leaks') {
      letEscape(new BodyFailed('escaped'));
      await sandbox.pause(second);
    }
    return { done: id };
  };
}

function drawConduct(random: Random, faults: Faults, timeoutMs: number): Conduct {
  if (faults.isCalm) return { kind: 'returns', afterMs: second, atAbort: 'ends' };
  if (faults.strikes('deaf-body')) return { kind: 'overruns', hears: false };
  if (faults.strikes('slow-body')) return { kind: 'overruns', hears: true };
  const longest = random.pick([second, second, 10 * second, minute, 9 * minute]);
  const afterMs = random.whole(10, Math.min(longest, timeoutMs - 5 * second));
  const atAbort = random.pick(['ends', 'ends', 'hurries', 'goes-on'] as const);
  if (faults.strikes('crash-in-body')) return { kind: 'crashes', afterMs, atAbort };
  if (faults.strikes('failing-body')) return { kind: 'throws', afterMs, atAbort };
  if (faults.strikes('leaking-body')) return { kind: 'leaks', afterMs, atAbort };
  return { kind: 'returns', afterMs, atAbort };
}

/** Takes its time, or less when its signal aborts. @throws when it ends for that */
async function work(
  { afterMs, atAbort }: { readonly afterMs: number; readonly atAbort: AtAbort },
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<void> {
  if (atAbort === 'goes-on') return sandbox.pause(afterMs);
  const isAborted = await new Promise<boolean>((resolve) => {
    const callOff = sandbox.after(afterMs, () => resolve(false));
    signal.addEventListener('abort', () => {
      callOff();
      resolve(true);
    });
  });
  if (!isAborted) return;
  await sandbox.pause(second);
  if (atAbort === 'ends') throw new BodyFailed('aborted');
}

/** A deaf one goes on until its process is killed. */
async function overrun(hears: boolean, sandbox: Sandbox, signal: AbortSignal): Promise<never> {
  if (hears) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  else await never();
  await sandbox.pause(second);
  throw new BodyFailed('aborted');
}

/** The bodies that are alive, and how each ended, as it truly happened. */
export class Bodies {
  readonly #loop: EventLoop;
  readonly #trace: Trace;
  readonly #observer: Observer;
  readonly #alive = new Map<Sandbox, Body>();
  #count = 0;

  constructor(loop: EventLoop, trace: Trace, observer: Observer) {
    this.#loop = loop;
    this.#trace = trace;
    this.#observer = observer;
  }

  get count(): number {
    return this.#count;
  }

  begin(fire: Fire, { sandbox, job, byOffer }: BodyPlace): Body {
    this.#count += 1;
    const { now } = this.#loop;
    const body: Body = {
      number: this.#count,
      jobId: fire.jobId,
      key: fire.id.slice(fire.jobId.length + 1),
      fireTime: fire.fireTime.getTime(),
      trigger: fire.trigger,
      attempt: fire.attempt,
      covers: fire.covers.map((covered) => covered.getTime()),
      job,
      beganAt: now,
      skewMs: sandbox.skewMs,
      byOffer,
    };
    this.#alive.set(sandbox, body);
    this.#note(body, sandbox, `code begins (attempt ${fire.attempt})`);
    this.#observer.bodyBegan?.(now, body);
    return body;
  }

  /** Runs code as a body that has begun, and sees how it ends. */
  async run(
    body: Body,
    code: JobCode,
    { fire, ctx, place }: { fire: Fire; ctx: Context; place: BodyPlace },
  ): Promise<unknown> {
    const { sandbox } = place;
    const forget = sandbox.whenDead(() => this.#end(body, 'killed', sandbox));
    try {
      const value = await code(fire, ctx, place);
      this.#end(body, 'returned', sandbox);
      return value;
    } catch (error) {
      this.#end(body, 'threw', sandbox);
      throw error;
    } finally {
      forget();
      this.#loop.needRound();
    }
  }

  #end(body: Body, end: BodyEnd, sandbox: Sandbox): void {
    if (this.#alive.get(sandbox) !== body) return;
    this.#alive.delete(sandbox);
    this.#note(body, sandbox, `code ${end === 'killed' ? 'is killed' : end}`);
    this.#observer.bodyEnded?.(this.#loop.now, body, end);
  }

  #note(ref: RunRef, sandbox: Sandbox, what: string): void {
    this.#trace.note({ at: this.#loop.now, actor: sandbox.name, what, run: runId(ref) });
  }
}
