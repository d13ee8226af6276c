import { forecast, groupsOf } from '../forecast/index.ts';
import type { Manifest, ManifestJob } from '../manifest.ts';
import type { Interval } from '../watermark.ts';

/** How runs wait for a pool within a range, as they are foreseen. */
export interface Waits {
  readonly runs: number;
  readonly longestMs: number;
}

/** What another capacity does to those who need some of it. */
export interface PoolWaits {
  readonly before: Waits;
  readonly after: Waits;
  /** Jobs without a success: each of their runs is taken to last its whole timeout. */
  readonly guessed: readonly string[];
}

/** Nothing is tried here, only played. */
const limits = { fires: 200_000, steps: 500_000, tried: 0 };

interface Foreseen {
  readonly before: Manifest;
  readonly after: Manifest;
  /** What successful attempts took, by job, in milliseconds, newest first. */
  readonly durations: ReadonlyMap<string, readonly number[]>;
  readonly isPaused: (job: ManifestJob) => boolean;
  readonly range: Interval;
}

/** Plays both versions' fires by the rules of admission. Null: one of them is more than can be played. */
export function poolWaits(pool: string, foreseen: Foreseen): PoolWaits | null {
  const { before, after, durations, isPaused } = foreseen;
  const [old, fresh] = [waitsIn(before, pool, foreseen), waitsIn(after, pool, foreseen)];
  if (old === null || fresh === null) return null;
  const guessed = jobsAround(pool, after)
    .filter((job) => !isPaused(job) && !durations.get(job.id)?.length)
    .map(({ id }) => id);
  return { before: old, after: fresh, guessed };
}

/** The jobs whose runs have a part in how others wait for a pool. */
export function jobsAround(pool: string, { jobs, pools = {} }: Manifest): readonly ManifestJob[] {
  const group = groupsOf(Object.keys(pools), jobs).find((one) => one.pools.includes(pool));
  return group?.jobs ?? [];
}

function waitsIn(manifest: Manifest, pool: string, { durations, isPaused, range }: Foreseen): Waits | null {
  const jobs = jobsAround(pool, manifest).filter((job) => !isPaused(job));
  const played = forecast({ jobs, pools: manifest.pools ?? {}, durations, range, limits });
  const found = played.pools.find(({ name }) => name === pool);
  if (found === undefined || found.until < range.to) return null;
  return { runs: found.waits, longestMs: found.longestWaitMs };
}
