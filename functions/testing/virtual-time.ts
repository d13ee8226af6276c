import { setImmediate as turn } from 'node:timers/promises';
import type { After } from '../runtime/ports.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** How often pending work gets the event loop before it counts as waiting for time. */
const turns = 8;

/** Time that passes only when told to. Whoever sleeps wakes in order, with the clock at the instant waited for. */
export class VirtualTime {
  #now: number;
  #sleepers: readonly Sleeper[] = [];

  /** Epoch milliseconds. */
  constructor(now: number) {
    this.#now = now;
  }

  readonly clock = (): number => this.#now;

  readonly after: After = (ms, onOver) => {
    const sleeper = { at: this.#now + ms, wake: onOver };
    this.#sleepers = [...this.#sleepers, sleeper].sort((a, b) => a.at - b.at);
    return () => this.#forget(sleeper);
  };

  /** How many wait for time to go by. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Lets `ms` milliseconds go by. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await idle();
    for (let next = this.#sleepers[0]; next !== undefined && next.at <= end; next = this.#sleepers[0]) {
      this.#wake(next);
      await idle();
    }
    this.#now = Math.max(this.#now, end);
    await idle();
  }

  /** Lets time go by, from sleeper to sleeper, until the work is done. For work that waits for time alone. */
  async until<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const settled = work.finally(() => {
      done = true;
    });
    settled.catch(() => undefined);
    await idle();
    for (let next = this.#sleepers[0]; !done && next !== undefined; next = this.#sleepers[0]) {
      this.#wake(next);
      await idle();
    }
    return settled;
  }

  #wake(sleeper: Sleeper): void {
    this.#now = Math.max(this.#now, sleeper.at);
    this.#forget(sleeper);
    sleeper.wake();
  }

  #forget(sleeper: Sleeper): void {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
  }
}

async function idle(): Promise<void> {
  for (let count = 0; count < turns; count += 1) await turn();
}
