/** Random numbers that can be had again: every property prints its seed, and `SEED=…` repeats it. */
export class Random {
  readonly seed: number;
  #state: number;

  constructor(name: string) {
    this.seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
    this.#state = this.seed;
    console.info(`${name}: SEED=${this.seed}`);
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

  /** mulberry32 */
  #fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
