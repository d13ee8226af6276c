import type { Bill } from '../domain/bill.ts';
import type { Outcome } from '../domain/finish.ts';
import { toIso } from '../domain/time.ts';
import type { Finished } from './finish.ts';
import type { Ports } from './ports.ts';

/** Counts what an attempt came to, and writes it to the log with its bill. */
export function tell(
  outcome: Outcome,
  { retryAt, bill }: Finished & { bill: Bill | undefined },
  { log, metrics }: Ports,
): void {
  if (outcome.kind === 'succeeded' || outcome.kind === 'canceled') metrics.count(outcome.kind);
  if (hasFailed(outcome, { retryAt })) metrics.count('failed');
  const { level, what, ...fields } = wordsOf(outcome, retryAt);
  log[level](what, { ...fields, bill });
}

/** Whether people are to be told: it failed for good, or is parked. */
export function isNews(outcome: Outcome, finished: Finished): boolean {
  return outcome.kind === 'uncertain' || hasFailed(outcome, finished);
}

function hasFailed({ kind }: Outcome, { retryAt }: { retryAt?: number | undefined }): boolean {
  return (kind === 'failed' || kind === 'timed-out') && retryAt === undefined;
}

function wordsOf(outcome: Outcome, retryAt: number | undefined) {
  switch (outcome.kind) {
    case 'succeeded':
      return { level: 'info', what: 'succeeded' } as const;
    case 'continued':
      return { level: 'info', what: 'goes on in another attempt', cursor: outcome.cursor } as const;
    case 'canceled':
      return { level: 'warn', what: 'canceled', error: outcome.error } as const;
    case 'uncertain': {
      const { step, error } = outcome;
      return { level: 'error', what: 'parked: nobody knows whether a step was done', step, error } as const;
    }
    case 'failed':
    case 'timed-out': {
      const what = outcome.kind === 'failed' ? 'failed' : 'timed out';
      const { error } = outcome;
      return retryAt === undefined
        ? ({ level: 'error', what, error } as const)
        : ({ level: 'warn', what: `${what}, and is tried again`, at: toIso(retryAt), error } as const);
    }
  }
}
