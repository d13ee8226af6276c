import { common, type Span } from '../../domain/contention/span.ts';
import { aliveWhile } from '../../domain/contention/usage.ts';
import { fireKey } from '../../domain/names.ts';
import { type Run, waitsSince } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import { type Bar, barStates } from '../data.ts';
import type { JobRuns } from './runs-in.ts';

/** A bar, and the instant by which it counts as new. */
export interface TimedBar {
  readonly at: number;
  readonly bar: Bar;
}

/** When a run ran, or waits; `until` null: it never ran. */
interface Shown extends Pick<Run, 'key' | 'state'> {
  readonly from: number;
  readonly until: number | null;
}

/** The bars of a lane within a range, oldest first. A run that never ran is a mark at its fire. */
export function timedBars(
  { runs, closed }: Pick<JobRuns, 'runs' | 'closed'>,
  range: Span,
  now: number,
): TimedBar[] {
  const bars: TimedBar[] = [];
  const add = ({ key, state, from, until }: Shown) => {
    const isMark = until === null;
    if (common({ from, until: isMark ? from + 1 : Math.max(until, from + 1) }, range) === null) return;
    const end = isMark ? 0 : Math.max(inSeconds(from) + 1, inSeconds(until));
    bars.push({ at: from, bar: [shortKey(key), inSeconds(from), end, barStates.indexOf(state)] });
  };
  for (const { key, state, fireTime, startedAt = fireTime, endedAt = null } of closed)
    add({ key, state, from: startedAt, until: endedAt });
  for (const run of runs) add({ key: run.key, state: run.state, ...spanOf(run, now) });
  return bars.sort((a, b) => a.at - b.at);
}

/** When it ran, from its first attempt on; one that waits, since it does. `until` null: it never ran. */
function spanOf(run: Run, now: number): { from: number; until: number | null } {
  const { attempts, state, fireTime } = run;
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (first !== undefined && last !== undefined)
    return { from: first.startedAt, until: state === 'running' ? now : aliveWhile(last, now).until };
  const isToCome = state === 'waiting' || state === 'offered';
  return isToCome ? { from: Math.min(waitsSince(run), now), until: now } : { from: fireTime, until: null };
}

/** Of each run a text less to read: tens of thousands of them are a moment in which the page does not move. */
function shortKey(key: string): string | number {
  const fireTime = Date.parse(key);
  return Number.isSafeInteger(fireTime) && fireKey(fireTime) === key ? inSeconds(fireTime) : key;
}

function inSeconds(instant: number): number {
  return Math.floor(instant / second);
}
