import { randomUUID } from 'node:crypto';
import type { Clock } from '../domain/ports.ts';
import { type Arrival, type Chaos, type Fault, faults, type Target } from './chaos.ts';
import { type Disturbed, deliveryOf } from './disturbed.ts';
import type { Tell } from './events.ts';
import type { InvocationResult, LambdaService } from './lambda/contract.ts';

/** What struck, and under which seed. */
export type ChaosReport = Readonly<Record<'seed' | Fault, number>>;

export interface Disturbance {
  /** Lambda's, but what is invoked asynchronously is lost, doubled, late, or dies. */
  readonly invoke: LambdaService['invoke'];
  /** When the copies of a control message arrive, in milliseconds. */
  readonly arrivals: () => readonly number[];
  readonly report: () => ChaosReport;
  /** Nothing is disturbed any more, and what is late arrives at once. */
  readonly calm: () => void;
}

export interface DisturbOptions {
  readonly chaos: Chaos;
  readonly lambda: () => Pick<LambdaService, 'invoke' | 'pids'>;
  readonly tell: Tell;
  /** @default Date.now */
  readonly clock?: Clock;
}

/** Stands between those who deliver and the functions, and does what chaos decides. Only what has struck is counted. */
export function disturb(options: DisturbOptions): Disturbance {
  return new Disturber(options);
}

const targets: Readonly<Record<Disturbed['of'], Target>> = {
  alarm: 'job',
  offer: 'job',
  sweep: 'reconciler',
  message: 'message',
};
const undisturbed: Arrival = { afterMs: 0 };

class Disturber implements Disturbance {
  readonly #options: DisturbOptions;
  readonly #counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>;
  /** What is on its way; each arrives at once when it is called. */
  readonly #late = new Set<() => void>();
  #isCalm = false;

  constructor(options: DisturbOptions) {
    this.#options = options;
  }

  readonly invoke: LambdaService['invoke'] = async (functionName, payload, mode) => {
    const what = deliveryOf(payload);
    if (mode === 'sync' || this.#isCalm || what === null)
      return this.#options.lambda().invoke(functionName, payload, mode);
    const arrivals = this.#fateOf(what, functionName);
    const arrive = (arrival: Arrival) => this.#arrive(arrival, { functionName, payload, what });
    const isNow = arrivals[0]?.afterMs === 0;
    for (const arrival of isNow ? arrivals.slice(1) : arrivals)
      this.#later(arrival.afterMs, () => arrive(arrival));
    return isNow ? arrive(arrivals[0] ?? undisturbed) : { requestId: randomUUID() };
  };

  readonly arrivals = (): readonly number[] =>
    this.#isCalm ? [0] : this.#fateOf({ of: 'message' }, 'control queue').map(({ afterMs }) => afterMs);

  readonly report = (): ChaosReport => ({ seed: this.#options.chaos.seed, ...this.#counts });

  readonly calm = (): void => {
    this.#isCalm = true;
    for (const arrive of [...this.#late]) arrive();
  };

  get #now(): number {
    return (this.#options.clock ?? Date.now)();
  }

  #fateOf(what: Disturbed, place: string): readonly Arrival[] {
    const arrivals = this.#options.chaos.fateOf(targets[what.of], place, this.#now);
    const [first, ...duplicates] = arrivals;
    if (first === undefined) this.#strike('drops', what);
    else if (first.afterMs > 0) this.#strike('delays', what, { ms: first.afterMs });
    if (duplicates.length > 0) this.#strike('duplicates', what, { count: duplicates.length });
    return arrivals;
  }

  #strike(fault: Fault, what: Disturbed, more: { ms?: number; count?: number } = {}): void {
    this.#counts[fault] += more.count ?? 1;
    this.#options.tell({ kind: 'chaos', at: this.#now, fault, ...what, ...more });
  }

  async #arrive(
    { killAfterMs }: Arrival,
    { functionName, payload, what }: { functionName: string; payload: unknown; what: Disturbed },
  ): Promise<InvocationResult> {
    const result = await this.#options.lambda().invoke(functionName, payload, 'async');
    if (killAfterMs !== undefined && !this.#isCalm)
      setTimeout(() => this.#kill(result.requestId, killAfterMs, what), killAfterMs).unref();
    return result;
  }

  /** Nothing when it has ended by then: its process may be at another invocation. */
  #kill(requestId: string, ms: number, what: Disturbed): void {
    const sandbox = this.#options
      .lambda()
      .pids()
      .find((one) => one.requestId === requestId);
    if (sandbox !== undefined && !this.#isCalm && killed(sandbox.pid)) this.#strike('kills', what, { ms });
  }

  #later(ms: number, deliver: () => Promise<unknown>): void {
    const arrive = () => {
      clearTimeout(timer);
      this.#late.delete(arrive);
      deliver().catch((error) =>
        this.#options.tell({
          kind: 'notice',
          at: this.#now,
          text: `what chaos had delayed: ${String(error)}`,
        }),
      );
    };
    const timer = setTimeout(arrive, ms).unref();
    this.#late.add(arrive);
  }
}

/** False when it was gone by itself. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
