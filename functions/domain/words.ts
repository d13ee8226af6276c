import { localTime } from './schedule/index.ts';

/** `1 fire`, `1,200 fires`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `2026-12-01 03:00`: for where the zone stands beside it. Seconds only where they aren't 0. */
export function wallText(instant: number, timezone: string): string {
  const text = localTime(instant, timezone);
  return `${text.slice(0, 10)} ${text.slice(11, 19).replace(/:00$/, '')}`;
}
