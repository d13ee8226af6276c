import { DAY } from './calendar.ts';
import type { Spec } from './schedule.ts';
import { type Timetable, timetable } from './timetable.ts';
import { offsetChanges, type ZoneRules, zoneOf } from './zone.ts';
import { recordedRules, type ZoneRecord } from './zone-record.ts';

/** A fire that is due at another instant than it was; null: it is not due any more, or was not before. */
export interface MovedFire {
  readonly from: number | null;
  readonly to: number | null;
}

/** So many fires are looked at on each side; those of a schedule that follows elapsed time hardly ever move. */
const mostLookedAt = 5_000;

/** At least one instant of a stretch has another offset than was recorded. Epoch milliseconds, `to` not included. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The fires from `now` to the end of a zone's record that its rules of today put at other instants, soonest first, at most
 * `most`. A time that the wall shows under both rules is one fire that moved.
 *
 * @throws ScheduleError when the spec can't be followed
 */
export function movedFires(
  spec: Spec,
  record: ZoneRecord,
  { now, most }: { now: number; most: number },
): MovedFire[] {
  const [then, today] = [recordedRules(record), zoneOf(spec.timezone)];
  const stretches = changedStretches(record, spec.timezone, now);
  if (stretches.length === 0) return [];
  const [old, fresh] = [timetable(spec, then), timetable(spec, today)];
  // More than is asked for, so that the last one that is told finds its other half.
  const look = { stretches, most: 2 * most };
  const gone = onlyIn(old, fresh, look);
  const come = new Map(onlyIn(fresh, old, look).map((fire) => [wallOf(fire, today), fire]));
  const moved = gone.map((from): MovedFire => {
    const wall = wallOf(from, then);
    const to = come.get(wall) ?? null;
    come.delete(wall);
    return { from, to };
  });
  return [...moved, ...[...come.values()].map((to): MovedFire => ({ from: null, to }))]
    .sort((a, b) => soonest(a) - soonest(b))
    .slice(0, most);
}

/** Where an offset differs from the recorded one; a day more on both sides, since a fire may have moved out of it. */
function changedStretches(record: ZoneRecord, timezone: string, now: number): Stretch[] {
  const [from, to] = [Math.max(record.from, now), record.to];
  const [then, today] = [recordedRules(record), zoneOf(timezone)];
  const changes = [...record.changes, ...offsetChanges(timezone, from, to).map(({ at }) => [at] as const)];
  const cuts = [...new Set([from, ...changes.map(([at]) => at).filter((at) => at > from && at < to), to])];
  cuts.sort((a, b) => a - b);
  const stretches: Stretch[] = [];
  for (const [index, cut] of cuts.slice(0, -1).entries()) {
    if (then.segmentAt(cut).offset === today.segmentAt(cut).offset) continue;
    const last = stretches.at(-1);
    const start = Math.max(from, cut - DAY);
    const end = Math.min(to, (cuts[index + 1] ?? to) + DAY);
    if (last !== undefined && start <= last.to)
      stretches[stretches.length - 1] = { from: last.from, to: end };
    else stretches.push({ from: start, to: end });
  }
  return stretches;
}

function onlyIn(
  one: Timetable,
  other: Timetable,
  { stretches, most }: { stretches: readonly Stretch[]; most: number },
): number[] {
  const found: number[] = [];
  let looked = 0;
  for (const { from, to } of stretches) {
    for (const fire of one.between(from, to - 1)) {
      looked += 1;
      if (found.length >= most || looked > mostLookedAt) return found;
      if (!other.has(fire)) found.push(fire);
    }
  }
  return found;
}

function wallOf(fire: number, rules: ZoneRules): number {
  return fire + rules.segmentAt(fire).offset;
}

function soonest({ from, to }: MovedFire): number {
  return Math.min(from ?? Number.POSITIVE_INFINITY, to ?? Number.POSITIVE_INFINITY);
}
