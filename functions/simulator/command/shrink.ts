import { hour } from '../../domain/time.ts';
import { type FaultName, faultNames } from '../faults.ts';
import type { Violation } from '../observe.ts';
import type { Simulated } from '../simulate.ts';
import { type Case, planOf } from './case.ts';
import type { Workers } from './workers.ts';

/** How much goes wrong in a case. */
export interface Size {
  readonly days: number;
  /** Faults that struck. */
  readonly faults: number;
  readonly strikes: number;
}

/** By so much later, in virtual time, a smaller case may break it. */
const patienceMs = 6 * hour;

/** The smallest case found that still breaks the same invariant. */
export interface Shrunk {
  readonly smallest: Case;
  readonly violation: Violation;
  readonly from: Size;
  readonly to: Size;
  readonly replays: number;
  /** The budget was used up: a smaller one may exist. */
  readonly isCutShort: boolean;
}

export interface Shrinking {
  /** Simulates several at a time. */
  readonly workers: Pick<Workers, 'all' | 'count'>;
  /** Whether another replay may be made after so many. */
  readonly mayGoOn: (replays: number) => boolean;
  readonly tell: (size: Size, replays: number) => void;
}

/** What is varied of a case. */
interface Part {
  readonly days: number;
  readonly enabled: readonly FaultName[];
  /** The places of the strikes that are kept, from 0, rising. */
  readonly kept: readonly number[];
}

interface Failure {
  readonly part: Part;
  readonly violation: Violation;
  readonly simulated: Simulated;
}

/**
 * Makes a case that breaks an invariant as small as it can: fewer days, fewer faults, fewer strikes. Null when it
 * doesn't break it again at all.
 *
 * A strike that is left out changes what comes after it, so nothing is concluded: each smaller case is simulated.
 */
export async function shrink(
  one: Case,
  { invariant, first, shrinking }: { invariant: string; first: Simulated; shrinking: Shrinking },
): Promise<Shrunk | null> {
  const search = new Search(one, invariant, shrinking);
  const whole = {
    days: one.days,
    enabled: faultNames.filter((name) => first.enabled.includes(name)),
    kept: Array.from({ length: first.totalStrikes }, (_, place) => place),
  };
  if ((await search.firstFailing([whole])) === -1) return null;
  const from = search.size;
  await search.shorten();
  // Strikes have other places without a fault, so faults go first, while all strikes are kept.
  await search.dropFaults();
  await search.dropStrikes();
  return { ...search.found(), from };
}

class Search {
  readonly #case: Case;
  readonly #invariant: string;
  readonly #shrinking: Shrinking;
  #best: Failure | null = null;
  #replays = 0;

  constructor(one: Case, invariant: string, shrinking: Shrinking) {
    this.#case = one;
    this.#invariant = invariant;
    this.#shrinking = shrinking;
  }

  get #failure(): Failure {
    if (this.#best === null) throw new Error('Nothing has failed yet that could be made smaller.');
    return this.#best;
  }

  get size(): Size {
    const { part, simulated } = this.#failure;
    const counts = Object.values(simulated.strikes).filter((count) => count > 0);
    return {
      days: part.days,
      faults: counts.length,
      strikes: counts.reduce((sum, count) => sum + count, 0),
    };
  }

  get #isOver(): boolean {
    return !this.#shrinking.mayGoOn(this.#replays);
  }

  /** Which of these parts is the first that still breaks the invariant; it is the best so far. -1: none. */
  async firstFailing(parts: readonly Part[]): Promise<number> {
    if (this.#isOver || parts.length === 0) return -1;
    this.#replays += parts.length;
    const results = await this.#shrinking.workers.all(parts.map((part) => this.#caseOf(part)));
    const failures = results.map((simulated, index) => failureOf(parts[index], simulated, this.#invariant));
    const failing = failures.findIndex((failure) => failure !== null);
    this.#best = failures[failing] ?? this.#best;
    if (this.#best !== null) this.#shrinking.tell(this.size, this.#replays);
    return failing;
  }

  /** What breaks it much later than what is known isn't waited for. */
  #caseOf(part: Part): Case {
    const smaller = caseOf(this.#case, part);
    return this.#best === null ? smaller : { ...smaller, until: this.#best.violation.at + patienceMs };
  }

  async shorten(): Promise<void> {
    let [least, greatest] = [1, this.#failure.part.days];
    while (least < greatest && !this.#isOver) {
      const days = Math.floor((least + greatest) / 2);
      if ((await this.firstFailing([{ ...this.#failure.part, days }])) === 0) greatest = days;
      else least = days + 1;
    }
  }

  async dropFaults(): Promise<void> {
    const { part, simulated } = this.#failure;
    const struck = part.enabled.filter((name) => simulated.strikes[name] > 0);
    if (struck.length < part.enabled.length) await this.firstFailing([{ ...part, enabled: struck }]);
    await this.#drop('enabled');
  }

  /** As often as it helps: without some strikes others may have become needless. */
  async dropStrikes(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.size.strikes < before && !this.#isOver; ) {
      before = this.size.strikes;
      await this.#drop('kept');
    }
  }

  /** Leaves out all, then halves, quarters, … single ones, the first first: what counts mostly struck shortly before. */
  async #drop<Key extends 'enabled' | 'kept'>(key: Key): Promise<void> {
    const current = () => this.#failure.part[key];
    const without = (from: number, to: number): Part => {
      const { part } = this.#failure;
      return { ...part, [key]: [...current().slice(0, from), ...current().slice(to)] };
    };
    if ((await this.firstFailing([without(0, current().length)])) === 0) return;
    for (let size = Math.ceil(current().length / 2); ; size = Math.ceil(size / 2)) {
      for (let from = 0; from < current().length && !this.#isOver; ) {
        const starts = this.#starts(from, size, current().length);
        const failing = await this.firstFailing(starts.map((start) => without(start, start + size)));
        from = failing === -1 ? from + size * starts.length : (starts[failing] ?? from);
      }
      if (size <= 1) return;
    }
  }

  /** Where the next chunks begin, as many as can be tried at a time. */
  #starts(from: number, size: number, end: number): number[] {
    const most = Math.ceil((end - from) / size);
    return Array.from(
      { length: Math.min(this.#shrinking.workers.count, most) },
      (_, index) => from + index * size,
    );
  }

  found(): Omit<Shrunk, 'from'> {
    const { part, violation } = this.#failure;
    return {
      smallest: caseOf(this.#case, part),
      violation,
      to: this.size,
      replays: this.#replays,
      isCutShort: this.#isOver,
    };
  }
}

function failureOf(part: Part | undefined, simulated: Simulated, invariant: string): Failure | null {
  const violation = simulated.violations.find((one) => one.invariant === invariant);
  if (part === undefined || violation === undefined) return null;
  const kept = part.kept.filter((place) => place < simulated.totalStrikes);
  return { part: { ...part, kept }, violation, simulated };
}

function caseOf(one: Case, { days, enabled, kept }: Part): Case {
  return { ...one, days, plan: planOf(new Set(enabled), kept) };
}
