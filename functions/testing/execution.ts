import type { Random } from '../simulator/random.ts';
import { never, type Sandbox } from '../simulator/sandbox.ts';

/** One of the moments at which job code waits in virtual time. */
export interface Wait {
  /** Among all of its execution, from 0. */
  readonly place: number;
  /** Calls that were sent before. */
  readonly sent: number;
  /** `begins`, `ends`: before the code's first line and after its last; `sends`, `hears`: around a call. */
  readonly kind: 'begins' | 'sends' | 'hears' | 'ends';
}

/** What comes in the way of job code, once: its process dies, the call fails, or nobody ever answers. */
export interface Trouble {
  readonly kind: 'crash' | 'failure' | 'silence';
  readonly strikesAt: (wait: Wait) => boolean;
}

export interface ExecutionWorld {
  readonly sandbox: Sandbox;
  readonly random: Random;
  readonly trouble: Trouble | null;
  /** Told when it goes on. */
  readonly onStir: () => void;
  /** Told of each call before it is sent. */
  readonly onCall: (what: string) => void;
}

/** A call takes up to so long on its way, and its answer back. */
const longestWayMs = 500;

/** One execution of an author's code: real promises that take no virtual time, between waits that do. */
export class Execution {
  readonly #world: ExecutionWorld;
  #trouble: Trouble | null;
  #waits = 0;
  #sent = 0;
  #waiting = 0;
  #performing = 0;
  #isOver = false;
  #isLeft = false;

  constructor(world: ExecutionWorld) {
    this.#world = world;
    this.#trouble = world.trouble;
  }

  /** How often it has waited. */
  get waits(): number {
    return this.#waits;
  }

  /** It is at work, and waits for no virtual time: time must stand still. */
  get isComputing(): boolean {
    if (this.#isOver || this.#isLeft || !this.#world.sandbox.isAlive) return false;
    return this.#performing > 0 || this.#waiting <= 0;
  }

  /** It waits for something that only time brings, such as its abort. */
  leave(): void {
    this.#isLeft = true;
  }

  /** Returns how to stop listening. */
  whenDead(listener: () => void): () => void {
    return this.#world.sandbox.whenDead(listener);
  }

  stir(): void {
    this.#isLeft = false;
    this.#world.onStir();
  }

  /** Runs the code, which takes `takesMs` besides its calls. */
  async run(
    work: () => unknown,
    { signal, takesMs }: { signal: AbortSignal; takesMs: number },
  ): Promise<unknown> {
    const beforeMs = this.#world.random.whole(0, takesMs);
    try {
      await this.#wait('begins', beforeMs, signal);
      const [settled] = await Promise.allSettled([Promise.resolve().then(work)]);
      if (!signal.aborted) await this.#wait('ends', takesMs - beforeMs, signal);
      if (settled.status === 'rejected') throw settled.reason;
      return settled.value;
    } finally {
      this.#isOver = true;
    }
  }

  /** A call to outside: its way there, the call itself for real, and its answer's way back. */
  async call<T>(what: string, perform: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    await this.#wait('sends', this.#wayMs(), signal);
    this.#sent += 1;
    this.#world.onCall(what);
    this.#performing += 1;
    const answer = await perform().finally(() => {
      this.#performing -= 1;
    });
    await this.#wait('hears', this.#wayMs(), signal);
    return answer;
  }

  /** Something else that takes virtual time. */
  async waitFor<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await work();
    } finally {
      this.#waiting -= 1;
      this.stir();
    }
  }

  /** Code that runs within something else that takes virtual time, such as a step's. */
  within<Args extends unknown[]>(work: (...args: Args) => unknown): (...args: Args) => Promise<unknown> {
    return async (...args) => {
      this.#waiting -= 1;
      this.stir();
      try {
        return await work(...args);
      } finally {
        this.#waiting += 1;
      }
    };
  }

  #wayMs(): number {
    return this.#world.random.whole(1, longestWayMs);
  }

  #wait(kind: Wait['kind'], ms: number, signal: AbortSignal | undefined): Promise<void> {
    const wait = { place: this.#waits, sent: this.#sent, kind };
    this.#waits += 1;
    return this.waitFor(async () => {
      if (this.#trouble?.strikesAt(wait)) await this.#meet(this.#trouble, signal);
      await this.#pause(ms, signal);
    });
  }

  #meet({ kind }: Trouble, signal: AbortSignal | undefined): Promise<void> {
    this.#trouble = null;
    if (kind === 'failure') return Promise.reject(connectionLost());
    if (kind === 'crash') this.#world.sandbox.die('crash');
    return this.#pause(null, signal);
  }

  /** In a dead process it is never over. `ms` null: only the signal ends it. */
  #pause(ms: number | null, signal: AbortSignal | undefined): Promise<void> {
    const { sandbox } = this.#world;
    if (!sandbox.isAlive) return never();
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        callOff();
        reject(signal?.reason);
      };
      const onOver = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const callOff = ms === null ? () => {} : sandbox.after(ms, onOver);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/** Known by its code to those who try again, such as the AWS SDK. */
function connectionLost(): Error {
  return Object.assign(new TypeError('fetch failed: simulated'), { code: 'ECONNRESET' });
}
