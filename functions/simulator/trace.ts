import { toIso } from '../domain/time.ts';
import type { Strike } from './faults.ts';
import { hashOf } from './random.ts';

/** One thing that happened. */
export interface TraceLine {
  /** True time, epoch milliseconds. */
  readonly at: number;
  /** Who did it or met it: `sandbox 12 of billing/send-invoices`, `alarm clock`, `store`. */
  readonly actor: string;
  readonly what: string;
  /** The id of the run that it is about. */
  readonly run?: string;
  /** It is a fault that struck. */
  readonly strike?: Strike;
}

/** All that happened, as a number; the lines themselves only for who listens. */
export class Trace {
  readonly #listen: ((line: TraceLine) => void) | undefined;
  #low = 0x811c9dc5;
  #high = 0x01000193;

  constructor(listen?: (line: TraceLine) => void) {
    this.#listen = listen;
  }

  note(line: TraceLine): void {
    const { at, actor, what, run = '' } = line;
    this.#low = hashOf(what, hashOf(run, this.#low ^ at));
    this.#high = hashOf(actor, this.#high ^ this.#low);
    this.#listen?.(line);
  }

  /** What only readers want to know: it is not part of the hash. */
  aside(line: () => TraceLine): void {
    this.#listen?.(line());
  }

  /** 16 hex digits: two runs with the same hash were the same. */
  get hash(): string {
    return hex(this.#low) + hex(this.#high);
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** `2026-12-01T03:00:00.250Z  sandbox 12 of a/b  began`. */
export function traceText({ at, actor, what }: TraceLine): string {
  const instant = `${toIso(at).slice(0, -1)}.${String(at % 1_000).padStart(3, '0')}Z`;
  return `${instant}  ${actor}  ${what}`;
}
