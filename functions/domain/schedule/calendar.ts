/** Gregorian arithmetic on integers: days since 1970-01-01, and months counted as `year * 12 + (month - 1)`. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const MINUTES_A_DAY = 1_440;

/** Schedules are followed from the epoch to the end of four-digit years. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 9999;

/** Day of 0000-03-01, from which the leap-year rule is regular, counted back from 1970-01-01. */
const DAYS_BEFORE_EPOCH = 719_468;

/** The first day of a month, in days since 1970-01-01. */
export function firstDayOf(month: number): number {
  const marchBased = month - 2;
  const year = Math.floor(marchBased / 12);
  const monthOfYear = marchBased - year * 12;
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return 365 * year + leapDays + Math.floor((153 * monthOfYear + 2) / 5) - DAYS_BEFORE_EPOCH;
}

/** The month in which a day lies. */
export function monthOf(day: number): number {
  const shifted = day + DAYS_BEFORE_EPOCH;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  return (era * 400 + yearOfEra) * 12 + Math.floor((5 * dayOfYear + 2) / 153) + 2;
}

export function lengthOf(month: number): number {
  return firstDayOf(month + 1) - firstDayOf(month);
}

export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

export const MONTHS = [
  'JAN',
  'FEB',
  'MAR',
  'APR',
  'MAY',
  'JUN',
  'JUL',
  'AUG',
  'SEP',
  'OCT',
  'NOV',
  'DEC',
] as const;

/** Sunday is 0; 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Local minutes since 1970-01-01T00:00 on the wall; null when there is no such date or time. */
export function localMinute(year: number, month: number, day: number, hour: number, minute: number) {
  const index = year * 12 + month - 1;
  const real = month >= 1 && month <= 12 && day >= 1 && day <= lengthOf(index) && hour < 24 && minute < 60;
  return real ? (firstDayOf(index) + day - 1) * MINUTES_A_DAY + hour * 60 + minute : null;
}

const two = (value: number) => String(value).padStart(2, '0');

/** `2026-12-01T03:00:00` for milliseconds on the wall clock (instant plus offset). */
export function formatLocal(localMs: number): string {
  const day = Math.floor(localMs / DAY);
  const month = monthOf(day);
  const second = Math.floor((localMs - day * DAY) / 1000);
  const date = `${Math.floor(month / 12)}-${two((month % 12) + 1)}-${two(day - firstDayOf(month) + 1)}`;
  return `${date}T${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
}
