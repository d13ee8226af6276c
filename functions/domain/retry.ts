import type { RetryPolicy } from './manifest.ts';
import type { Run } from './run.ts';
import { second } from './time.ts';

/** What failing code says about trying again: not at all, or after so long. */
export type Again = 'never' | { readonly afterMs: number };

const shortestPauseMs = second;

/**
 * How long a run that has failed once more waits before it is tried again; null: it isn't. With full jitter, so that runs
 * that failed together aren't tried together. `random`: at least 0, below 1.
 */
export function pauseBeforeRetry(
  { failures = 0 }: Pick<Run, 'failures'>,
  { policy, again, random }: { policy: RetryPolicy | undefined; again: Again | undefined; random: number },
): number | null {
  if (policy === undefined || again === 'never' || failures + 1 >= policy.attempts) return null;
  if (again !== undefined) return again.afterMs;
  const longest = Math.min(policy.capMs, policy.backoffMs * 2 ** failures);
  return Math.max(shortestPauseMs, Math.floor(random * longest));
}

/** A run that is to be tried again now. */
export function isDue(run: Pick<Run, 'state' | 'attentionAt'>, now: number): boolean {
  return run.state === 'retrying' && run.attentionAt !== undefined && run.attentionAt <= now;
}
