import type { PoolState } from '../../../domain/pools.ts';

interface Moment {
  readonly at: number;
  readonly free: number;
}

/** How much of each pool was free, at any time of the last while. */
export class Room {
  readonly #keepMs: number;
  readonly #pools = new Map<string, PoolState>();
  readonly #moments = new Map<string, Moment[]>();

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  wrotePool(at: number, after: PoolState): void {
    this.#pools.set(after.name, after);
    const moments = this.#moments.get(after.name) ?? [];
    this.#moments.set(after.name, moments);
    moments.push({ at, free: after.free });
    // The last one before what is kept tells how much was free when that began.
    while ((moments[1]?.at ?? at) < at - this.#keepMs) moments.shift();
  }

  freeOf(pool: string): number {
    return this.#pools.get(pool)?.free ?? 0;
  }

  capacityOf(pool: string): number {
    return this.#pools.get(pool)?.capacity ?? 0;
  }

  /** The most that was free at once, from an instant up to now. */
  mostFreeSince(pool: string, from: number): number {
    const moments = this.#moments.get(pool) ?? [];
    const since = moments.filter((_, index) => (moments[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= from);
    return Math.max(0, ...since.map(({ free }) => free));
  }
}
