import { mostSamples, quantile } from '../contention/unusual.ts';
import type { ManifestJob } from '../manifest.ts';

/** Longer than most of them: who plans for the middle is wrong every other time. */
const most = 0.9;

/** How long a run of a job is expected to hold what it takes. */
export interface Expectation {
  readonly durationMs: number;
  /** Of so many past successes. 0: nothing is known, and it's the job's timeout, the worst that can be. */
  readonly samples: number;
}

/**
 * Nine of ten past runs took no longer.
 *
 * @param samples - milliseconds that successful attempts took, newest first
 */
export function expectationOf(
  { timeoutMs }: Pick<ManifestJob, 'timeoutMs'>,
  samples: readonly number[] = [],
): Expectation {
  const sorted = samples.slice(0, mostSamples).sort((a, b) => a - b);
  if (sorted.length === 0) return { durationMs: timeoutMs, samples: 0 };
  return { durationMs: Math.max(1, Math.round(quantile(sorted, most))), samples: sorted.length };
}
