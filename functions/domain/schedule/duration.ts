import { DAY, HOUR, MINUTE } from './calendar.ts';
import { ScheduleError } from './schedule-error.ts';

const UNITS = { second: 1_000, minute: MINUTE, hour: HOUR, day: DAY } as const;
type Unit = keyof typeof UNITS;
const SHAPE = /^(\d{1,9}(?:\.\d{1,3})?) (second|minute|hour|day)s?$/;

/**
 * `'10 minutes'` in milliseconds. Units: seconds, minutes, hours, days (`1 hour` and `2 hours` alike).
 *
 * @param what - names the option in the error, such as `timeout`
 * @throws ScheduleError when the text is no duration
 */
export function parseDuration(text: string, what: string): number {
  const match = SHAPE.exec(text);
  const ms = match ? Number(match[1]) * UNITS[match[2] as Unit] : Number.NaN;
  if (!Number.isInteger(ms)) {
    throw new ScheduleError([
      `${what}: "${text}" is not a duration; write a number, a blank and seconds, minutes, hours or days, such as '10 minutes'`,
    ]);
  }
  return ms;
}

/** The inverse of {@link parseDuration}, in the largest unit that divides it: 5400000 → `90 minutes`. */
export function formatDuration(ms: number): string {
  const largestFirst: Unit[] = ['day', 'hour', 'minute'];
  const unit = largestFirst.find((name) => ms > 0 && ms % UNITS[name] === 0) ?? 'second';
  const count = ms / UNITS[unit];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
