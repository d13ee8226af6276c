import { second } from '../../functions/domain/time.ts';
import type { After } from '../../functions/runtime/ports.ts';
import type { SharedTime } from './shared-time.ts';

/**
 * What may happen to one call of the ledger.
 * - `rejected`: it is never carried out. `conflict`: neither, and a write says so.
 * - `lost-answer`: it is carried out, and rejected. `straggles`: it is rejected, and carried out up to seconds later.
 * - `late-answer`: others go on between its effect and its answer.
 * - `crash-before`, `crash-after`: the process dies, before or after its effect.
 * - `freezes`: the process thaws only when it should long be dead, and then makes the call. No design can forbid it.
 */
export const faults = [
  'rejected',
  'conflict',
  'lost-answer',
  'late-answer',
  'straggles',
  'crash-before',
  'crash-after',
] as const;
export type Fault = (typeof faults)[number] | 'freezes';

/** What a process has drawn. */
export interface Luck {
  /** Seconds by which its clock is ahead of the world's. */
  readonly skew: number;
  /** So many times it lets the others go first, with each step that it takes. */
  readonly lag: number;
  /** What strikes its nth call, counted from 0. */
  readonly faults: readonly (readonly [call: number, fault: Fault])[];
}

export const healthy: Luck = { skew: 0, lag: 0, faults: [] };

/** Longer than a lease of the jobs in these worlds. */
const frozenMs = 200 * second;

/** One process: it has a clock, lives for a time, and makes calls until it dies. */
export class Process {
  readonly name: string;
  readonly #luck: Luck;
  readonly #time: SharedTime;
  #calls = 0;
  #alive = true;
  #isOverdue = false;
  #onDeath: () => void = () => undefined;
  #forgetKill: () => void;

  /** `lifeMs`: when it is killed. */
  constructor(name: string, luck: Luck, { time, lifeMs }: { time: SharedTime; lifeMs: number }) {
    this.name = name;
    this.#luck = luck;
    this.#time = time;
    this.#forgetKill = time.after(lifeMs, () => this.kill());
  }

  readonly clock = (): number => this.#time.now + this.#luck.skew * second;

  readonly after: After = (ms, onOver) =>
    this.#time.after(ms, () => {
      if (this.#alive) onOver();
    });

  get lag(): number {
    return this.#luck.lag;
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  /** It should be dead by now. */
  get isOverdue(): boolean {
    return this.#isOverdue;
  }

  set onDeath(tell: () => void) {
    this.#onDeath = tell;
  }

  /** Nothing of it happens any more. */
  kill(): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#forgetKill();
    this.#onDeath();
  }

  /** It is done; nobody needs to kill it. */
  end(): void {
    this.#forgetKill();
  }

  /** Everybody takes it for dead, and its time goes by. */
  async freeze(): Promise<void> {
    this.#isOverdue = true;
    this.#forgetKill();
    this.#onDeath();
    await new Promise<void>((thaw) => this.#time.after(frozenMs, thaw));
  }

  /** What strikes its next call. */
  nextFault(): Fault | undefined {
    const call = this.#calls;
    this.#calls += 1;
    return this.#luck.faults.find(([at]) => at === call)?.[1];
  }
}

/** What a dead process waits for. A promise of its own, so that nothing keeps it in memory. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
