import type { JobState } from '../job-state.ts';
import { day, hour } from '../time.ts';
import { dayOf } from './utc-day.ts';

/** A day is looked at so long after its end: by then nearly all runs have ended that began before it. */
const settleMs = hour;
/** Where no day was closed yet, and the job is older, those of before are left as they are. */
const mostBackMs = 90 * day;

/** How far the days of a job are. `settled`: up to here each fire of it has its record. */
interface Standing {
  readonly state: JobState;
  readonly settled: number;
}

/** Days that are to be closed, and come before the one that is next: they were open when it was their turn, or were opened again. */
export function openDaysOf({ state: { closedUntil, openDays = [] }, settled }: Standing): number[] {
  if (closedUntil === undefined) return [];
  return openDays.filter((first) => first < closedUntil && isSettled(first, settled));
}

/**
 * The day that is next, if its time has come; null: it has not. `since`: when the job's first schedule took force; asked for
 * only where none of its days was closed yet.
 */
export function nextDayOf({ state, settled }: Standing, since: number): number | null {
  const next = state.closedUntil ?? Math.max(dayOf(since), dayOf(settled - mostBackMs));
  return isSettled(next, settled) && !isGone(state, next) ? next : null;
}

/** Whether any of a job's days may be due: what costs no request to know. */
export function mayHaveDays(standing: Standing): boolean {
  const { specChanged, specSince } = standing.state;
  return openDaysOf(standing).length > 0 || nextDayOf(standing, specChanged ? 0 : specSince) !== null;
}

function isSettled(first: number, settled: number): boolean {
  return first + day + settleMs <= settled;
}

/** The job was removed before that day, which has none of its fires then. */
function isGone({ specId, specSince }: JobState, first: number): boolean {
  return specId === undefined && specSince <= first;
}
