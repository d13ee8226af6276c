import type { Run } from '../run.ts';
import { staysOf, weightIn } from './holding.ts';
import { commonMs, type Span } from './span.ts';
import { aliveWhile, meteredNames, meteredUnits, sumOfKnown, usedDuring } from './usage.ts';

/** What somebody used of a shared thing, and how much of what all together did: 0 to 1. */
export interface Share {
  readonly amount: number;
  readonly share: number;
}

/** Another run that was alive while the run in question was. */
export interface Overlap {
  readonly run: Run;
  /** For how long, in milliseconds. */
  readonly ms: number;
  /** Names of pools, or of what is metered, that both have to do with. */
  readonly inCommon: readonly string[];
  /** It has attempts of which nobody knows what they used: they crashed, or still run. */
  readonly isUnmeasured: boolean;
  /** Nothing is known to be in common, but of one of both jobs no bill is, so that nobody knows what it has to do with. */
  readonly mayShare: boolean;
}

/** What a job has to do with: what its runs were seen to hold, or to meter. */
interface Touch {
  readonly names: Set<string>;
  /** There is a bill that tells. */
  isKnown: boolean;
}

/** By the job's id. */
export type Touched = ReadonlyMap<string, Readonly<Touch>>;

export function touchedBy(runs: readonly Run[]): Touched {
  const touched = new Map<string, Touch>();
  for (const run of runs) {
    const touch = touched.get(run.jobId) ?? { names: new Set(), isKnown: false };
    for (const name of [...Object.keys(run.holds ?? {}), ...meteredNames(run)]) touch.names.add(name);
    touch.isKnown ||= run.attempts.some(({ bill }) => bill !== undefined);
    touched.set(run.jobId, touch);
  }
  return touched;
}

const untouched: Touch = { names: new Set(), isKnown: false };

/** One of them might turn out to have to do with what the other has. */
function mayShare(one: Touch, other: Touch): boolean {
  if (one.isKnown && other.isKnown) return false;
  return ![one, other].some(({ isKnown, names }) => isKnown && names.size === 0);
}

/** When a run's code ran, or may have. */
export function aliveSpans({ attempts }: Pick<Run, 'attempts'>, now: number): Span[] {
  return attempts.map((attempt) => aliveWhile(attempt, now));
}

/** The runs that were alive while `run` was; those that have something in common with it first, then the longest. */
export function overlapsOf(
  run: Run,
  { others, touched, now }: { others: readonly Run[]; touched: Touched; now: number },
): Overlap[] {
  const alive = aliveSpans(run, now);
  const own = touched.get(run.jobId) ?? untouched;
  const overlaps = others.flatMap((other) => {
    if (other.jobId === run.jobId && other.key === run.key) return [];
    const beside = other.attempts.filter((attempt) => commonMs([aliveWhile(attempt, now)], alive) > 0);
    if (beside.length === 0) return [];
    const theirs = touched.get(other.jobId) ?? untouched;
    const inCommon = [...theirs.names].filter((name) => own.names.has(name));
    return [
      {
        run: other,
        ms: commonMs(aliveSpans(other, now), alive),
        inCommon,
        isUnmeasured: beside.some(({ bill }) => bill === undefined),
        mayShare: inCommon.length === 0 && mayShare(own, theirs),
      },
    ];
  });
  return overlaps.sort((a, b) => b.inCommon.length - a.inCommon.length || b.ms - a.ms);
}

/** How a run and those beside it shared one unit of what is metered under a name, while it was alive. */
export interface Shared {
  readonly name: string;
  readonly unit: string;
  /** Of the run and all beside it together. */
  readonly total: number;
  /** Of the run itself; null where nobody knows. */
  readonly own: number | null;
  /** Who used any of it, the most first. */
  readonly used: readonly (Share & { readonly run: Run })[];
}

/** Of everything that a run has in common with others, how much each was measured to use, by unit. Without what nobody used. */
export function sharedUse(run: Run, overlaps: readonly Overlap[], now: number): Shared[] {
  const names = [...new Set(overlaps.flatMap(({ inCommon }) => inCommon))].sort();
  const attempts = [run, ...overlaps.map((overlap) => overlap.run)].flatMap((one) => one.attempts);
  return names.flatMap((name) =>
    meteredUnits(attempts, name)
      .map((unit) => sharesOf({ name, unit }, { run, overlaps, now }))
      .filter(({ total }) => total > 0),
  );
}

function sharesOf(
  { name, unit }: Pick<Shared, 'name' | 'unit'>,
  { run, overlaps, now }: { run: Run; overlaps: readonly Overlap[]; now: number },
): Shared {
  const during = aliveSpans(run, now);
  const amountOf = ({ attempts }: Run) =>
    sumOfKnown(
      attempts.map((attempt) => usedDuring(attempt, { of: 'metered', name, unit }, { during, now })),
    );
  const own = amountOf(run);
  const amounts = overlaps.map((overlap) => ({ run: overlap.run, amount: amountOf(overlap.run) ?? 0 }));
  const total = amounts.reduce((all, { amount }) => all + amount, own ?? 0);
  const used = amounts
    .filter(({ amount }) => amount > 0)
    .map((one) => ({ ...one, share: one.amount / total }))
    .sort((a, b) => b.amount - a.amount);
  return { name, unit, total, own, used };
}

/** What of a pool's capacity, over the time that `run` was alive, another run held: 0 to 1. */
export function shareHeld(
  run: Run,
  other: Run,
  { pool, capacity, now }: { pool: string; capacity: number; now: number },
): number {
  const alive = aliveSpans(run, now);
  const all = commonMs(alive, alive) * capacity;
  return all === 0 ? 0 : (weightIn(other, pool) * commonMs(staysOf(other, now), alive)) / all;
}
