import { MONTHS, WEEKDAYS } from './calendar.ts';
import { OPENING } from './cron-eventbridge.ts';
import type { CronFields } from './cron-fields.ts';
import { wordsOf } from './cron-text.ts';
import { type Dialect, parseCron } from './parse-cron.ts';

interface Cron {
  readonly dialect: Dialect;
  readonly expression: string;
}

/** A field as people misread its steps: what it counts, and after what it starts again. */
interface Counted {
  readonly name: string;
  readonly unit: 'minute' | 'hour' | 'day' | 'month';
  readonly size: number;
  readonly begins: number;
  readonly round: string;
}

const COUNTED: readonly Counted[] = [
  { name: 'minute', unit: 'minute', size: 60, begins: 0, round: 'every hour' },
  { name: 'hour', unit: 'hour', size: 24, begins: 0, round: 'every day' },
  { name: 'day-of-month', unit: 'day', size: 31, begins: 1, round: 'every month' },
  { name: 'month', unit: 'month', size: 12, begins: 1, round: 'every year' },
];

/** What a cron expression says and hardly anybody means; `fires` shows the next few. */
export function cronWarnings(cron: Cron, fires: string): string[] {
  const fields = parseCron(cron.dialect, cron.expression);
  const inner = cron.dialect === 'unix' ? cron.expression : cron.expression.slice(OPENING.length, -1);
  const words = wordsOf(inner, 0).map((word) => word.text);
  const said = [
    ...COUNTED.flatMap((counted, index) => stepWarnings(words[index] ?? '', counted)),
    ...wholeHourWarnings(fields),
    ...(cron.dialect === 'unix' ? bothDaysWarnings(fields, words) : numericWeekdayWarnings(words)),
    ...monthEndWarnings(fields),
  ];
  return said.map((warning) => `${warning}; next due ${fires}`);
}

function stepWarnings(word: string, counted: Counted): string[] {
  return word.split(',').flatMap((item) => {
    const [, range, first, last, stepText] = /^(\*|(\d+)(?:-(\d+))?)\/(\d+)$/.exec(item) ?? [];
    const step = Number(stepText);
    if (range === undefined || step === 1) return [];
    if (last === undefined) return counted.size % step === 0 ? [] : [restarts(item, step, counted)];
    return step > Number(last) - Number(first) ? [`${counted.name}: ${item} is ${first} alone`] : [];
  });
}

function restarts(item: string, step: number, { name, unit, round }: Counted): string {
  const even = unit === 'month' ? '' : `; for an even period write every('${step} ${unit}s')`;
  return `${name}: ${item} is not every ${step} ${unit}s, since it starts again ${round}${even}`;
}

function wholeHourWarnings({ minutes, hours }: CronFields): string[] {
  if (minutes.length < 60 || hours.length !== 1) return [];
  return [`minute: * with hour ${hours[0]} is due 60 times in that hour; for once write 0 ${hours[0]}`];
}

/** Unix takes either day when neither field begins with a star, and asks for both when one does. */
function bothDaysWarnings(
  { eitherDay, dayOfMonth, dayOfWeek }: CronFields,
  words: readonly string[],
): string[] {
  const [, , date = '*', , weekday = '*'] = words;
  const free = (word: string) => word === '*' || word === '?';
  if (free(date) || free(weekday)) return [];
  if (!eitherDay) {
    return [`day-of-week: ${weekday} counts only on days ${date}, since one of the two begins with *`];
  }
  const n = weekOf(dayOfMonth.days);
  const meant = n > 0 && dayOfWeek.days.length === 1 ? `; for one day a month write ${weekday}#${n}` : '';
  return [`day-of-week: ${weekday} or day-of-month ${date} is enough, not both are needed${meant}`];
}

/** Which week of the month seven days are: 1 for 1-7, 2 for 8-14; 0 when they are none. */
function weekOf(days: readonly number[]): number {
  const [first = 0] = days;
  const week = days.length === 7 && days.at(-1) === first + 6 && first % 7 === 1;
  return week ? (first + 6) / 7 : 0;
}

function numericWeekdayWarnings(words: readonly string[]): string[] {
  const written = words[4] ?? '';
  if (!/(?:^|[,-])\d/.test(written)) return [];
  const named = written.replace(/(^|[,-])(\d)/g, (_, before, day) => `${before}${WEEKDAYS[Number(day) - 1]}`);
  return [`day-of-week: ${written} is ${named} in EventBridge, where 1 is Sunday; write the names`];
}

function monthEndWarnings({ dayOfMonth: { days }, months, eitherDay }: CronFields): string[] {
  const [first = 0] = days;
  if (eitherDay || first < 28) return [];
  const without = months.filter((month) => first > shortestOf(month)).map((month) => nameOf(month, first));
  const hint = 'for the last day of each month write L';
  if (days.length > 1)
    return [`day-of-month: ${days.join(',')} is up to ${days.length} days a month; ${hint}`];
  return without.length > 0 ? [`day-of-month: ${first} is skipped in ${without.join(', ')}; ${hint}`] : [];
}

function nameOf(month: number, day: number): string {
  return `${MONTHS[month - 1]}${day === 29 ? ' of common years' : ''}`;
}

function shortestOf(month: number): number {
  if (month === 2) return 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
