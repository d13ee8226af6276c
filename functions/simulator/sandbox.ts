import type { After } from '../runtime/ports.ts';
import type { EventLoop } from './event-loop.ts';

/** Why a process ended. */
export type Death = 'timeout' | 'crash' | 'exit';

/**
 * A process with its own clock. Once it is dead nothing that it waits for comes any more, and nothing of it is written; unless
 * it was only frozen, and thaws.
 */
export class Sandbox {
  readonly name: string;
  /** Its clock is ahead of the true time by so much. */
  readonly skewMs: number;
  readonly #loop: EventLoop;
  readonly #onDeath = new Set<(why: Death) => void>();
  #death: Death | null = null;
  /** Frozen: what it waited for came meanwhile. */
  #held: (() => void)[] | null = null;
  /** Asked when it dies: whether it is only frozen. It ends by `thaw`, or by another death. */
  onlyFreezes: () => boolean = () => false;

  constructor(loop: EventLoop, { name, skewMs }: { name: string; skewMs: number }) {
    this.#loop = loop;
    this.name = name;
    this.skewMs = skewMs;
  }

  get isAlive(): boolean {
    return this.#death === null;
  }

  readonly clock = (): number => this.#loop.now + this.skewMs;

  readonly after: After = (ms, onOver) =>
    this.#loop.after(ms, () => {
      if (this.isAlive) onOver();
      else this.#held?.push(onOver);
    });

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Of a dead one: once it thaws, which may be never. */
  alive(): Promise<void> {
    if (this.isAlive) return Promise.resolve();
    return new Promise((resolve) => this.#held?.push(resolve));
  }

  die(why: Death): void {
    if (!this.isAlive) return;
    this.#death = why;
    if (why !== 'exit' && this.onlyFreezes()) this.#held = [];
    for (const listener of this.#onDeath) listener(why);
    this.#onDeath.clear();
  }

  /** A frozen one goes on: all that it waited for comes now. */
  thaw(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#death = null;
    this.onlyFreezes = () => false;
    for (const come of held) come();
  }

  /** Returns how to stop listening. */
  whenDead(listener: (why: Death) => void): () => void {
    this.#onDeath.add(listener);
    return () => this.#onDeath.delete(listener);
  }
}

/** What a dead process waits for. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
