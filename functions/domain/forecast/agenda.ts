/** What is to happen, soonest first; of one instant what was noted first. Few things are on it at a time. */
export class Agenda<T> {
  /** Latest first, so that the next one is taken off the end. */
  readonly #entries: { readonly at: number; readonly what: T }[] = [];

  next(): number {
    return this.#entries.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  }

  note(at: number, what: T): void {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.at ?? 0) <= at) high = middle;
      else low = middle + 1;
    }
    this.#entries.splice(low, 0, { at, what });
  }

  *dueAt(now: number): Iterable<T> {
    while (this.next() === now) {
      const entry = this.#entries.pop();
      if (entry !== undefined) yield entry.what;
    }
  }
}
