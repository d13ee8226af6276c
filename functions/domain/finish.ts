import { leavePools } from './holds.ts';
import type { Answer, Effect, RunChange } from './ledger.ts';
import { runId } from './names.ts';
import type { CancelRequest, Run, RunError } from './run.ts';

/** How a handler ended. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly result?: unknown; readonly resultDropped?: number }
  | { readonly kind: 'failed'; readonly error: RunError }
  | { readonly kind: 'timed-out'; readonly error: RunError }
  | { readonly kind: 'canceled'; readonly error: RunError; readonly request: CancelRequest };

/** The attempt's last write: its outcome, the slot and the holds given back, the job's tallies. */
export function decideFinish(
  run: Pick<Run, 'state' | 'fireTime' | 'hasSlot' | 'holds'>,
  { outcome, attempt, now }: { outcome: Outcome; attempt: number; now: number },
): { change: RunChange; effect: Effect } {
  const settle = { number: attempt, settledAt: now, outcome: outcome.kind };
  const given = givenBack(run);
  if (outcome.kind === 'succeeded') {
    const { kind: _kind, ...kept } = outcome;
    return {
      change: {
        set: { state: 'succeeded', hasSlot: false, settledAt: now, ...kept },
        clear: notOpenAnyMore,
        settle,
      },
      effect: {
        ...given,
        set: { lastSuccess: { fireTime: run.fireTime, settledAt: now }, failuresInARow: 0 },
      },
    };
  }
  const ended = { hasSlot: false, settledAt: now, error: outcome.error } as const;
  if (outcome.kind === 'canceled') {
    const set = { state: 'canceled', ...ended, ...canceledFor(outcome.request) } as const;
    return { change: { set, clear: notOpenAnyMore, settle }, effect: given };
  }
  const reason = outcome.kind === 'timed-out' ? 'timed-out' : 'error';
  return {
    change: { set: { state: 'failed', reason, ...ended }, clear: notOpenAnyMore, settle },
    effect: { ...given, addFailureInARow: true },
  };
}

/** Somebody who waits for the slot or a pool is to be told: then it is written once more, without the requirements. */
function givenBack(run: Pick<Run, 'state' | 'hasSlot' | 'holds'>): Effect {
  const pools = leavePools(run).map((one) => ({ ...one, require: { unwaited: true } as const }));
  return {
    ...(run.hasSlot && { slot: 'free', require: { unqueued: true } }),
    ...(pools.length > 0 && { pools }),
  };
}

/** Why a run was canceled, as its record says it. */
export function canceledFor({ reason, by }: CancelRequest): Pick<Run, 'reason' | 'supersededBy'> {
  return { reason, ...(reason === 'superseded' && { supersededBy: by }) };
}

/** What an open run carries and a settled one does not. */
export const notOpenAnyMore = ['attentionAt', 'suspected'] as const;

/**
 * A handler that ignores its abort may still be writing. Its run is marked, and keeps state, slot and lease until nobody
 * can be alive; the reconciler settles it then.
 */
export function markTimedOut(now: number, error: RunError): RunChange {
  return { set: { state: 'running', timedOutAt: now, error } };
}

/** The same finish, though others wait for the slot or a pool: whoever writes it has to tell of it. */
export function thoughOthersWait({ require: _unqueued, pools, ...effect }: Effect): Effect {
  const given = pools?.map(({ require: _unwaited, ...pool }) => pool);
  return given === undefined ? effect : { ...effect, pools: given };
}

/**
 * What a finish came to. `others-wait`: nothing was written, since others wait for the slot or a pool. `lost`: the run was taken
 * over or settled by somebody else; this attempt's outcome counts for nothing and must not be written any other way.
 * Whoever takes over replaces the token, so a settled record with this token is this attempt's own, whose answer was lost.
 */
export function finishedOrLost(
  answer: Answer,
  ours: Pick<Run, 'jobId' | 'key' | 'token'>,
): 'finished' | 'lost' | 'conflict' | 'others-wait' {
  if (answer.kind === 'done') return 'finished';
  if (answer.kind === 'conflict') return 'conflict';
  const { run } = answer;
  if (run === undefined && othersWait(answer, ours)) return 'others-wait';
  return run?.token === ours.token && run.settledAt !== undefined ? 'finished' : 'lost';
}

/** Slot and holds are this run's, so that nothing else can have stood in the way. */
function othersWait(
  { job, pools = {} }: Extract<Answer, { kind: 'refused' }>,
  ours: Pick<Run, 'jobId' | 'key'>,
): boolean {
  const isQueued = job === undefined || (job?.slot === ours.key && job.queued > 0);
  return (
    isQueued && Object.values(pools).every((pool) => pool && pool.waiting > 0 && pool.holds[runId(ours)])
  );
}
