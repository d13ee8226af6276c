import { leavePools } from './holds.ts';
import type { Answer, Effect, RunChange } from './ledger.ts';
import type { RetryPolicy } from './manifest.ts';
import { runId } from './names.ts';
import { type Again, pauseBeforeRetry } from './retry.ts';
import { type CancelRequest, neverNeedsAttention, type Run, type RunError } from './run.ts';

/** How a handler ended. */
export type Outcome =
  | ({ readonly kind: 'succeeded' } & Pick<Run, 'result' | 'resultTrimmed'>)
  | { readonly kind: 'failed'; readonly error: RunError; readonly again?: Again }
  | { readonly kind: 'timed-out'; readonly error: RunError }
  | { readonly kind: 'canceled'; readonly error: RunError; readonly request: CancelRequest }
  /** It wants to go on in another attempt, from this cursor. */
  | { readonly kind: 'continued'; readonly cursor?: unknown }
  /** Nobody knows whether this step of it was done; a person must say. */
  | { readonly kind: 'uncertain'; readonly step: string; readonly error: RunError };

type Ended = Pick<Run, 'state' | 'fireTime' | 'hasSlot' | 'holds' | 'failures' | 'hops'>;

/** The last write of an attempt. */
export interface LastWrite {
  readonly change: RunChange;
  /** Empty where the run keeps all that it has. */
  readonly effect: Effect;
}

interface Ending {
  readonly outcome: Outcome;
  /** The attempt's number. */
  readonly attempt: number;
  readonly now: number;
  /** Absent: it isn't tried again. `random`: at least 0, below 1. */
  readonly retry?: { readonly policy: RetryPolicy | undefined; readonly random: number };
}

/**
 * The attempt's last write: its outcome. A run that ends gives slot and holds back; one that is to be tried again keeps its
 * slot, and one that goes on keeps both.
 */
export function decideFinish(run: Ended, ending: Ending): LastWrite {
  const { outcome, attempt, now } = ending;
  const attemptOutcome = outcome.kind === 'uncertain' ? 'failed' : outcome.kind;
  const settle = { number: attempt, settledAt: now, outcome: attemptOutcome } as const;
  switch (outcome.kind) {
    case 'succeeded':
      return succeeded(run, { outcome, now, settle });
    case 'continued':
      return { change: { ...goOn(run, outcome.cursor, now), settle }, effect: {} };
    case 'uncertain':
      return { change: { ...park(outcome), settle }, effect: givenBack(run) };
    case 'canceled':
      return { change: { ...cancel(outcome, now), settle }, effect: givenBack(run) };
    case 'failed':
    case 'timed-out': {
      const again = afterFailure(run, { ...ending, outcome });
      return { ...again, change: { ...again.change, settle } };
    }
  }
}

type Failure = Extract<Outcome, { kind: 'failed' | 'timed-out' }>;

/** What becomes of a run whose attempt failed or ran out of time: it is tried again, or has failed for good. */
export function afterFailure(
  run: Ended,
  { outcome, now, retry }: Omit<Ending, 'outcome' | 'attempt'> & { outcome: Failure },
): LastWrite {
  const reason = outcome.kind === 'timed-out' ? 'timed-out' : 'error';
  const failed = { reason, error: outcome.error, failures: (run.failures ?? 0) + 1 } as const;
  const again = outcome.kind === 'failed' ? outcome.again : undefined;
  const pauseMs = retry === undefined ? null : pauseBeforeRetry(run, { ...retry, again });
  if (pauseMs === null)
    return {
      change: { set: { state: 'failed', ...endedAt(now), ...failed }, clear: notOpenAnyMore },
      effect: { ...givenBack(run), addFailureInARow: true },
    };
  const { slot: _kept, ...given } = givenBack(run);
  const set = { state: 'retrying', attentionAt: now + pauseMs, ...failed } as const;
  return { change: { set, clear: ['suspected'] }, effect: withoutQueue(given) };
}

/** Who keeps the slot has nobody to tell of it. */
function withoutQueue({ require: _unqueued, ...effect }: Effect): Effect {
  return effect;
}

function succeeded(
  run: Ended,
  {
    outcome: { kind: _kind, ...kept },
    now,
    settle,
  }: { outcome: Extract<Outcome, { kind: 'succeeded' }>; now: number; settle: RunChange['settle'] & object },
): LastWrite {
  return {
    change: {
      set: { state: 'succeeded', ...endedAt(now), ...kept },
      clear: [...notOpenAnyMore, 'error', 'cursor'],
      settle,
    },
    effect: {
      ...givenBack(run),
      set: { lastSuccess: { fireTime: run.fireTime, settledAt: now }, failuresInARow: 0 },
    },
  };
}

/** Its next attempt is for the reconciler to offer, at once; slot and holds are the run's all the time. */
function goOn({ hops = 0 }: Ended, cursor: unknown, now: number): RunChange {
  const offer = { state: 'offered', unsent: true, attentionAt: now, hops: hops + 1 } as const;
  return cursor === undefined
    ? { set: offer, clear: ['cursor', 'suspected'] }
    : { set: { ...offer, cursor }, clear: ['suspected'] };
}

function park({ step, error }: Extract<Outcome, { kind: 'uncertain' }>): RunChange {
  const set = { state: 'parked', reason: 'uncertain-step', uncertain: step, error, hasSlot: false } as const;
  return { set: { ...set, attentionAt: neverNeedsAttention }, clear: ['suspected'] };
}

function cancel({ error, request }: Extract<Outcome, { kind: 'canceled' }>, now: number): RunChange {
  const set = { state: 'canceled', ...endedAt(now), error, ...canceledFor(request) } as const;
  return { set, clear: notOpenAnyMore };
}

function endedAt(now: number) {
  return { hasSlot: false, settledAt: now } as const;
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
 * Whoever takes over replaces the token, so a record with this token that runs no more is this attempt's own, whose answer was lost.
 * So is one that went on since, with the outcome that only this attempt can have written.
 */
export function finishedOrLost(
  answer: Answer,
  ours: Pick<Run, 'jobId' | 'key' | 'token'>,
): 'finished' | 'lost' | 'conflict' | 'others-wait' {
  if (answer.kind === 'done') return 'finished';
  if (answer.kind === 'conflict') return 'conflict';
  const { run } = answer;
  if (run === undefined && othersWait(answer, ours)) return 'others-wait';
  return run && isOwn(run, ours) ? 'finished' : 'lost';
}

function isOwn({ token, state, attempts }: Run, ours: Pick<Run, 'token'>): boolean {
  if (token === ours.token) return state !== 'running';
  const outcome = attempts.find((attempt) => attempt.token === ours.token)?.outcome;
  return outcome === 'failed' || outcome === 'continued';
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
