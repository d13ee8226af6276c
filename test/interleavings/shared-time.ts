interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that all processes share, each by a clock of its own. It passes only when told to. */
export class SharedTime {
  #now: number;
  #sleepers: readonly Sleeper[] = [];

  /** Epoch milliseconds. */
  constructor(now: number) {
    this.#now = now;
  }

  get now(): number {
    return this.#now;
  }

  /** Returns how to call it off. */
  after(ms: number, wake: () => void): () => void {
    const sleeper = { at: this.#now + ms, wake };
    this.#sleepers = [...this.#sleepers, sleeper].sort((a, b) => a.at - b.at);
    return () => this.#forget(sleeper);
  }

  /** Lets milliseconds go by. Whoever's instant comes is woken in order, and goes on only once they are over. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#sleepers[0]; next !== undefined && next.at <= end; next = this.#sleepers[0]) {
      this.#now = Math.max(this.#now, next.at);
      this.#forget(next);
      next.wake();
    }
    this.#now = end;
  }

  /** Lets time go by up to the first sleeper's instant. False: nobody sleeps. */
  passToNext(): boolean {
    const next = this.#sleepers[0];
    if (next === undefined) return false;
    this.pass(Math.max(0, next.at - this.#now));
    return true;
  }

  #forget(sleeper: Sleeper): void {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
  }
}
