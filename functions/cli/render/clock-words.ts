import type { ClockChange, DoubtfulTime } from '../../domain/schedule/index.ts';
import { toIso } from '../../domain/time.ts';

/** `2027-03-14 clocks go forward 02:00 → 03:00: 02:30 skipped, so due at 03:00 (gap: next)` */
export function clockWords(change: ClockChange): string {
  const { at, before, after, times } = change;
  const [from, to] = [wallText(at + before), wallText(at + after)];
  const date = from.slice(0, 10);
  const here = (wall: string) => (wall.startsWith(date) ? wall.slice(11) : wall);
  const heading = `${date} clocks go ${after > before ? 'forward' : 'back'} ${here(from)} → ${here(to)}`;
  const groups = grouped(times, (time) => outcome(time, change, here(to)));
  const told = [...groups].map(
    ([words, of]) => `${timesText(of.map(({ local }) => here(spaced(local))))} ${words}`,
  );
  return `${heading}: ${told.join('; ') || 'no fire is touched'}`;
}

function outcome({ due }: DoubtfulTime, { at, before, after }: ClockChange, instead: string): string {
  if (after > before)
    return due.length > 0 ? `skipped, so due at ${instead} (gap: next)` : 'skipped, so not due (gap: skip)';
  if (due.length === 2) return 'twice, due both times (repeat: both)';
  const [only] = due;
  if (only === undefined) return 'twice, not due';
  return only < at
    ? 'twice, due the first time (repeat: first)'
    : 'twice, due the second time (repeat: second)';
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const mostListed = 2;

function timesText(times: readonly string[]): string {
  if (times.length <= mostListed) return times.join(', ');
  return `${times[0]} to ${times.at(-1)}`;
}

/** A wall time that is kept as if it were UTC. */
function wallText(wall: number): string {
  return spaced(toIso(wall));
}

/** `2027-03-14 02:30` */
export function spaced(local: string): string {
  return local.slice(0, 16).replace('T', ' ');
}
