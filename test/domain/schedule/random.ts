import { chooseSeed, seededRandom } from '../../support/seeded-random.ts';

/** Random choices that can be made again: the seed is printed, and `SEED=…` repeats it. */
export class Random {
  readonly #fraction: () => number;

  constructor(name: string) {
    const seed = chooseSeed();
    this.#fraction = seededRandom(seed);
    console.info(`${name}: SEED=${seed}`);
  }

  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.#fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.#fraction() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.integer(0, values.length - 1)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }
}
