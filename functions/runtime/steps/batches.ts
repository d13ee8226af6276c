import type { StepRecord } from '../../domain/steps.ts';
import { second } from '../../domain/time.ts';
import type { Known } from './memo.ts';
import type { KeptResult } from './result.ts';
import type { StepScope } from './scope.ts';

/** A record of results is begun anew before it has more. */
const largestBatchBytes = 100 * 1024;
/** What is done is on record after so long, though its batch isn't full: slow items lose little, and hold up no others. */
const longestUnrecordedMs = 5 * second;

type Entry = readonly [key: string, result?: unknown];

/**
 * The results of a map's items, recorded in batches of `size`. No more than so many items are begun that are not on record
 * yet, so that no crash can have more of them done again.
 */
export class Batches {
  /** The first is the map's. */
  readonly failures: unknown[] = [];
  readonly #name: string;
  readonly #size: number;
  readonly #scope: StepScope;
  readonly #earlier: ReadonlyMap<number, Known>;
  #next: number;
  #done: Entry[] = [];
  #bytes = 0;
  #unrecorded = 0;
  #callOff: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  constructor(
    name: string,
    size: number,
    { scope, earlier }: { scope: StepScope; earlier: ReadonlyMap<number, Known> },
  ) {
    this.#name = name;
    this.#size = size;
    this.#scope = scope;
    this.#earlier = earlier;
    const numbers = [...earlier].flatMap(([number, { known }]) => (known === null ? [] : [number]));
    this.#next = Math.max(-1, ...numbers) + 1;
  }

  /** One more item begins, as soon as it may; false: none does any more. */
  async begin(): Promise<boolean> {
    while (this.#unrecorded >= this.#size && this.failures.length === 0)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#unrecorded += 1;
    return this.failures.length === 0;
  }

  /** An item, or a record, failed: no further item begins. */
  fail(error: unknown): void {
    if (!this.failures.includes(error)) this.failures.push(error);
    this.#wake();
  }

  /** An item that had begun is done. */
  async end(key: string, { value, bytes }: KeptResult): Promise<void> {
    // Taken out before the next one is put in: others come to their ends while this one is being written.
    const before = this.#bytes + bytes > largestBatchBytes ? this.record() : undefined;
    this.#done.push(value === undefined ? [key] : [key, value]);
    this.#bytes += bytes + key.length;
    this.#callOff ??= this.#scope.ports.after(longestUnrecordedMs, () => this.#recordLate());
    await Promise.all([before, this.#done.length >= this.#size ? this.record() : undefined]);
  }

  /** Records what is done and not on record. */
  async record(): Promise<void> {
    const result = this.#done;
    if (result.length === 0) return;
    this.#done = [];
    this.#bytes = 0;
    this.#callOff?.();
    this.#callOff = undefined;
    const number = this.#next++;
    const step = this.#scope.record(`${this.#name}#${number}`, 'map', { result });
    await this.#scope.write({ step, replaces: this.#earlier.get(number)?.standing ?? null });
    this.#unrecorded -= result.length;
    this.#wake();
  }

  #recordLate(): void {
    this.record().catch((error: unknown) => this.fail(error));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

/** The results of items that are on record, by their keys. */
export function recordedResults(batches: Iterable<Known>): Map<string, unknown> {
  return new Map([...batches].flatMap(({ known }) => (known === null ? [] : entriesOf(known))));
}

function entriesOf({ result }: StepRecord): [string, unknown][] {
  return Array.isArray(result) ? result.map(([key, value]: Entry) => [key, value]) : [];
}
