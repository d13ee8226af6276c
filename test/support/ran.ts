import type { Bill } from '../../functions/domain/bill.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { type Attempt, newRun, type Run } from '../../functions/domain/run.ts';
import { minute } from '../../functions/domain/time.ts';

/** An attempt, alive from one instant to another; `until: null`: it goes on, and its lease ends an hour after it began. */
export function attempt(from: number, until: number | null, more: Partial<Attempt> = {}): Attempt {
  return {
    number: 1,
    token: 'token',
    requestId: 'request',
    pid: 1,
    startedAt: from,
    leaseUntil: from + 60 * minute,
    ...(until === null ? {} : { settledAt: until, outcome: 'succeeded' }),
    ...more,
  };
}

/** A run that was due when its first attempt began, and ended as the last one did. */
export function ran(jobId: string, attempts: readonly Attempt[], more: Partial<Run> = {}): Run {
  const due = more.fireTime ?? attempts[0]?.startedAt ?? 0;
  const last = attempts.at(-1);
  return newRun({
    jobId,
    key: fireKey(due),
    fireTime: due,
    trigger: 'schedule',
    state: last?.settledAt === undefined ? 'running' : last.outcome === 'succeeded' ? 'succeeded' : 'failed',
    specId: 'spec',
    token: 'token',
    createdAt: due,
    attempts,
    ...(last?.settledAt === undefined ? {} : { settledAt: last.settledAt }),
    ...more,
  });
}

/** What was read of a database, as its job declared it. */
export function readsOf(name: string, reads: number): Bill {
  return { wallMs: 1, metered: { [name]: { reads } } };
}
