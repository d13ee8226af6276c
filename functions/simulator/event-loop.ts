interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isOff: boolean;
}

/**
 * Virtual time, on one thread: events happen one by one, by their instant and then in the order in which they were
 * scheduled. Before the next one, all that the last one set going has come to wait for an event of its own.
 */
export class EventLoop {
  #now: number;
  #order = 0;
  /** A binary heap. */
  readonly #events: Event[] = [];
  readonly #settle: () => Promise<void>;

  #needsRound = false;

  /** `settle`: lets the code of an event run until all of it waits for another event. */
  constructor(now: number, settle?: () => Promise<void>) {
    this.#now = now;
    this.#settle = settle ?? (() => this.#rounds());
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.#now;
  }

  /** Returns how to call it off. An instant that is past means at once, after what is already due. */
  at(instant: number, run: () => void): () => void {
    const event = { at: Math.max(instant, this.#now), order: this.#order, run, isOff: false };
    this.#order += 1;
    this.#push(event);
    return () => {
      event.isOff = true;
    };
  }

  after(ms: number, run: () => void): () => void {
    return this.at(this.#now + Math.ceil(ms), run);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** The code of this event is going to wait for a round of the process's own event loop, as the runtime does when job code has ended. */
  needRound(): void {
    this.#needsRound = true;
  }

  async #rounds(): Promise<void> {
    await tick();
    while (this.#needsRound) {
      this.#needsRound = false;
      await round();
    }
  }

  /** Lets time go by up to `end`, or until `isOver`, which is asked after each event. */
  async run(end: number, isOver: () => boolean = () => false): Promise<void> {
    for (let next = this.#events[0]; next !== undefined && next.at <= end; next = this.#events[0]) {
      this.#pop();
      if (next.isOff) continue;
      this.#now = next.at;
      next.run();
      await this.#settle();
      if (isOver()) return;
    }
    this.#now = Math.max(this.#now, end);
  }

  #push(event: Event): void {
    const heap = this.#events;
    let at = heap.length;
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = heap[(at - 1) >> 1];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[at] = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#events;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const child = this.#firstChild(at);
      const event = heap[child];
      if (event === undefined || !isBefore(event, last)) break;
      heap[at] = event;
      at = child;
    }
    heap[at] = last;
  }

  #firstChild(at: number): number {
    const [left, right] = [this.#events[2 * at + 1], this.#events[2 * at + 2]];
    return left && right && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
  }
}

/** All microtasks are through. A round of the process's own event loop would do as well, and takes several times as long. */
function tick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** All microtasks are through, and whatever waited for a round of the process's own event loop. */
function round(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
