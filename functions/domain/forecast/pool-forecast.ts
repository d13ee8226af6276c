import { medianOf } from '../contention/unusual.ts';
import type { Peak, PoolMeter, Slice, Waits } from './pool-meter.ts';

/** How the runs of one job wait for one pool. */
export interface Collision {
  readonly job: string;
  readonly times: number;
  /** The median. */
  readonly typicalWaitMs: number;
  readonly longestWaitMs: number;
  readonly waitMs: number;
  /** Whose runs had what was lacking, and how often; the most often first. */
  readonly behind: readonly { readonly job: string; readonly times: number }[];
}

/** What becomes of a pool. */
export interface PoolForecast {
  readonly name: string;
  readonly capacity: number;
  /** Up to where it could be told; epoch milliseconds. */
  readonly until: number;
  /** The share of the capacity that is held, over the whole time. */
  readonly use: number;
  /** Every wait counts at each pool of which the run lacked something. */
  readonly waits: number;
  readonly waitMs: number;
  readonly longestWaitMs: number;
  /** By time, the first 1,000. */
  readonly peaks: readonly Peak[];
  readonly peakCount: number;
  readonly overMs: number;
  /** The most waits first. */
  readonly collisions: readonly Collision[];
  /** With so much nobody would wait for it; null where nobody waits, or where it's more than could be told. */
  readonly enough: number | null;
  /** From `slicesFrom`, a quarter of an hour each; those that nobody needs it in at the end are absent. */
  readonly slices: readonly Readonly<Slice>[];
  readonly slicesFrom: number;
}

export function poolForecast(
  meter: PoolMeter,
  { from, until, enough }: { from: number; until: number; enough: number | null },
): PoolForecast {
  const { name, capacity, peaks, peakCount, overMs, slices, slicesFrom, heldUnitMs } = meter;
  const collisions = [...meter.waits.values()].map(collisionOf).filter(({ times }) => times > 0);
  return {
    name,
    capacity,
    until,
    use: until > from ? heldUnitMs / (capacity * (until - from)) : 0,
    waits: collisions.reduce((sum, { times }) => sum + times, 0),
    waitMs: collisions.reduce((sum, { waitMs }) => sum + waitMs, 0),
    longestWaitMs: Math.max(0, ...collisions.map(({ longestWaitMs }) => longestWaitMs)),
    peaks,
    peakCount,
    overMs,
    collisions: collisions.sort((a, b) => b.waitMs - a.waitMs || (a.job < b.job ? -1 : 1)),
    enough,
    slices,
    slicesFrom,
  };
}

function collisionOf({ job, waitsMs, behind }: Waits): Collision {
  const sorted = [...waitsMs].sort((a, b) => a - b);
  return {
    job,
    times: sorted.length,
    typicalWaitMs: medianOf(sorted) ?? 0,
    longestWaitMs: sorted.at(-1) ?? 0,
    waitMs: sorted.reduce((sum, ms) => sum + ms, 0),
    behind: [...behind]
      .map(([other, times]) => ({ job: other, times }))
      .sort((a, b) => b.times - a.times || (a.job < b.job ? -1 : 1)),
  };
}
