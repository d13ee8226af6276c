/** All fires of all jobs, by time, and at one instant by the job's place. */
export class Arrivals {
  readonly #keys: Float64Array;
  readonly #jobs: number;
  readonly #from: number;
  #next = 0;

  constructor(fires: readonly (readonly number[])[], from: number) {
    this.#jobs = Math.max(1, fires.length);
    this.#from = from;
    this.#keys = new Float64Array(fires.reduce((sum, { length }) => sum + length, 0));
    let place = 0;
    for (const [job, its] of fires.entries())
      for (const fire of its) {
        this.#keys[place] = (fire - from) * this.#jobs + job;
        place += 1;
      }
    // One number each, which is sorted far faster than objects are.
    this.#keys.sort();
  }

  next(): number {
    const key = this.#keys[this.#next];
    return key === undefined ? Number.POSITIVE_INFINITY : this.#from + Math.floor(key / this.#jobs);
  }

  /** The places of the jobs that are due at an instant. */
  *dueAt(now: number): Iterable<number> {
    for (; this.next() === now; this.#next += 1) yield (this.#keys[this.#next] ?? 0) % this.#jobs;
  }
}
