import { setImmediate as turn } from 'node:timers/promises';
import type fc from 'fast-check';
import { second, toIso } from '../../functions/domain/time.ts';
import { never, type Process } from './process.ts';
import { SharedTime } from './shared-time.ts';

/** Steps of a world that comes to rest are some hundreds. */
const mostSteps = 20_000;

/** Where processes take their steps one by one, in the order in which fast-check's scheduler picks them. */
export class Stage {
  readonly time: SharedTime;
  readonly #scheduler: fc.Scheduler;
  readonly #underWay = new Set<Promise<unknown>>();
  /** What was picked, in order. */
  readonly trace: string[] = [];

  constructor(scheduler: fc.Scheduler, now: number) {
    this.#scheduler = scheduler;
    this.time = new SharedTime(now);
  }

  /** Resolves when the step is picked; never if its process is dead by then. */
  async step(process: Process, what: string): Promise<void> {
    const told = `${process.name} ${what}`;
    for (let behind = process.lag; behind >= 0; behind -= 1)
      await this.#scheduler.schedule(Promise.resolve(), behind > 0 ? `${told} (${behind} behind)` : told);
    if (!process.isAlive) await never();
    this.#trace(told);
  }

  /** A step that its process no longer decides about. */
  async pick(what: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), what);
    this.#trace(what);
  }

  /** Seconds that pass between steps; `next`: up to the next instant at which something is to happen. */
  async pass(jumps: readonly (number | 'next')[]): Promise<void> {
    for (const jump of jumps) {
      // Others have gone on in between, so that jumps are spread over the world's life.
      await new Promise<void>((wake) => void this.time.after(second, wake));
      await this.pick('time passes');
      if (jump === 'next') this.time.passToNext();
      else this.time.pass(jump * second);
    }
  }

  /** What a step does is over before the next one is picked. */
  async whole<T>(effect: Promise<T>): Promise<T> {
    this.#underWay.add(effect);
    try {
      return await effect;
    } finally {
      this.#underWay.delete(effect);
    }
  }

  /** Lets everybody go on until nobody is left who would; time passes when all wait for it. `goOn` is asked before each step. */
  async play(goOn: () => boolean): Promise<void> {
    await this.#settled();
    while (goOn() && (await this.#next())) await this.#settled();
  }

  #trace(what: string): void {
    this.trace.push(`${toIso(this.time.now).slice(11, 19)} ${what}`);
  }

  async #next(): Promise<boolean> {
    if (this.trace.length > mostSteps) throw new Error(`the world is not at rest after ${mostSteps} steps`);
    if (this.#scheduler.count() === 0) return this.time.passToNext();
    await this.#scheduler.waitOne();
    return true;
  }

  /** Everybody has gone as far as they can without another step. A job's code is over one turn of the event loop after its last. */
  async #settled(): Promise<void> {
    do {
      await Promise.allSettled(this.#underWay);
      await turn();
      await turn();
    } while (this.#underWay.size > 0);
  }
}
