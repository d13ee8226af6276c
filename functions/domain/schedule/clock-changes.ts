import { DAY, formatLocal } from './calendar.ts';
import type { Schedule, Spec } from './schedule.ts';
import { dstOf, type Timetable, timetable } from './timetable.ts';
import { type OffsetChange, offsetChanges } from './zone.ts';

/** A local time that a spec names and that the wall skips, or shows twice, when the clocks change. */
export interface DoubtfulTime {
  /** `2027-03-28T02:30:00` */
  readonly local: string;
  /** When it is due all the same, in epoch milliseconds: never, once or twice. */
  readonly due: readonly number[];
}

/** A change of the zone's offset, and what it does to a spec's fires. Forward where `after` is more than `before`. */
export interface ClockChange extends OffsetChange {
  /** Ascending; empty when the change touches no fire. */
  readonly times: readonly DoubtfulTime[];
}

/**
 * The changes of the clocks from `from` to `to`, both included.
 *
 * @throws ScheduleError when the spec can't be followed
 */
export function clockChanges(spec: Spec, from: number, to: number): ClockChange[] {
  return offsetChanges(spec.timezone, from, to).map((change) => ({
    ...change,
    times: timesOf(change, spec),
  }));
}

function timesOf(change: OffsetChange, spec: Spec): DoubtfulTime[] {
  const { at, before, after } = change;
  const [low, high] = [at + Math.min(before, after), at + Math.max(before, after)];
  const due = new Map<number, Set<number>>();
  for (const schedule of spec.schedules) {
    if (schedule.kind !== 'cron' && schedule.kind !== 'at') continue;
    const alone: Spec = { ...spec, schedules: [schedule] };
    const instants = timetable(alone);
    // On the wall of UTC nothing is skipped or repeated: the times as they are named.
    for (const wall of timetable({ ...alone, timezone: 'UTC' }).between(low - 1, high - 1)) {
      const known = due.get(wall) ?? new Set();
      for (const instant of instantsOf(wall, change, { schedule, spec, instants })) known.add(instant);
      due.set(wall, known);
    }
  }
  return [...due]
    .sort(([one], [other]) => one - other)
    .map(([wall, instants]) => ({ local: formatLocal(wall), due: [...instants].sort((a, b) => a - b) }));
}

function instantsOf(
  wall: number,
  { at, before, after }: OffsetChange,
  { schedule, spec, instants }: { schedule: Schedule; spec: Spec; instants: Timetable },
): number[] {
  if (after < before) return [wall - before, wall - after].filter((instant) => instants.has(instant));
  return dstOf(schedule, spec).gap === 'next' && instants.has(at) ? [at] : [];
}

/** No change of an offset repeats a longer time. */
const longestRepeat = DAY;

/** Which of the two a fire is, where the wall shows its local time twice; null elsewhere. */
export function showing(fire: number, timezone: string): 'first' | 'second' | null {
  for (const { at, before, after } of offsetChanges(timezone, fire - longestRepeat, fire + longestRepeat)) {
    if (fire < at && fire + before >= at + after) return 'first';
    if (fire >= at && fire + after < at + before) return 'second';
  }
  return null;
}
