import { offsetAt, type Spec, type Timetable, timetable } from '../schedule/index.ts';
import { day } from '../time.ts';
import type { Interval } from '../watermark.ts';
import { listed } from './listed.ts';

/** A fire that is due at another time of the same date, as the wall of each version's zone shows it. */
export interface MovedFire {
  readonly from: number;
  readonly to: number;
}

export interface VanishedFire {
  readonly at: number;
  /** It stays due, and is excepted from now on. */
  readonly excluded?: true;
  /** Its time of that date under the new version, which is over: nothing is due for it any more. */
  readonly passed?: number;
}

export interface AppearedFire {
  readonly at: number;
  /** Its time of that date under the old version, which is over: it comes a second time. */
  readonly again?: number;
}

/** What another version of a job's schedule does to its fires. Excepted ones count as not due. Epoch milliseconds, ascending. */
export interface FireChanges {
  readonly moved: readonly MovedFire[];
  readonly vanished: readonly VanishedFire[];
  readonly appeared: readonly AppearedFire[];
  /** How many are due under both. */
  readonly kept: number;
  /** Up to where it could be told. */
  readonly until: number;
}

/** A date is over everywhere so much later: its fires of all zones are known. */
const marginMs = 3 * day;

/**
 * Compares the fires of two versions within a range; null: there is no such version. Where as many vanish as appear on
 * a date, they moved. At most `most` fires are looked at on each side; `until` says how far that led.
 *
 * @throws ScheduleError when a spec can't be followed
 */
export function compareFires(
  before: Spec | null,
  after: Spec | null,
  { range, most }: { range: Interval; most: number },
): FireChanges {
  const wide = { from: range.from - marginMs, to: range.to + marginMs };
  const [old, fresh] = [listed(before, wide, most), listed(after, wide, most)];
  const until = Math.min(range.to, old.until - marginMs, fresh.until - marginMs);
  const within = (at: number) => at > range.from && at <= until;
  const gone = [...old.fires].filter((at) => !fresh.fires.has(at));
  const come = [...fresh.fires].filter((at) => !old.fires.has(at));
  const pairs = pairsOf(byDate(gone, before), byDate(come, after));
  const newTimes = new Map(pairs.map(({ from, to }) => [from, to]));
  const oldTimes = new Map(pairs.map(({ from, to }) => [to, from]));
  const isDue = after === null ? null : timetable(after);
  return {
    moved: pairs.filter(({ from, to }) => within(Math.min(from, to))),
    vanished: gone.filter(within).flatMap((at) => vanished(at, newTimes.get(at), { range, isDue })),
    appeared: come.filter(within).flatMap((at) => appeared(at, oldTimes.get(at), range)),
    kept: [...old.fires].filter((at) => within(at) && fresh.fires.has(at)).length,
    until: Math.max(range.from, until),
  };
}

function vanished(
  at: number,
  passed: number | undefined,
  { range, isDue }: { range: Interval; isDue: Timetable | null },
): VanishedFire[] {
  if (passed !== undefined) return passed <= range.from ? [{ at, passed }] : [];
  return isDue?.has(at) ? [{ at, excluded: true }] : [{ at }];
}

function appeared(at: number, again: number | undefined, range: Interval): AppearedFire[] {
  if (again === undefined) return [{ at }];
  return again <= range.from ? [{ at, again }] : [];
}

/** By the number of the date that the wall shows. */
function byDate(fires: readonly number[], spec: Spec | null): Map<number, number[]> {
  const dates = new Map<number, number[]>();
  for (const at of spec === null ? [] : fires) {
    const date = Math.floor((at + offsetAt(at, spec?.timezone ?? 'UTC')) / day);
    const known = dates.get(date);
    if (known === undefined) dates.set(date, [at]);
    else known.push(at);
  }
  return dates;
}

function pairsOf(
  gone: ReadonlyMap<number, readonly number[]>,
  come: ReadonlyMap<number, readonly number[]>,
): MovedFire[] {
  return [...gone].flatMap(([date, from]) => {
    const to = come.get(date) ?? [];
    return from.length === to.length ? from.map((at, index) => ({ from: at, to: to[index] ?? at })) : [];
  });
}
