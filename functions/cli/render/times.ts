import { localTime } from '../../domain/schedule/index.ts';
import { day, hour, minute, second } from '../../domain/time.ts';
import { wallText } from '../../domain/words.ts';

export { wallText };

/** `2026-12-01 03:00 +08:00`; seconds only where they aren't 0. */
export function localText(instant: number, timezone: string): string {
  const offset = localTime(instant, timezone).slice(19);
  return `${wallText(instant, timezone)} ${timezone === 'UTC' ? 'UTC' : offset}`;
}

/** `2026-12-01 03:00:01.2 +08:00`: for where instants are compared with each other. */
export function preciseText(instant: number, timezone: string): string {
  const text = localTime(instant, timezone);
  const tenth = Math.floor((instant % second) / 100);
  return `${text.slice(0, 10)} ${text.slice(11, 19)}.${tenth} ${timezone === 'UTC' ? 'UTC' : text.slice(19)}`;
}

/** `03:00` on the day of `now` there, `12-01 03:00` on another day. */
export function shortWallText(instant: number, timezone: string, now: number): string {
  const text = wallText(instant, timezone);
  if (text.slice(0, 10) === wallText(now, timezone).slice(0, 10)) return text.slice(11);
  return Math.abs(instant - now) < halfYear ? text.slice(5) : text;
}

/** `12-01 03:00 +08:00`; with its year where that is far. */
export function nearText(instant: number, timezone: string, now: number): string {
  const text = localText(instant, timezone);
  return Math.abs(instant - now) < halfYear ? text.slice(5) : text;
}

const halfYear = 180 * day;

/** Texts of instants within a range: `03:00:01` where it lies within a day there, else `12-01 03:00:01`. */
export function clockWithin(
  { from, until }: { from: number; until: number },
  timezone: string,
): (instant: number) => string {
  const isOneDay = localTime(from, timezone).slice(0, 10) === localTime(until, timezone).slice(0, 10);
  return (instant) =>
    localTime(instant, timezone)
      .slice(isOneDay ? 11 : 5, 19)
      .replace('T', ' ');
}

const units = [
  { ms: day, name: 'd' },
  { ms: hour, name: 'h' },
  { ms: minute, name: 'min' },
  { ms: second, name: 's' },
] as const;

/** `5 min ago`, in its largest unit. */
export function agoText(instant: number, now: number): string {
  const unit = units.find(({ ms }) => now - instant >= ms);
  return unit === undefined ? 'just now' : `${Math.floor((now - instant) / unit.ms)} ${unit.name} ago`;
}

/** A shorter time is nothing, and has no sign. */
const shownMs = 50;

/** A length of time in its two largest units: `3 d 4 h`, `2 min 5 s`, `1.2 s`. */
export function spanText(ms: number): string {
  if (ms <= -shownMs) return `-${spanText(-ms)}`;
  if (ms < 10 * second) return `${(Math.max(0, ms) / second).toFixed(1)} s`;
  const first = units.findIndex((unit) => ms >= unit.ms);
  let left = ms;
  const parts = units.slice(first, first + 2).map((unit) => {
    const count = Math.floor(left / unit.ms);
    left -= count * unit.ms;
    return count === 0 ? '' : `${count} ${unit.name}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
