import type { Usual } from '../../domain/changes/index.ts';
import { quantile, quantityOf } from '../../domain/contention/unusual.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import type { Run } from '../../domain/run.ts';
import { collected } from '../runs-around.ts';

/** So many of a job's newest runs are read. */
const mostRuns = 100;
const nearlyAll = 0.95;

/** What a job's successes needed of what it is given less of from now on; null: it is given no less, or never succeeded. */
export async function usualOf(
  ledger: Pick<Ledger, 'history'>,
  { before, after }: { before: ManifestJob; after: ManifestJob | undefined },
  now: number,
): Promise<Usual | null> {
  const isShorter = after !== undefined && after.timeoutMs < before.timeoutMs;
  const isSmaller = after !== undefined && after.memoryMb < before.memoryMb;
  if (!isShorter && !isSmaller) return null;
  const range = { from: 0, to: now, order: 'newest-first', limit: mostRuns } as const;
  const runs = await collected(ledger.history(before.id, range));
  const successes = runs.filter(({ state }) => state === 'succeeded');
  const [durationMs, memoryMb] = [longestOf(successes, now), mostMemoryOf(successes)];
  if (successes.length === 0) return null;
  return {
    samples: successes.length,
    ...(isShorter && durationMs !== null && { durationMs }),
    ...(isSmaller && memoryMb !== null && { memoryMb }),
  };
}

function longestOf(successes: readonly Run[], now: number): number | null {
  const lengths = successes.flatMap((run) => quantityOf(run, { of: 'duration' }, now) ?? []);
  const sorted = lengths.sort((a, b) => a - b);
  return sorted.length === 0 ? null : quantile(sorted, nearlyAll);
}

function mostMemoryOf(successes: readonly Run[]): number | null {
  const peaks = successes.flatMap(({ attempts }) => attempts.flatMap(({ bill }) => bill?.peakMemoryMb ?? []));
  return peaks.length === 0 ? null : Math.max(...peaks);
}
