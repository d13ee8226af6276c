import type { Answer, Effect, RunChange } from './ledger.ts';
import type { Run, RunError } from './run.ts';

/** How a handler ended. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly result?: unknown; readonly resultDropped?: number }
  | { readonly kind: 'failed'; readonly error: RunError }
  | { readonly kind: 'timed-out'; readonly error: RunError };

/** The attempt's last write: its outcome, the slot given back, the job's tallies. */
export function decideFinish(
  run: Pick<Run, 'fireTime' | 'hasSlot'>,
  { outcome, attempt, now }: { outcome: Outcome; attempt: number; now: number },
): { change: RunChange; effect: Effect } {
  const settle = { number: attempt, settledAt: now, outcome: outcome.kind };
  // Somebody who waits for the slot is to be told: then it is written once more, without this.
  const slot = run.hasSlot ? ({ slot: 'free', require: { unqueued: true } } as const) : {};
  if (outcome.kind === 'succeeded') {
    const { kind: _kind, ...kept } = outcome;
    return {
      change: {
        set: { state: 'succeeded', hasSlot: false, settledAt: now, ...kept },
        clear: notOpenAnyMore,
        settle,
      },
      effect: {
        ...slot,
        set: { lastSuccess: { fireTime: run.fireTime, settledAt: now }, failuresInARow: 0 },
      },
    };
  }
  const reason = outcome.kind === 'timed-out' ? 'timed-out' : 'error';
  return {
    change: {
      set: { state: 'failed', reason, hasSlot: false, settledAt: now, error: outcome.error },
      clear: notOpenAnyMore,
      settle,
    },
    effect: { ...slot, addFailureInARow: true },
  };
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

/** The same finish, though others wait for the slot: whoever writes it has to tell of it. */
export function thoughOthersWait({ require: _unqueued, ...effect }: Effect): Effect {
  return effect;
}

/**
 * What a finish came to. `others-wait`: nothing was written, since others wait for the slot. `lost`: the run was taken
 * over or settled by somebody else; this attempt's outcome counts for nothing and must not be written any other way.
 * Whoever takes over replaces the token, so a settled record with this token is this attempt's own, whose answer was lost.
 */
export function finishedOrLost(
  answer: Answer,
  { key, token }: Pick<Run, 'key' | 'token'>,
): 'finished' | 'lost' | 'conflict' | 'others-wait' {
  if (answer.kind === 'done') return 'finished';
  if (answer.kind === 'conflict') return 'conflict';
  const { run, job } = answer;
  if (run === undefined && job?.slot === key && job.queued > 0) return 'others-wait';
  return run?.token === token && run.settledAt !== undefined ? 'finished' : 'lost';
}
