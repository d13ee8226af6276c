import { weightOf } from '../domain/pools.ts';
import type { LoadedPools } from './load-pools.ts';
import type { CatalogJob } from './validate.ts';

type Declared = Pick<LoadedPools, 'pools' | 'name' | 'isTheirs'>;

/** What is valid in the jobs' use of pools and probably not meant, each with the file that it is about. */
export function poolWarnings(
  { pools, name: file, isTheirs }: Declared,
  jobs: readonly Pick<CatalogJob, 'entry'>[],
): string[] {
  return Object.entries(pools).flatMap(([pool, { capacity }]) => {
    const users = jobs.filter(({ entry }) => weightOf(entry.pools ?? {}, pool) > 0);
    if (users.length === 0 && isTheirs) return [`${file}: ${pool}: no job takes of this pool`];
    // A pool of one unit is there to have its jobs run alone.
    if (users.length < 2 || capacity === 1) return [];
    return users
      .filter(({ entry }) => weightOf(entry.pools ?? {}, pool) === capacity)
      .map(({ entry }) => `${entry.file}: pools.${pool}: ${capacity} is the whole pool, ${runsAlone}`);
  });
}

const runsAlone = 'and others take of it: a run waits until all of them are done, and runs alone';
