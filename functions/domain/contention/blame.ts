import type { Run } from '../run.ts';
import type { Overlap, Shared } from './overlap.ts';
import { outlying, quantityOf, type Unusual } from './unusual.ts';

/** So much of what was used a culprit must have used itself. */
const leastShare = 0.5;
/** So many times as much as the run that it harmed, and as the next, each for itself. */
const leastFactor = 2;
/** From so many earlier runs beside the same job on, their outcomes say something. */
const fewestTogether = 5;

/** Why nobody can be blamed. */
export type Doubt =
  /** No other run was alive at the time. */
  | 'alone'
  /** None of those that were has a pool, or anything metered, in common with it. */
  | 'nothing-in-common'
  /** They have, and none of them declared what it used. */
  | 'nothing-measured'
  /** Of one that has, or may have, or of the run itself, nobody knows what it used: it crashed, or still runs. */
  | 'not-all-measured'
  /** Nobody used half of it, and twice as much as anybody else. */
  | 'no-margin'
  /** One did, no more than it is used to, and beside its runs this job has mostly succeeded. */
  | 'usual-company';

/** How earlier runs of a job came out that ran beside another job's, and the others. */
export interface Together {
  readonly beside: number;
  readonly besideFailed: number;
  readonly without: number;
  readonly withoutFailed: number;
}

export interface Suspect {
  readonly run: Run;
  readonly shared: Shared;
  readonly amount: number;
  readonly share: number;
  /** It used clearly more than its job is used to. */
  readonly unusual: Unusual | null;
  readonly together: Together | null;
}

/**
 * `itself`: what a culprit would have used of something, the run used itself. `suspect` in doubt: who else used the most of
 * anything, where somebody did.
 */
export type Verdict =
  | { readonly kind: 'culprit'; readonly suspect: Suspect }
  | { readonly kind: 'itself'; readonly shared: Shared }
  | {
      readonly kind: 'unclear';
      readonly because: Doubt;
      readonly suspect: Suspect | null;
      /** Of those that share something with it, or may, and of itself: those of which nobody knows what they used. */
      readonly unmeasured: readonly Run[];
    };

/** All that isn't known of what it used will be, when it ends: then its bill is written. */
export function isBillToCome({ state, attempts }: Pick<Run, 'state' | 'attempts'>): boolean {
  return state === 'running' && attempts.slice(0, -1).every(({ bill }) => bill !== undefined);
}

/** What is known of a suspect's job. */
export interface Background {
  /** The earlier successes of its job. */
  readonly earlier: readonly Run[];
  readonly together: Together | null;
}

/**
 * Who most likely made a run fail, or slow. The one that, while it was alive, used at least half of something that both have
 * to do with, and twice as much as the run itself and as anybody else; and only if of all who might have used it it is known
 * how much. Even so it's not blamed for what has mostly done no harm before.
 */
export function blame(
  run: Run,
  overlaps: readonly Overlap[],
  { shared, background, now }: { shared: readonly Shared[]; background: Background; now: number },
): Verdict {
  const found = mostSuspect(shared);
  const suspect = found && { ...found, ...judged(found, background, now) };
  const unmeasured = unmeasuredOf(run, overlaps, suspect?.shared.name);
  const unclear = (because: Doubt): Verdict => ({ kind: 'unclear', because, suspect, unmeasured });
  if (overlaps.length === 0) return unclear('alone');
  if (overlaps.every(({ inCommon, mayShare }) => inCommon.length === 0 && !mayShare))
    return unclear('nothing-in-common');
  if (unmeasured.length > 0) return unclear('not-all-measured');
  const itself = shared.find(isOwnDoing);
  if (suspect === null || !isClear(suspect)) {
    if (itself !== undefined) return { kind: 'itself', shared: itself };
    return unclear(suspect === null ? 'nothing-measured' : 'no-margin');
  }
  return isUsualCompany(suspect) ? unclear('usual-company') : { kind: 'culprit', suspect };
}

/** `name`: what is in question; undefined: whatever they share. */
function unmeasuredOf(run: Run, overlaps: readonly Overlap[], name: string | undefined): Run[] {
  const isConcerned = ({ inCommon, mayShare }: Overlap) =>
    mayShare || (name === undefined ? inCommon.length > 0 : inCommon.includes(name));
  const others = overlaps.filter((one) => one.isUnmeasured && isConcerned(one)).map((one) => one.run);
  return run.attempts.every(({ bill }) => bill !== undefined) ? others : [...others, run];
}

/** Who used the greatest part of anything that they share; of several things alike, of the first. */
export function mostSuspect(shared: readonly Shared[]): Omit<Suspect, 'unusual' | 'together'> | null {
  const firsts = shared.flatMap((of) => {
    const [first] = of.used;
    return first === undefined ? [] : [{ ...first, shared: of }];
  });
  const clear = firsts.filter(isClear);
  const from = clear.length > 0 ? clear : firsts;
  return from.reduce<(typeof from)[number] | null>(
    (most, one) => (most === null || one.share > most.share ? one : most),
    null,
  );
}

function judged(
  { run, shared: { name, unit } }: Pick<Suspect, 'run' | 'shared'>,
  { earlier, together }: Background,
  now: number,
): Pick<Suspect, 'unusual' | 'together'> {
  const quantity = { of: 'metered', name, unit } as const;
  const value = quantityOf(run, quantity, now);
  return { together, unusual: value === null ? null : outlying(value, { quantity, earlier, now }) };
}

function isClear({ amount, shared: { own, total, used } }: Pick<Suspect, 'amount' | 'shared'>): boolean {
  return isMargin(amount, { total, next: Math.max(own ?? 0, used[1]?.amount ?? 0) });
}

function isOwnDoing({ own, total, used }: Shared): boolean {
  return own !== null && isMargin(own, { total, next: used[0]?.amount ?? 0 });
}

function isMargin(amount: number, { total, next }: { total: number; next: number }): boolean {
  return amount >= leastShare * total && amount >= leastFactor * next;
}

function isUsualCompany({ unusual, together }: Suspect): boolean {
  if (unusual !== null || together === null || together.beside < fewestTogether) return false;
  return together.besideFailed * 2 < together.beside;
}
