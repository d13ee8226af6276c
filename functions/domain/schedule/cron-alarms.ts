import { spell, spellList, spellTimes } from './alarm-fields.ts';
import { WEEKDAYS } from './calendar.ts';
import type { CronFields, DayOfMonth, DayOfWeek } from './cron-fields.ts';

/**
 * EventBridge expressions that together hit a cron's wall-clock minutes and no others. Parts that EventBridge
 * doesn't document (`LW`, `L-3`, `1W`, a date and a weekday at once) are left to the sweep.
 *
 * @param delay - minutes by which every time is put off; what it puts off to the next day is left to the sweep, too
 */
export function cronAlarms(fields: CronFields, delay: number): string[] {
  const times = fields.hours.flatMap((hour) => fields.minutes.map((minute) => hour * 60 + minute + delay));
  const month = spell(fields.months, 1, 12);
  const year = fields.years === null ? '*' : spell(fields.years, 1970, 2199);
  return spellTimes(times).flatMap((time) =>
    daysOf(fields).map(([date, weekday]) => `cron(${time} ${date} ${month} ${weekday} ${year})`),
  );
}

type Days = readonly [date: string, weekday: string];

function daysOf({ dayOfMonth, dayOfWeek, eitherDay }: CronFields): Days[] {
  const everyDate = dayOfMonth.days.length === 31;
  const everyWeekday = dayOfWeek.days.length === 7;
  const dates = datesOf(dayOfMonth).map((date): Days => [date, '?']);
  const weekdays = weekdaysOf(dayOfWeek).map((weekday): Days => ['?', weekday]);
  if (eitherDay) return everyDate || everyWeekday ? [['*', '?']] : [...dates, ...weekdays];
  if (everyWeekday) return dates;
  return everyDate ? weekdays : [];
}

function datesOf({ days, fromLast, nearest }: DayOfMonth): string[] {
  const listed = days.length > 0 ? [spell(days, 1, 31)] : [];
  const last = fromLast.includes(0) ? ['L'] : [];
  // Nearer to the ends of a month the documentation doesn't say whether the working day may leave it.
  const working = nearest.filter((day) => day >= 2 && day <= 27).map((day) => `${day}W`);
  return days.length === 31 ? listed : [...listed, ...last, ...working];
}

function weekdaysOf({ days, nth, last }: DayOfWeek): string[] {
  const listed = days.length > 0 ? [spellWeekdays(days)] : [];
  const lasts = last.map((weekday) => `${weekday + 1}L`);
  return [...listed, ...lasts, ...nth.map(({ weekday, n }) => `${weekday + 1}#${n}`)];
}

/** Names, since numbers mean other days to EventBridge than to Unix; no steps, which it doesn't take here. */
function spellWeekdays(days: readonly number[]): string {
  return spellList(days, (day) => WEEKDAYS[day] ?? '');
}
