import type { Run, RunState } from '../../domain/run.ts';
import { localTime } from '../../domain/schedule/index.ts';
import { day, minute } from '../../domain/time.ts';
import type { JobDay } from '../data.ts';

/** So many local days are shown, today included. */
export const shownDays = 90;

/**
 * What became of a job's fires on each of its last local days, oldest first. `countedFrom`: those of before were not all read, so that
 * their days are left out: nobody has counted them. Null: all were.
 */
export function daysOf(
  runs: readonly Pick<Run, 'fireTime' | 'state'>[],
  { timezone, now, countedFrom }: { timezone: string; now: number; countedFrom: number | null },
): JobDay[] {
  const dateOf = localDates(timezone);
  const counts = new Map<string, Partial<Record<RunState, number>>>();
  for (const { fireTime, state } of runs) {
    const date = dateOf(fireTime);
    const ofDay = counts.get(date) ?? {};
    ofDay[state] = (ofDay[state] ?? 0) + 1;
    counts.set(date, ofDay);
  }
  // Of that day only a part may have been read.
  const after = countedFrom === null ? '' : dateOf(countedFrom);
  return lastDates(dateOf(now))
    .filter((date) => date > after)
    .map((date) => ({ date, counts: counts.get(date) ?? {} }));
}

/** No zone's day begins within a quarter of an hour, so each quarter is asked about once. */
function localDates(timezone: string): (instant: number) => string {
  const known = new Map<number, string>();
  return (instant) => {
    const quarter = Math.floor(instant / (15 * minute));
    const date = known.get(quarter) ?? localTime(instant, timezone).slice(0, 10);
    known.set(quarter, date);
    return date;
  };
}

function lastDates(today: string): string[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(noon - (shownDays - 1 - index) * day).toISOString().slice(0, 10),
  );
}
