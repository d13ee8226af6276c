import type { Run } from '../run.ts';
import type { Together } from './blame.ts';
import { aliveSpans } from './overlap.ts';
import { commonMs } from './span.ts';

/** How a job's earlier runs came out beside another job's runs, and without them. Those that never ran say nothing. */
export function togetherWith(earlier: readonly Run[], others: readonly Run[], now: number): Together {
  const theirs = others.flatMap((run) => aliveSpans(run, now));
  const count = { beside: 0, besideFailed: 0, without: 0, withoutFailed: 0 };
  for (const run of earlier) {
    if (run.attempts.length === 0) continue;
    const isBeside = commonMs(aliveSpans(run, now), theirs) > 0;
    count[isBeside ? 'beside' : 'without'] += 1;
    if (run.state !== 'succeeded') count[isBeside ? 'besideFailed' : 'withoutFailed'] += 1;
  }
  return count;
}
