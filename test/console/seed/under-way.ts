import {
  type Attempt,
  neverNeedsAttention,
  type Run,
  turnOf,
  waitingForSlot,
} from '../../../functions/domain/run.ts';
import { day } from '../../../functions/domain/time.ts';

/** A run as it is at `now`, given what it is in the end. */
export function underWay(run: Run, start: number, now: number): Run {
  const { settledAt = now, state, crashes, fireTime } = run;
  if (crashes > 0 && settledAt < now && fireTime > now - 2 * day && fireTime % 4 === 0) return parked(run);
  if (settledAt <= now) return run;
  if (start > now) return waiting(run, now);
  const { settledAt: _later, error: _error, reason: _reason, failures: _failures, ...rest } = run;
  const attempts = run.attempts.filter(({ startedAt }) => startedAt <= now);
  const last = attempts.at(-1);
  const next = run.attempts[attempts.length];
  if (last?.settledAt !== undefined && last.settledAt <= now && next !== undefined && state === 'succeeded')
    return {
      ...{ ...rest, attempts, state: 'retrying', reason: 'error', failures: 1 },
      ...{ attentionAt: next.startedAt, hasSlot: true },
    };
  return {
    ...{ ...rest, attempts: attempts.map((one) => (one === last ? unsettled(one) : one)), state: 'running' },
    ...{ attentionAt: last?.leaseUntil ?? now, hasSlot: true },
  };
}

function unsettled({ settledAt: _at, outcome: _outcome, bill: _bill, ...attempt }: Attempt): Attempt {
  return attempt;
}

/** It crashed, and a person must decide. */
function parked({ settledAt: _later, ...run }: Run): Run {
  const attempts = run.attempts.slice(0, 1);
  return { ...run, attempts, state: 'parked', reason: 'crashed', attentionAt: neverNeedsAttention };
}

/** For what it waits first; of its waits those that are over are kept. */
function waiting(run: Run, now: number): Run {
  const { holds, settledAt: _later, error: _error, failures: _failures, waits = [], ...rest } = run;
  const over = waits.filter(({ until }) => until <= now);
  const wait = waits.find(({ until }) => until > now);
  const since = wait?.from ?? run.createdAt;
  const still = { ...rest, attempts: [], waits: over, crashes: 0 };
  if (wait?.reason !== 'pool' || holds === undefined) return { ...still, ...waitingForSlot(run, since) };
  return {
    ...{ ...still, state: 'waiting', reason: 'pool', waitsFor: holds, waitingSince: since },
    ...{ attentionAt: turnOf(run.fireTime, 'pool'), hasSlot: true },
  };
}
