import { type Action, ourselves } from './action.ts';
import type { JobState, Pause } from './job-state.ts';
import type { ManifestJob } from './manifest.ts';
import { runId } from './names.ts';
import type { Run } from './run.ts';
import { toIso } from './time.ts';

/** An error's message may be long, and its stack is on the run. */
const longestNote = 500;

/** Whether so many of a job's fires failed in a row that it is to be paused. */
export function failsTooOften(
  { pauseAfter }: Pick<ManifestJob, 'pauseAfter'>,
  { paused, failuresInARow }: Pick<JobState, 'paused' | 'failuresInARow'>,
): boolean {
  return pauseAfter !== undefined && paused === undefined && failuresInARow >= pauseAfter;
}

/** The pause of a job that fails too often. `last`: its newest failed run; null: none is on record any more. */
export function pauseAfterFailures(
  { failuresInARow }: Pick<JobState, 'failuresInARow'>,
  last: Run | null,
  now: number,
): Pause {
  const count = failuresInARow === 1 ? '1 failure' : `${failuresInARow} failures in a row`;
  const note = last === null ? count : `${count}, the last: ${runId(last)}: ${whatFailed(last)}`;
  return { at: now, by: ourselves, note: note.slice(0, longestNote).toWellFormed() };
}

/** The line of the log for it. */
export function pausedBy(jobId: string, { at, by, note, until }: Pause): Action {
  return {
    ...{ at, by, verb: 'pause', jobId },
    ...(note !== '' && { note }),
    ...(until !== undefined && { details: { until: toIso(until) } }),
  };
}

/** Since when a job is paused, however often that was said anew. */
export function beganAt({ at, since = at }: Pause): number {
  return since;
}

/** Whether a pause is over that was set for a time. */
export function isOver({ until }: Pause, now: number): boolean {
  return until !== undefined && until <= now;
}

function whatFailed({ error, reason }: Run): string {
  return error === undefined ? `${reason}` : `${error.name}: ${error.message}`;
}
