import { type Bar, barStates, type Lane, type TimelineAnswer } from '../../data.ts';

/** The bars of one lane in one state, by when they begin: arrays of numbers, so that a frame reads no objects. */
export interface Group {
  /** As `Bar` has them. */
  readonly keys: readonly (string | number)[];
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

/** @param bars by when they begin */
export function packGroup(bars: readonly Bar[]): Group {
  const keys: Bar[0][] = [];
  const [starts, ends] = [new Float64Array(bars.length), new Float64Array(bars.length)];
  const runs = new Uint32Array(bars.length);
  let longestMs = 0;
  for (const [key, start, end, , count = 1] of bars) {
    const index = keys.push(key) - 1;
    const lengthMs = Math.max(0, end - start) * 1_000;
    starts[index] = start * 1_000;
    ends[index] = start * 1_000 + lengthMs;
    runs[index] = count;
    longestMs = Math.max(longestMs, lengthMs);
  }
  return { keys, starts, ends, runs, longestMs };
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
