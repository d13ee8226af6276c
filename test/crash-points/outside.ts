import type { Process } from './process.ts';

/** What was done outside of the ledger, where nothing is ever undone: the truth that people look at. */
export class Outside {
  readonly #done: string[] = [];
  readonly #calls = new Map<string, number>();

  /** How often it was done. */
  times(name: string): number {
    return this.#done.filter((one) => one === name).length;
  }

  get names(): ReadonlySet<string> {
    return new Set(this.#done);
  }

  /** It takes its time, and its process may be struck before it and after it. Gives what it always gives. */
  async does(name: string, process: Process): Promise<string> {
    await process.point(beforeIt(name));
    await process.pause(workMs);
    this.#done.push(name);
    await process.point(`${name}: done`);
    return resultOf(name);
  }

  /** It throws, so often in all; after that it doesn't. */
  failsAtFirst(name: string, often: number): void {
    const calls = (this.#calls.get(name) ?? 0) + 1;
    this.#calls.set(name, calls);
    if (calls <= often) throw new Error(`${name} failed`);
  }
}

const workMs = 40;

export function beforeIt(name: string): string {
  return `${name}: about to be done`;
}

export function resultOf(name: string): string {
  return `the result of ${name}`;
}
