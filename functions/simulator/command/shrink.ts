import { type FaultName, faultNames } from '../faults.ts';
import type { Violation } from '../observe.ts';
import type { Simulated } from '../simulate.ts';
import { type Case, planOf, type Simulate } from './case.ts';

/** How much goes wrong in a case. */
export interface Size {
  readonly days: number;
  /** Faults that struck. */
  readonly faults: number;
  readonly strikes: number;
}

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
  readonly simulate: Simulate;
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
 * Makes a case that breaks an invariant as small as it can: fewer days, the shortest prefix of its strikes, fewer
 * faults, and single strikes left out. Null when it doesn't break it again at all.
 *
 * A strike left out changes what comes after it, so nothing is concluded: each smaller case is simulated.
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
  if (!(await search.fails(whole))) return null;
  const from = search.size;
  await search.shorten();
  await search.shortenStrikes();
  await search.dropFaults();
  await search.shortenStrikes();
  await search.dropStrikes();
  await search.shorten();
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

  /** Whether a part still breaks the invariant; then it is the best so far. */
  async fails(part: Part): Promise<boolean> {
    if (this.#isOver) return false;
    this.#replays += 1;
    const simulated = await this.#shrinking.simulate(caseOf(this.#case, part));
    const violation = simulated.violations.find(({ invariant }) => invariant === this.#invariant);
    if (violation !== undefined) {
      const kept = part.kept.filter((place) => place < simulated.totalStrikes);
      this.#best = { part: { ...part, kept }, violation, simulated };
    }
    if (this.#best !== null) this.#shrinking.tell(this.size, this.#replays);
    return violation !== undefined;
  }

  #failsWith(change: Partial<Part>): Promise<boolean> {
    return this.fails({ ...this.#failure.part, ...change });
  }

  async shorten(): Promise<void> {
    await fewest(1, this.#failure.part.days, (days) => this.#failsWith({ days }));
  }

  async shortenStrikes(): Promise<void> {
    const { kept } = this.#failure.part;
    await fewest(0, kept.length, (length) => this.#failsWith({ kept: kept.slice(0, length) }));
  }

  /** Only while the kept strikes are a prefix: without a fault the strikes have other places. */
  async dropFaults(): Promise<void> {
    const { part, simulated } = this.#failure;
    const struck = part.enabled.filter((name) => simulated.strikes[name] > 0);
    if (struck.length < part.enabled.length) await this.#failsWith({ enabled: struck });
    await smallest(
      () => this.#failure.part.enabled,
      (enabled) => this.#failsWith({ enabled }),
    );
  }

  async dropStrikes(): Promise<void> {
    await smallest(
      () => this.#failure.part.kept,
      (kept) => this.#failsWith({ kept }),
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

function caseOf(one: Case, { days, enabled, kept }: Part): Case {
  return { ...one, days, plan: planOf(new Set(enabled), kept) };
}

/** Bisects for the least number that fails; the greatest is known to. */
async function fewest(
  least: number,
  greatest: number,
  fails: (count: number) => Promise<boolean>,
): Promise<void> {
  let [low, high] = [least, greatest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await fails(middle)) high = middle;
    else low = middle + 1;
  }
}

/** Leaves out all, then halves, quarters, … single ones, the last first. `current`: what is left of them. */
async function smallest<T>(
  current: () => readonly T[],
  fails: (fewer: readonly T[]) => Promise<boolean>,
): Promise<void> {
  if (current().length === 0 || (await fails([]))) return;
  for (let size = Math.ceil(current().length / 2); ; size = Math.ceil(size / 2)) {
    for (let end = current().length; end > 0; end -= size) {
      const left = current();
      const fewer = [...left.slice(0, Math.max(0, end - size)), ...left.slice(end)];
      if (fewer.length > 0 && fewer.length < left.length) await fails(fewer);
    }
    if (size === 1) return;
  }
}
