import type { TimeView } from './time-view.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour],
  ...[day, 2 * day, 3 * day, 4 * day, 7 * day],
];

/** How far apart ticks are, so that none is nearer than `room` pixels to the next. */
export function tickStep({ from, to }: TimeView, width: number, room: number): number {
  const least = ((to - from) / Math.max(1, width)) * room;
  return steps.find((step) => step >= least) ?? 7 * day;
}

/** The first tick at or after an instant, on the wall clock of this browser. */
export function firstTick(at: number, step: number): number {
  const offset = offsetOf(at);
  return Math.ceil((at + offset) / step) * step - offset;
}

/** The tick after one. A change of the clocks in between keeps it on the full hour. */
export function nextTick(tick: number, step: number): number {
  const next = tick + step;
  if (step < hour) return next;
  const shift = offsetOf(tick) - offsetOf(next);
  return next + shift > tick ? next + shift : next;
}

function offsetOf(at: number): number {
  return -new Date(at).getTimezoneOffset() * minute;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const texts = new Map<number, string>();

/** `14:30`; at midnight the day: `Tue 1 Dec`. Kept, since each frame asks again. */
export function tickText(tick: number): string {
  const known = texts.get(tick);
  if (known !== undefined) return known;
  const time = clock.format(tick);
  const text = time === '00:00' ? date.format(tick) : time;
  texts.set(tick, text);
  return text;
}

/** The zone of the wall clock that ticks are told on. */
export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
