import type { Weights } from '../../../functions/domain/pools.ts';
import { pools, type SeedJob } from './jobs.ts';

/** Who has what until when, as runs are seeded one after the other: no pool above its capacity, no slot taken twice. */
export class Places {
  /** Of each unit of a pool, until when it is held. */
  readonly #units = new Map(
    Object.entries(pools).map(([name, { capacity }]) => [name, new Array<number>(capacity).fill(0)]),
  );
  readonly #slots = new Map<string, number>();

  /** From when on the job's slot is free. */
  slotFree({ entry }: SeedJob): number {
    return this.#slots.get(entry.id) ?? 0;
  }

  /** From when on so much of pools is free. */
  poolsFree(weights: Weights = {}): number {
    const free = Object.entries(weights).map(([name, weight]) => this.#soonest(name)[weight - 1] ?? 0);
    return Math.max(0, ...free);
  }

  take({ entry }: SeedJob, until: number): void {
    this.#slots.set(entry.id, until);
    for (const [name, weight] of Object.entries(entry.pools ?? {}))
      this.#soonest(name).fill(until, 0, weight);
  }

  #soonest(name: string): number[] {
    return (this.#units.get(name) ?? []).sort((a, b) => a - b);
  }
}
