import { isDeepStrictEqual } from 'node:util';
import type { DayFence } from '../domain/closed-days/index.ts';
import type { JobState } from '../domain/job-state.ts';
import type { Effect, PoolEffect, RunChange } from '../domain/ledger.ts';
import { type RunRef, runId } from '../domain/names.ts';
import type { PoolState } from '../domain/pools.ts';
import type { Attempt, Run } from '../domain/run.ts';

/** The run after a move. */
export function movedRun(run: Run, { set, clear = [], attempt, settle, measured }: RunChange): Run {
  const attempts = attempt === undefined ? run.attempts : [...run.attempts, attempt];
  const moved = {
    ...run,
    ...set,
    attempts: [settle, measured].reduce((all, end) => withEnd(run, all, end), attempts),
  };
  for (const name of clear) delete moved[name];
  return moved;
}

function withEnd(
  ref: RunRef,
  attempts: readonly Attempt[],
  of: RunChange['settle' | 'measured'],
): readonly Attempt[] {
  if (of === undefined) return attempts;
  const { number, ...end } = of;
  if (attempts[number - 1] === undefined)
    throw new Error(
      `Run ${runId(ref)} has ${attempts.length} attempts; attempt ${number} is none that could end.`,
    );
  return attempts.map((attempt, index) => (index === number - 1 ? { ...attempt, ...end } : attempt));
}

/** The state of its job after an effect by the run with this key; null when one of the effect's conditions fails. */
export function affectedJob(job: JobState | null, key: string, effect: Effect): JobState | null {
  if (job === null || !permits(job, key, effect)) return null;
  const { slot: owner, ...rest } = job;
  const slot = { take: key, free: undefined, keep: owner }[effect.slot ?? 'keep'];
  return {
    ...rest,
    ...(slot === undefined ? {} : { slot }),
    ...effect.set,
    ...(effect.addFailureInARow ? { failuresInARow: job.failuresInARow + 1 } : {}),
    ...(effect.addQueued === undefined ? {} : { queued: job.queued + effect.addQueued }),
    ...(effect.reopens === undefined ? {} : withOpenDay(job, effect.reopens.day)),
  };
}

/** The state of a job once one of its days was closed, or left; null when the fence doesn't hold. */
export function passedDay(
  job: JobState,
  day: number,
  { fence: { progress }, where }: { fence: DayFence; where: 'among-open' | 'unlisted' },
): JobState | null {
  if (progress !== undefined && (job.closedUntil ?? null) !== progress.before) return null;
  const { openDays: before, ...rest } = job;
  const openDays =
    where === 'among-open' ? withOpenDay(job, day).openDays : before?.filter((one) => one !== day);
  return {
    ...rest,
    ...(progress && { closedUntil: progress.after }),
    ...(openDays !== undefined && openDays.length > 0 && { openDays }),
  };
}

function withOpenDay({ openDays = [] }: JobState, day: number): Pick<JobState, 'openDays'> {
  return { openDays: [...new Set([...openDays, day])].sort((a, b) => a - b) };
}

function permits(job: JobState, key: string, { require = {}, slot }: Effect): boolean {
  if (require.unpaused && job.paused !== undefined) return false;
  if (require.specId !== undefined && job.specId !== require.specId) return false;
  if (require.inForceBefore !== undefined && job.specSince >= require.inForceBefore) return false;
  if (require.catchUp !== undefined && !isDeepStrictEqual(job.catchUp, require.catchUp)) return false;
  if (require.unqueued && job.queued > 0) return false;
  if (slot === 'take') return job.slot === undefined;
  return slot === undefined || job.slot === key;
}

/** The pool after an effect by the run with this id; null when one of the effect's conditions fails. */
export function affectedPool(pool: PoolState | null, run: string, effect: PoolEffect): PoolState | null {
  const { hold, require, addWaiting = 0 } = effect;
  if (pool === null || (require?.unwaited && pool.waiting > 0)) return null;
  const waiting = pool.waiting + addWaiting;
  if (hold === undefined) return { ...pool, waiting };
  const { [run]: held, ...holds } = pool.holds;
  if (hold.kind === 'free')
    return held === hold.weight ? { ...pool, waiting, holds, free: pool.free + hold.weight } : null;
  if (held !== undefined || pool.free < hold.weight) return null;
  return { ...pool, waiting, holds: { ...holds, [run]: hold.weight }, free: pool.free - hold.weight };
}
