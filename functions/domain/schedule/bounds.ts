import { readLocal, SingleTime } from './at.ts';
import { MINUTES_A_DAY } from './calendar.ts';
import { FIXED_TIMES, WallClock } from './wall-clock.ts';
import type { ZoneRules } from './zone.ts';

/** From the first instant that counts up to, and without, the first that counts no more. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

const DATES = /^(\d{4}-\d\d-\d\d)(?:\/(\d{4}-\d\d-\d\d))?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** The wall minute of a date's start, or of a local time; null when the text is neither. */
export function readBound(text: string): number | null {
  return readLocal(DATE.test(text) ? `${text}T00:00` : text);
}

/** The first and the last date of `2026-12-25` or `2026-12-24/2027-01-02`; null when a text names no dates. */
export function readDates(text: string): readonly [first: string, last: string] | null {
  const [, first, last = first] = DATES.exec(text) ?? [];
  if (first === undefined || last === undefined) return null;
  return readBound(first) === null || readBound(last) === null ? null : [first, last];
}

/** The instants from `from` to `until`, both included; a date is the whole of its day in the zone. */
export function boundsOf(zone: ZoneRules, from: string | undefined, until: string | undefined): Bounds {
  return {
    start: from === undefined ? Number.NEGATIVE_INFINITY : instantOf(readBound(from) ?? 0, zone),
    end: until === undefined ? Number.POSITIVE_INFINITY : endOf(until, zone),
  };
}

function endOf(until: string, zone: ZoneRules): number {
  const minute = readBound(until) ?? 0;
  if (DATE.test(until)) return instantOf(minute + MINUTES_A_DAY, zone);
  return new WallClock(new SingleTime(minute), zone, { ...FIXED_TIMES, repeat: 'second' }).next(-1) + 1;
}

/** The first instant at which the wall shows a minute or, where it skips it, a later one. */
function instantOf(minute: number, zone: ZoneRules): number {
  return new WallClock(new SingleTime(minute), zone, FIXED_TIMES).next(-1);
}
