import type { KnownJob } from '../../cli/known-jobs.ts';
import { why } from '../../cli/render/run-words.ts';
import { localText } from '../../cli/render/times.ts';
import type { JobState } from '../../domain/job-state.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { toIso } from '../../domain/time.ts';
import type { Iso, NextFire, RunBrief } from '../data.ts';

/** A run as lists have it. */
export function briefOf(run: Run, job: KnownJob): RunBrief {
  const { jobId, fireTime, state, reason, trigger, attempts, settledAt, progress } = run;
  return {
    ...{ id: runId(run), jobId, fireTime: toIso(fireTime), state, reason: reason ?? null, trigger },
    startedAt: isoOr(attempts[0]?.startedAt),
    settledAt: isoOr(settledAt),
    tookMs: spanOf(attempts[0]?.startedAt, settledAt),
    attempts: attempts.length,
    why: why(run, job),
    progress: progress
      ? { done: progress.done, total: progress.total ?? null, note: progress.note ?? null }
      : null,
  };
}

/** Null where it has not begun, or not ended. */
function spanOf(from: number | undefined, to: number | undefined): number | null {
  return from === undefined || to === undefined ? null : to - from;
}

/** Null for an instant that there isn't. */
export function isoOr(instant: number | undefined): Iso | null {
  return instant === undefined ? null : toIso(instant);
}

export function nextFireOf(
  { id, timezone }: Pick<KnownJob, 'id' | 'timezone'>,
  at: number,
  state: Pick<JobState, 'paused'> | null | undefined,
): NextFire {
  return { jobId: id, at: toIso(at), local: localText(at, timezone), paused: isPausedAt(at, state) };
}

/** A pause may be over by then. */
function isPausedAt(at: number, state: Pick<JobState, 'paused'> | null | undefined): boolean {
  const paused = state?.paused;
  return paused !== undefined && (paused.until === undefined || at < paused.until);
}
