import { fireKey } from '../../../domain/names.ts';
import type { RunState } from '../../../domain/run.ts';
import { barStates } from '../../data.ts';
import { paintedInTurn } from './forms.ts';
import { firstReaching, type Group, type PackedLane } from './packed.ts';

/** One bar on the timeline: a run, or several that lie too near to be told apart. */
export interface Found {
  readonly jobId: string;
  /** Of the first of them. */
  readonly key: string;
  readonly runs: number;
  readonly state: RunState;
  /** Epoch milliseconds; the same: it never ran. */
  readonly start: number;
  readonly end: number;
}

/** What lies on top within `slack` (milliseconds) of an instant; of several the nearest. */
export function foundAt(lane: PackedLane, at: number, slack: number): Found | null {
  for (let turn = paintedInTurn.length - 1; turn >= 0; turn -= 1) {
    const state = paintedInTurn[turn];
    if (state === undefined) continue;
    const group = lane.groups[barStates.indexOf(state)];
    const index = group === undefined ? -1 : nearestIn(group, at, slack);
    if (group !== undefined && index >= 0) return foundIn(lane, state, group, index);
  }
  return null;
}

/** All bars of a lane that reach into a range, oldest first. */
export function foundWithin(lane: PackedLane, from: number, to: number): Found[] {
  const found = barStates.flatMap((state, number) => {
    const group = lane.groups[number];
    if (group === undefined) return [];
    const inState: Found[] = [];
    for (let index = firstReaching(group, from); index < group.starts.length; index += 1) {
      if ((group.starts[index] ?? to) > to) break;
      if ((group.ends[index] ?? from) >= from) inState.push(foundIn(lane, state, group, index));
    }
    return inState;
  });
  return found.sort((a, b) => a.start - b.start);
}

function nearestIn(group: Group, at: number, slack: number): number {
  let [nearest, distance] = [-1, slack];
  for (let index = firstReaching(group, at - slack); index < group.starts.length; index += 1) {
    const start = group.starts[index] ?? at;
    if (start > at + slack) break;
    const away = Math.max(start - at, at - (group.ends[index] ?? start), 0);
    if (away > distance || (nearest >= 0 && away === distance && away > 0)) continue;
    nearest = index;
    distance = away;
  }
  return nearest;
}

function foundIn({ jobId }: PackedLane, state: RunState, group: Group, index: number): Found {
  const start = group.starts[index] ?? 0;
  const [key = '', end = start, runs = 1] = [group.keys[index], group.ends[index], group.runs[index]];
  return { jobId, state, key: typeof key === 'string' ? key : fireKey(key * 1_000), runs, start, end };
}
