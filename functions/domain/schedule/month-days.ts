import type { CronFields, DayOfMonth, DayOfWeek } from './cron-fields.ts';

/**
 * A month's days are determined by its length (28 to 31) and the weekday of its 1st: 28 kinds of month. So which days
 * of which month fit is a table of 28 bit masks, bit 0 being the 1st.
 */
export type MonthDays = Int32Array;

export const KINDS_OF_MONTH = 28;

export function kindOfMonth(length: number, firstWeekday: number): number {
  return (length - 28) * 7 + firstWeekday;
}

export function monthDays(fields: CronFields): MonthDays {
  const table = new Int32Array(KINDS_OF_MONTH);
  for (let kind = 0; kind < KINDS_OF_MONTH; kind++) {
    const length = 28 + Math.floor(kind / 7);
    const byDate = datesOf(fields.dayOfMonth, length, kind % 7);
    const byWeekday = weekdaysOf(fields.dayOfWeek, length, kind % 7);
    table[kind] = fields.eitherDay ? byDate | byWeekday : byDate & byWeekday;
  }
  return table;
}

const bit = (day: number) => 1 << (day - 1);
const weekdayOfDate = (day: number, firstWeekday: number) => (firstWeekday + day - 1) % 7;

function datesOf(wanted: DayOfMonth, length: number, firstWeekday: number): number {
  let mask = 0;
  for (const day of wanted.days) if (day <= length) mask |= bit(day);
  for (const back of wanted.fromLast) if (back < length) mask |= bit(length - back);
  for (const day of wanted.nearest)
    if (day <= length) mask |= bit(nearestWorkingDay(day, length, firstWeekday));
  if (wanted.lastWorkingDay) mask |= bit(nearestWorkingDay(length, length, firstWeekday));
  return mask;
}

/** The nearest Monday to Friday that doesn't leave the month. */
function nearestWorkingDay(day: number, length: number, firstWeekday: number): number {
  const weekday = weekdayOfDate(day, firstWeekday);
  if (weekday === 6) return day > 1 ? day - 1 : day + 2;
  if (weekday === 0) return day < length ? day + 1 : day - 2;
  return day;
}

function weekdaysOf(wanted: DayOfWeek, length: number, firstWeekday: number): number {
  let mask = 0;
  for (let day = 1; day <= length; day++) {
    if (weekdayFits(wanted, weekdayOfDate(day, firstWeekday), day, length)) mask |= bit(day);
  }
  return mask;
}

function weekdayFits(wanted: DayOfWeek, weekday: number, day: number, length: number): boolean {
  if (wanted.days.includes(weekday)) return true;
  if (day + 7 > length && wanted.last.includes(weekday)) return true;
  return wanted.nth.some((one) => one.weekday === weekday && one.n === Math.ceil(day / 7));
}
