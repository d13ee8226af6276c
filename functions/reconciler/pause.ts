import { ourselves } from '../domain/action.ts';
import type { JobState } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { failsTooOften, isOver, pauseAfterFailures, pausedBy } from '../domain/pause.ts';
import { neverNeedsAttention, type Run } from '../domain/run.ts';
import type { NoticeBoard } from './notice-board.ts';
import type { ReconcilerPorts } from './ports.ts';

/** So many of a job's newest runs are looked through for the one that failed last. */
const mostLookedAt = 100;

/** Pauses the jobs that failed as often in a row as they may. What can't be written is told, and tried again by the next turn. */
export async function pauseFailing(
  ports: ReconcilerPorts,
  jobs: readonly ManifestJob[],
  { now, board }: { now: number; board: NoticeBoard },
): Promise<void> {
  const bounded = jobs.filter(({ pauseAfter }) => pauseAfter !== undefined);
  if (bounded.length === 0) return;
  const states = await ports.ledger.jobs(bounded.map(({ id }) => id));
  for (const job of bounded) {
    const state = states.get(job.id);
    if (state === undefined || !failsTooOften(job, state)) continue;
    try {
      await pause(ports, job, { state, now, board });
    } catch (error) {
      ports.log.error('a job that fails too often could not be paused', { jobId: job.id, error });
    }
  }
}

/** Ends the pauses that were set for a time, unless a person has set another one since. */
export async function endPauses(
  { ledger, log }: ReconcilerPorts,
  states: readonly JobState[],
  now: number,
): Promise<void> {
  for (const { jobId, paused } of states) {
    if (paused === undefined || !isOver(paused, now)) continue;
    try {
      const action = { at: now, by: ourselves, verb: 'resume', jobId } as const;
      const isEnded = await ledger.setPause(jobId, null, { require: { pausedAt: paused.at }, action });
      if (isEnded) log.info('a pause is over, as it was set', { jobId, by: paused.by });
    } catch (error) {
      log.error('a pause that is over could not be ended', { jobId, error });
    }
  }
}

async function pause(
  { ledger, log }: ReconcilerPorts,
  { id: jobId, pauseAfter = 1 }: ManifestJob,
  { state, now, board }: { state: JobState; now: number; board: NoticeBoard },
): Promise<void> {
  const pause = pauseAfterFailures(state, await lastFailed(ledger, jobId), now);
  const isPaused = await ledger.setPause(jobId, pause, {
    require: { failuresInARow: pauseAfter },
    action: pausedBy(jobId, pause),
  });
  if (!isPaused) return;
  log.error('a job is paused: it failed too often', { jobId, note: pause.note });
  board.add({ kind: 'paused', jobId, pause });
}

async function lastFailed(ledger: ReconcilerPorts['ledger'], jobId: string): Promise<Run | null> {
  const newest = { from: 0, to: neverNeedsAttention, order: 'newest-first', limit: mostLookedAt } as const;
  let last: Run | null = null;
  for await (const run of ledger.history(jobId, newest))
    if (run.state === 'failed' && (run.settledAt ?? 0) > (last?.settledAt ?? 0)) last = run;
  return last;
}
