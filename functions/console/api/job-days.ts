import type { Run, RunState } from '../../domain/run.ts';
import { localTime } from '../../domain/schedule/index.ts';
import { day } from '../../domain/time.ts';
import type { JobDay } from '../data.ts';

/** So many local days are shown, today included. */
export const shownDays = 90;

/**
 * What became of a job's fires on each of its last local days, oldest first. `newestFirst`: its runs; `isCut`: not all of that time, so
 * that the days before its oldest one are left out: nobody has counted them.
 */
export function daysOf(
  newestFirst: readonly Run[],
  { timezone, now, isCut }: { timezone: string; now: number; isCut: boolean },
): JobDay[] {
  const dateOf = (instant: number) => localTime(instant, timezone).slice(0, 10);
  const counts = new Map<string, Partial<Record<RunState, number>>>();
  for (const { fireTime, state } of newestFirst) {
    const date = dateOf(fireTime);
    const ofDay = counts.get(date) ?? {};
    ofDay[state] = (ofDay[state] ?? 0) + 1;
    counts.set(date, ofDay);
  }
  const oldest = newestFirst.at(-1);
  // Of the oldest day only a part may have been read.
  const after = isCut && oldest !== undefined ? dateOf(oldest.fireTime) : '';
  return lastDates(dateOf(now))
    .filter((date) => date > after)
    .map((date) => ({ date, counts: counts.get(date) ?? {} }));
}

function lastDates(today: string): string[] {
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(noon - (shownDays - 1 - index) * day).toISOString().slice(0, 10),
  );
}
