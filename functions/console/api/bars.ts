import { common, type Span } from '../../domain/contention/span.ts';
import { aliveWhile } from '../../domain/contention/usage.ts';
import { type Run, waitsSince } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import { type Bar, barStates } from '../data.ts';

/** A bar, and the instant by which it counts as new. */
export interface TimedBar {
  readonly at: number;
  readonly bar: Bar;
}

/** The bars of a lane within a range, oldest first. A run that never ran is a mark at its fire. */
export function timedBars(runs: readonly Run[], range: Span, now: number): TimedBar[] {
  const bars = runs.flatMap((run) => {
    const { from, until } = spanOf(run, now);
    const isMark = until === null;
    if (common({ from, until: isMark ? from + 1 : Math.max(until, from + 1) }, range) === null) return [];
    const end = isMark ? 0 : Math.max(inSeconds(from) + 1, inSeconds(until));
    const bar: Bar = [run.key, inSeconds(from), end, barStates.indexOf(run.state)];
    return [{ at: from, bar }];
  });
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

function inSeconds(instant: number): number {
  return Math.floor(instant / second);
}
