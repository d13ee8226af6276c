import { needsOf } from '../holds.ts';
import type { ManifestJob } from '../manifest.ts';

/** Pools, and the jobs that need any of them; what goes on in one group has no part in another. */
export interface Group {
  readonly pools: readonly string[];
  readonly jobs: readonly ManifestJob[];
}

/** One group for each pool, and one for several where a job needs them together. Jobs that need none are in none. */
export function groupsOf(pools: readonly string[], jobs: readonly ManifestJob[]): Group[] {
  let groups: Group[] = pools.map((pool) => ({ pools: [pool], jobs: [] }));
  for (const job of jobs) {
    const needs = Object.keys(needsOf(job) ?? {});
    const touched = groups.filter((group) => group.pools.some((pool) => needs.includes(pool)));
    if (touched.length === 0) continue;
    groups = [...groups.filter((group) => !touched.includes(group)), merged(touched, job)];
  }
  return groups;
}

function merged(groups: readonly Group[], job: ManifestJob): Group {
  return {
    pools: groups.flatMap(({ pools }) => pools),
    jobs: [...groups.flatMap(({ jobs }) => jobs), job],
  };
}
