import type { JobState, Pause } from '../domain/job-state.ts';
import { beganAt, isOver, pausedBy } from '../domain/pause.ts';
import { toIso } from '../domain/time.ts';
import { type Operator, Refused } from './ports.ts';

/**
 * Pauses a job: its fires are recorded as skipped until it is resumed, what waits waits on, and what runs ends as usual. Another
 * pause takes the place of the one that there is, and goes on from its beginning.
 *
 * @throws Refused when nothing was written
 */
export async function pause(
  { ledger, clock, by }: Operator,
  jobId: string,
  { note = '', until }: { readonly note?: string; readonly until?: number } = {},
): Promise<Pause> {
  const at = clock();
  if (until !== undefined && until <= at)
    throw new Refused(`a pause until ${toIso(until)} would be over already; say a time that is yet to come`);
  const before = (await ledger.job(jobId))?.paused;
  const since = before && !isOver(before, at) ? { since: beganAt(before) } : {};
  const paused = { at, by, note, ...(until !== undefined && { until }), ...since };
  if (!(await ledger.setPause(jobId, paused, { action: pausedBy(jobId, paused) }))) throw unknown(jobId);
  return paused;
}

/**
 * Ends a job's pause; the pause that it was, from its beginning.
 *
 * @throws Refused when nothing was written
 */
export async function resume(
  { ledger, clock, by, nudge }: Operator,
  jobId: string,
  { note }: { readonly note?: string } = {},
): Promise<Pause> {
  const state: JobState | null = await ledger.job(jobId);
  if (state === null) throw unknown(jobId);
  const { paused } = state;
  if (paused === undefined) throw new Refused(`${jobId} is not paused`);
  const said = note === undefined ? {} : { note };
  const isEnded = await ledger.setPause(jobId, null, {
    require: { pausedAt: paused.at },
    action: { at: clock(), by, verb: 'resume', jobId, ...said },
  });
  if (!isEnded) throw new Refused(`${jobId} was paused or resumed by somebody else just now; look again`);
  await nudge(`${jobId} was resumed`);
  const { since: _sooner, ...was } = paused;
  return { ...was, at: beganAt(paused) };
}

function unknown(jobId: string): Refused {
  return new Refused(`the ledger does not know ${jobId} yet: the reconciler's next sweep writes it`);
}
