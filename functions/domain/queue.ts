import type { DueFire } from './catch-up.ts';
import { leavePools } from './holds.ts';
import type { Effect, Move } from './ledger.ts';
import { type ManifestJob, queues, takesSlot } from './manifest.ts';
import { fireKey } from './names.ts';
import { newRun, type Run, waitingForSlot, waitsAfter } from './run.ts';

/** How many fires may wait for their job's slot, unless the job says so itself. */
const usualMostQueued = 100;

/**
 * A fire that found its job's slot taken, or others waiting for it: it waits behind them, and the reconciler admits it.
 * What else must hold of its job is what a start requires, but for the slot.
 */
export function queuedRun(
  fire: DueFire,
  { require: { unqueued: _behindThem, ...require } = {} }: Effect,
  { token, now }: { token: string; now: number },
): { run: Run; effect: Effect } {
  const run = newRun({
    ...fire,
    key: fireKey(fire.fireTime),
    trigger: 'schedule',
    ...waitingForSlot(fire, now),
    token,
    createdAt: now,
  });
  return { run, effect: { require, addQueued: 1 } };
}

/** A run that waits for its job's slot, and is counted there. */
export function isQueued({ state, reason }: Pick<Run, 'state' | 'reason'>): boolean {
  return state === 'waiting' && reason === 'slot';
}

/** A run that waits no longer, and never runs. */
export interface Dropped {
  readonly run: Run;
  readonly reason: 'superseded' | 'waited-too-long';
}

/**
 * The waiting runs of a job that are not going to run: those that have waited longer than they may, for slot and pools
 * together, and of the fires in its queue the oldest that are too many. What a person, a crash or a pause has put there stays.
 */
export function droppedFromQueue(
  job: Pick<ManifestJob, 'overlap' | 'maxQueued' | 'maxWaitMs'>,
  waiting: readonly Run[],
  now: number,
): Dropped[] {
  const { maxWaitMs = Number.POSITIVE_INFINITY } = job;
  const fires = waiting.filter(isUnoffered).sort((a, b) => a.fireTime - b.fireTime);
  const tooLong = fires.filter(({ createdAt }) => now - createdAt > maxWaitMs);
  const counts = (run: Run) => isQueued(run) || !takesSlot(job);
  const left = fires.filter((run) => counts(run) && !tooLong.includes(run));
  const tooMany = left.slice(0, Math.max(0, left.length - mostQueued(job)));
  return [
    ...tooLong.map((run) => ({ run, reason: 'waited-too-long' }) as const),
    ...tooMany.map((run) => ({ run, reason: 'superseded' }) as const),
  ];
}

/** A fire that waits for slot or pools, and that nothing has tried to start yet. */
function isUnoffered(run: Run): boolean {
  const isWanted = run.attempts.length > 0 || run.reoffers > 0 || run.requested !== undefined;
  return run.reason !== 'catch-up' && run.trigger === 'schedule' && !isWanted;
}

/**
 * How many fires of a job may wait: for its slot or, where it has none, for pools. Once it queues no more, what still waits
 * for the slot runs.
 */
export function mostQueued(job: Pick<ManifestJob, 'overlap' | 'maxQueued'>): number {
  if (!takesSlot(job)) return usualMostQueued;
  if (!queues(job)) return Number.POSITIVE_INFINITY;
  return job.overlap === 'queue' ? (job.maxQueued ?? usualMostQueued) : 1;
}

/** The record of a run that waits no longer, and never runs. */
export function drop({ run, reason }: Dropped, { token, now }: { token: string; now: number }): Move {
  return {
    fence: { state: 'waiting', token: run.token },
    change: {
      set: { state: 'skipped', reason, token, settledAt: now, hasSlot: false, ...waitsAfter(run, now) },
      clear: ['attentionAt'],
    },
    effect: leaving(run),
  };
}

/** What a waiting run leaves behind that is not going to run: its place in the queue, or its slot and its places at pools. */
export function leaving(run: Run): Effect {
  const pools = leavePools(run);
  return {
    ...(run.hasSlot && { slot: 'free' }),
    ...(isQueued(run) && { addQueued: -1 }),
    ...(pools.length > 0 && { pools }),
  };
}
