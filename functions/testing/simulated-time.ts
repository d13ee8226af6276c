import type { JobEntry } from '../domain/manifest.ts';
import { clockChanges, type Spec, type Timetable } from '../domain/schedule/index.ts';
import { day, hour, toIso } from '../domain/time.ts';
import type { Random } from '../simulator/random.ts';
import type { Span } from '../simulator/scenario.ts';

/** Clocks change in it as in any; it never becomes another one. */
const year = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) } as const;

/**
 * When a simulation of so many days begins and ends: as given, or as drawn, often on the eve of a day on which the clocks
 * of the job's zone change, and so that it is due in it.
 *
 * @throws when it is not due in it
 */
export function spanOf(
  { id, spec }: JobEntry,
  timetable: Timetable,
  { from, days, random }: { from: number | null; days: number; random: Random },
): Span {
  const begins = from ?? drawBeginning(spec, timetable, { days, random });
  const span = { from: begins, to: begins + days * day };
  const next = timetable.next(begins);
  if (next !== null && next < span.to) return span;
  const when = next === null ? 'and never after' : `its next fire is ${toIso(next)}`;
  throw new Error(`${id} is not due from ${toIso(span.from)} to ${toIso(span.to)}, ${when}`);
}

function drawBeginning(
  spec: Spec,
  timetable: Timetable,
  { days, random }: { days: number; random: Random },
): number {
  const changes = clockChanges({ ...spec, schedules: [] }, year.from, year.to);
  const date =
    changes.length > 0 && random.chance(0.6)
      ? random.pick(changes).at - day
      : random.whole(year.from, year.to - day);
  const begins = Math.floor(date / day) * day;
  const next = timetable.next(begins);
  return next === null || next < begins + days * day ? begins : Math.floor(next / hour) * hour - 6 * hour;
}
