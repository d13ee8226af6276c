import { type Bar, barStates, type Lane, type TimelineAnswer } from '../../data.ts';

/** The bars of one lane in one state, by when they begin: arrays of numbers, so that a frame reads no objects. */
export interface Group {
  readonly keys: readonly string[];
  /** Epoch milliseconds. */
  readonly starts: Float64Array;
  /** The same as its start: a mark without length. */
  readonly ends: Float64Array;
  /** How many runs each stands for. */
  readonly runs: Uint32Array;
  /** Of all its bars; what begins earlier than this before an instant does not reach it. */
  readonly longestMs: number;
}

export interface PackedLane {
  readonly jobId: string;
  readonly timezone: string;
  /** One for each of `barStates`. */
  readonly groups: readonly Group[];
}

const lanesAtOnce = 20;

/** A few lanes at a time, each few in a task of their own: a hand that pans meanwhile gets its frames. */
export async function packLanes({ lanes }: TimelineAnswer): Promise<PackedLane[]> {
  const packed: PackedLane[] = [];
  for (const [index, lane] of lanes.entries()) {
    if (index % lanesAtOnce === 0) await new Promise((resolve) => setTimeout(resolve));
    packed.push(packLane(lane));
  }
  return packed;
}

function packLane({ jobId, timezone, bars }: Lane): PackedLane {
  const byState: Bar[][] = barStates.map(() => []);
  for (const bar of bars) byState[bar[3]]?.push(bar);
  return { jobId, timezone, groups: byState.map(packGroup) };
}

export function packGroup(bars: Bar[]): Group {
  bars.sort((a, b) => a[1] - b[1]);
  const starts = Float64Array.from(bars, ([, start]) => start * 1_000);
  const ends = Float64Array.from(bars, ([, start, end]) => Math.max(start, end) * 1_000);
  const runs = Uint32Array.from(bars, ([, , , , count = 1]) => count);
  const longestMs = ends.reduce((longest, end, index) => Math.max(longest, end - (starts[index] ?? end)), 0);
  return { keys: bars.map(([key]) => key), starts, ends, runs, longestMs };
}

/** The index of the first bar that may reach `at`. */
export function firstReaching({ starts, longestMs }: Group, at: number): number {
  return lowerBound(starts, at - longestMs);
}

/** How many of ascending numbers are smaller than one. */
export function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? value) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
