import { type Field, oneValue, type Report, sorted, valuesOf } from './cron-field.ts';
import type { DayOfMonth, DayOfWeek } from './cron-fields.ts';
import type { CronText, Word } from './cron-text.ts';

const FROM_LAST = /^L(?:-(\d{1,2}))?$/;
const NEAREST = /^(\d{1,2})W$/;
const LAST_WEEKDAY = /^([A-Z0-9]+)L$/;
const NTH = /^([A-Z0-9]+)#(\d+)$/;

/** `?`, where a day field may say that it restricts nothing. */
export const unrestricted = (word: Word) => word.text === '?';

export function readDayOfMonth(text: CronText, word: Word, field: Field): DayOfMonth {
  const days: number[] = [];
  const fromLast: number[] = [];
  const nearest: number[] = [];
  let lastWorkingDay = false;
  text.eachItem(anyIfUnrestricted(word), field, (item, report) => {
    const last = FROM_LAST.exec(item);
    const near = NEAREST.exec(item)?.[1];
    if (item === 'LW') lastWorkingDay = true;
    else if (last) fromLast.push(...daysBeforeLast(item, Number(last[1] ?? 0), report));
    else if (near !== undefined) nearest.push(...present(oneValue(near, field, report)));
    else days.push(...valuesOf(item, field, report));
  });
  return { days: sorted(days), fromLast: sorted(fromLast), nearest: sorted(nearest), lastWorkingDay };
}

function daysBeforeLast(item: string, count: number, report: Report): number[] {
  if (count <= 30) return [count];
  report(item, 'lies before the month; write L-1 to L-30');
  return [];
}

/** `numberOfSunday`: 0 in Unix, 1 in EventBridge. */
export function readDayOfWeek(text: CronText, word: Word, field: Field, numberOfSunday: number): DayOfWeek {
  const days: number[] = [];
  const last: number[] = [];
  const nth: { weekday: number; n: number }[] = [];
  const weekday = (value: number) => (value - numberOfSunday) % 7;
  text.eachItem(anyIfUnrestricted(word), field, (item, report) => {
    const lastOf = LAST_WEEKDAY.exec(item)?.[1];
    const [, nthOf, n] = NTH.exec(item) ?? [];
    if (item === 'L') report(item, 'names no weekday; for the last Friday of the month write 5L');
    else if (lastOf !== undefined) last.push(...present(oneValue(lastOf, field, report)).map(weekday));
    else if (nthOf !== undefined) nth.push(...nthWeekday(item, nthOf, Number(n), field, report, weekday));
    else days.push(...valuesOf(item, field, report).map(weekday));
  });
  return { days: sorted(days), nth, last: sorted(last) };
}

function nthWeekday(
  item: string,
  name: string,
  n: number,
  field: Field,
  report: Report,
  weekday: (value: number) => number,
): { weekday: number; n: number }[] {
  const value = oneValue(name, field, report);
  if (n >= 1 && n <= 5) return present(value).map((day) => ({ weekday: weekday(day), n }));
  report(item, `asks for number ${n} of the month; write #1 to #5`);
  return [];
}

function anyIfUnrestricted(word: Word): Word {
  return unrestricted(word) ? { ...word, text: '*' } : word;
}

const present = (value: number | null) => (value === null ? [] : [value]);
