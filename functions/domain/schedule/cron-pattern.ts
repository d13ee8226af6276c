import {
  FIRST_YEAR,
  firstDayOf,
  LAST_YEAR,
  lengthOf,
  MINUTES_A_DAY,
  monthOf,
  weekdayOf,
} from './calendar.ts';
import type { CronFields } from './cron-fields.ts';
import { kindOfMonth, monthDays } from './month-days.ts';
import type { WallClockPattern } from './wall-clock.ts';

const NONE = -1;

/** For each value of a field, the nearest set value at or above it, and at or below it. */
interface Nearest {
  readonly up: Int8Array;
  readonly down: Int8Array;
}

function nearestOf(values: readonly number[], size: number): Nearest {
  const up = new Int8Array(size + 1).fill(NONE);
  const down = new Int8Array(size + 1).fill(NONE);
  for (const value of values) up[value] = down[value] = value;
  for (let at = size - 1; at >= 0; at--) if (up[at] === NONE) up[at] = up[at + 1] ?? NONE;
  for (let at = 1; at <= size; at++) if (down[at] === NONE) down[at] = down[at - 1] ?? NONE;
  return { up, down };
}

/** The wall-clock minutes that fit a cron expression, whatever the zone. Finds each by table, not by walking. */
export class CronPattern implements WallClockPattern {
  readonly #minutes: Nearest;
  readonly #hours: Nearest;
  readonly #earliestMinute: number;
  readonly #latestMinute: number;
  /** The first and the last time of a day that fits, in minutes. */
  readonly #earliest: number;
  readonly #latest: number;
  readonly #days: Int32Array;
  /** Per month of the year: how many months until the next, and since the previous, that the expression names. */
  readonly #months: { readonly ahead: readonly number[]; readonly back: readonly number[] };
  readonly #years: ReadonlySet<number> | null;
  readonly #firstMonth: number;
  readonly #lastMonth: number;
  // The month that was asked about last; schedules are followed in order, so it nearly always serves again.
  #monthStart = 0;
  #monthEnd = 0;
  #monthMask = 0;

  constructor(fields: CronFields) {
    this.#minutes = nearestOf(fields.minutes, 60);
    this.#hours = nearestOf(fields.hours, 24);
    this.#earliestMinute = fields.minutes[0] ?? 0;
    this.#latestMinute = fields.minutes.at(-1) ?? 0;
    this.#earliest = (fields.hours[0] ?? 0) * 60 + this.#earliestMinute;
    this.#latest = (fields.hours.at(-1) ?? 0) * 60 + this.#latestMinute;
    this.#days = monthDays(fields);
    this.#months = distances(fields.months);
    this.#years = fields.years && new Set(fields.years);
    const [first, last] = [fields.years?.[0] ?? FIRST_YEAR, fields.years?.at(-1) ?? LAST_YEAR];
    // West of Greenwich the epoch still has December 1969 on the wall.
    this.#firstMonth = first * 12 - 1;
    this.#lastMonth = canFit(fields.months, this.#days) ? last * 12 + 11 : Number.NEGATIVE_INFINITY;
  }

  next(minute: number): number {
    const day = Math.floor(minute / MINUTES_A_DAY);
    const fitting = this.#dayFrom(day);
    if (fitting !== day) return fitting * MINUTES_A_DAY + this.#earliest;
    const time = minute - day * MINUTES_A_DAY;
    const hour = Math.floor(time / 60);
    const sameHour = this.#hours.up[hour] === hour ? (this.#minutes.up[time - hour * 60] ?? NONE) : NONE;
    if (sameHour !== NONE) return minute - time + hour * 60 + sameHour;
    const later = this.#hours.up[hour + 1] ?? NONE;
    if (later !== NONE) return minute - time + later * 60 + this.#earliestMinute;
    return this.#dayFrom(day + 1) * MINUTES_A_DAY + this.#earliest;
  }

  previous(minute: number): number {
    const day = Math.floor(minute / MINUTES_A_DAY);
    const fitting = this.#dayUpTo(day);
    if (fitting !== day) return fitting * MINUTES_A_DAY + this.#latest;
    const time = minute - day * MINUTES_A_DAY;
    const hour = Math.floor(time / 60);
    const sameHour = this.#hours.down[hour] === hour ? (this.#minutes.down[time - hour * 60] ?? NONE) : NONE;
    if (sameHour !== NONE) return minute - time + hour * 60 + sameHour;
    const sooner = hour > 0 ? (this.#hours.down[hour - 1] ?? NONE) : NONE;
    if (sooner !== NONE) return minute - time + sooner * 60 + this.#latestMinute;
    return this.#dayUpTo(day - 1) * MINUTES_A_DAY + this.#latest;
  }

  #dayFrom(day: number): number {
    if (day < this.#monthStart || day >= this.#monthEnd) this.#enter(monthOf(day));
    const rest = this.#monthMask >>> (day - this.#monthStart);
    if (rest !== 0) return day + lowestBit(rest);
    const { ahead } = this.#months;
    let month = Math.max(monthOf(day), this.#firstMonth - 1);
    for (month += ahead[month % 12] ?? 1; month <= this.#lastMonth; month += ahead[month % 12] ?? 1) {
      const mask = this.#maskOf(month);
      if (mask !== 0) return firstDayOf(month) + lowestBit(mask);
    }
    return Number.POSITIVE_INFINITY;
  }

  #dayUpTo(day: number): number {
    if (day < this.#monthStart || day >= this.#monthEnd) this.#enter(monthOf(day));
    const rest = this.#monthMask & (-1 >>> (31 - (day - this.#monthStart)));
    if (rest !== 0) return this.#monthStart + highestBit(rest);
    const { back } = this.#months;
    let month = Math.min(monthOf(day), this.#lastMonth + 1);
    for (month -= back[month % 12] ?? 1; month >= this.#firstMonth; month -= back[month % 12] ?? 1) {
      const mask = this.#maskOf(month);
      if (mask !== 0) return firstDayOf(month) + highestBit(mask);
    }
    return Number.NEGATIVE_INFINITY;
  }

  #enter(month: number): void {
    this.#monthStart = firstDayOf(month);
    this.#monthEnd = this.#monthStart + lengthOf(month);
    // A month is its own neighbour at a distance of 12 when it is the only one, at less when it isn't named.
    const named = this.#months.ahead[(month + 11) % 12] === 1;
    const within = month >= this.#firstMonth && month <= this.#lastMonth;
    this.#monthMask = named && within ? this.#maskOf(month) : 0;
  }

  #maskOf(month: number): number {
    if (this.#years && !this.#years.has(Math.floor(month / 12))) return 0;
    return this.#days[kindOfMonth(lengthOf(month), weekdayOf(firstDayOf(month)))] ?? 0;
  }
}

const lowestBit = (mask: number) => 31 - Math.clz32(mask & -mask);
const highestBit = (mask: number) => 31 - Math.clz32(mask);

function distances(months: readonly number[]): { ahead: number[]; back: number[] } {
  const distance = (from: number, direction: 1 | -1) => {
    let steps = 1;
    while (!months.includes(((from + direction * steps + 12) % 12) + 1) && steps < 12) steps++;
    return steps;
  };
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  return { ahead: all.map((from) => distance(from, 1)), back: all.map((from) => distance(from, -1)) };
}

/** Whether any month that the expression names can have a day that fits: not so for 31 February. */
function canFit(months: readonly number[], days: Int32Array): boolean {
  return months.some((month) =>
    days.some((mask, kind) => mask !== 0 && lengthsOf(month).includes(28 + Math.floor(kind / 7))),
  );
}

function lengthsOf(month: number): readonly number[] {
  if (month === 2) return [28, 29];
  return [4, 6, 9, 11].includes(month) ? [30] : [31];
}
