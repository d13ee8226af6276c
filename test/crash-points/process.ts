import type { After } from '../../functions/runtime/ports.ts';
import type { EventLoop } from '../../functions/simulator/event-loop.ts';
import { never } from '../../functions/simulator/sandbox.ts';
import type { Point, Strike, Strikes } from './strikes.ts';

/** A process of a job's function. It may be struck at each of its points; nothing goes on in it while it is frozen. */
export class Process {
  readonly name: string;
  readonly #loop: EventLoop;
  readonly #strikes: Strikes;
  readonly #forgetKill: () => void;
  #isAlive = true;
  #hasThawed = false;
  #thawing: { readonly over: Promise<void>; readonly end: () => void } | null = null;

  /** `lifeMs`: when it is killed. */
  constructor(
    name: string,
    { loop, strikes, lifeMs }: { loop: EventLoop; strikes: Strikes; lifeMs: number },
  ) {
    this.name = name;
    this.#loop = loop;
    this.#strikes = strikes;
    this.#forgetKill = loop.after(lifeMs, () => this.kill());
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isFrozen(): boolean {
    return this.#thawing !== null;
  }

  /** It was taken for dead, and went on. */
  get hasThawed(): boolean {
    return this.#hasThawed;
  }

  readonly clock = (): number => this.#loop.now;

  readonly after: After = (ms, onOver) => {
    let isOff = false;
    const wake = async () => {
      await this.#awake();
      if (!isOff) onOver();
    };
    const callOff = this.#loop.after(ms, () => void wake());
    return () => {
      isOff = true;
      callOff();
    };
  };

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Resolves with what strikes here, unless that ends it. */
  async point(what: string, kind: Point['kind'] = 'work'): Promise<Strike['kind'] | null> {
    await this.#awake();
    const strike = this.#strikes.next({ what, kind }, this);
    if (strike === 'dies') this.kill();
    if (strike === 'freezes') this.#freeze();
    await this.#awake();
    return strike;
  }

  /** Nothing of it happens any more. */
  kill(): void {
    this.#isAlive = false;
    this.#forgetKill();
  }

  /** What struck first goes on first, then whatever became due meanwhile. */
  thaw(): void {
    if (this.#thawing === null) return;
    this.#hasThawed = true;
    this.#thawing.end();
    this.#thawing = null;
  }

  #freeze(): void {
    this.#forgetKill();
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#thawing = { over, end };
  }

  async #awake(): Promise<void> {
    while (this.#thawing !== null) await this.#thawing.over;
    if (!this.#isAlive) await never();
  }
}
