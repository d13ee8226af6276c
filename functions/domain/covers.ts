import type { Run } from './run.ts';

/** One run stands for at most so many fires by name, the newest: over a week of minutes, and about 100 KB of its record. */
export const mostCovers = 12_000;

/**
 * The fires that a run stands for, oldest first: those whose chain of `supersededBy` leads to it. A run is
 * superseded by a newer one only, so one pass from newest to oldest follows every chain.
 *
 * @param olderNewestFirst - the job's runs before it, from its `coversFrom` on
 */
export function coversOf(
  run: Pick<Run, 'key'>,
  olderNewestFirst: readonly Pick<Run, 'key' | 'fireTime' | 'supersededBy'>[],
): number[] {
  const standing = new Set([run.key]);
  const covered: number[] = [];
  for (const older of olderNewestFirst) {
    if (older.supersededBy === undefined || !standing.has(older.supersededBy)) continue;
    standing.add(older.key);
    covered.push(older.fireTime);
  }
  return covered.slice(0, mostCovers).reverse();
}
