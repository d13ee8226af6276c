import { readDayOfMonth, readDayOfWeek, unrestricted } from './cron-days.ts';
import { EVENTBRIDGE_DAYS, EVENTBRIDGE_WEEKDAYS, HOURS, MINUTES, MONTHS_FIELD, YEARS } from './cron-field.ts';
import type { CronFields } from './cron-fields.ts';
import { CronText, type Word, wordsOf } from './cron-text.ts';
import { ScheduleError } from './schedule-error.ts';

export const OPENING = 'cron(';
const SPECIAL = /^L|[LW]$|#/;

/** `cron(minute hour day-of-month month day-of-week year)` as EventBridge Scheduler documents it; 1 is Sunday. */
export function parseEventBridge(expression: string): CronFields {
  const text = new CronText(expression);
  if (!expression.startsWith(OPENING) || !expression.endsWith(')')) {
    throw new ScheduleError([notCron(expression)]);
  }
  const inner = expression.slice(OPENING.length, -1);
  const words = wordsOf(inner, OPENING.length);
  if (!areSix(words)) throw new ScheduleError([notSixFields(expression, words.length)]);
  const [minute, hour, dayOfMonth, month, dayOfWeek, year] = words;
  checkDays(text, dayOfMonth, dayOfWeek);
  const fields: CronFields = {
    minutes: text.values(minute, MINUTES),
    hours: text.values(hour, HOURS),
    dayOfMonth: readDayOfMonth(text, dayOfMonth, EVENTBRIDGE_DAYS),
    months: text.values(month, MONTHS_FIELD),
    dayOfWeek: readDayOfWeek(text, lastDayOfWeek(dayOfWeek), EVENTBRIDGE_WEEKDAYS, 1),
    years: year.text === '*' ? null : text.values(year, YEARS),
    eitherDay: false,
    followsElapsedTime: hour.text.startsWith('*'),
  };
  text.finish();
  return fields;
}

function areSix(words: readonly Word[]): words is readonly [Word, Word, Word, Word, Word, Word] {
  return words.length === 6;
}

function checkDays(text: CronText, dayOfMonth: Word, dayOfWeek: Word): void {
  const marks = [dayOfMonth, dayOfWeek].filter(unrestricted).length;
  if (marks === 0) text.problem('one of day-of-month and day-of-week must be ?, and neither is');
  if (marks === 2) text.problem('only one of day-of-month and day-of-week may be ?; make the other *');
  for (const word of [dayOfMonth, dayOfWeek]) {
    const items = word.text.split(',');
    if (items.length > 1 && items.some((item) => SPECIAL.test(item))) {
      text.problem(
        `L, W and # stand alone in EventBridge, not in the list ${word.text}; make an array of schedules`,
      );
    }
  }
}

/** A lone L is the last day of the week, Saturday. */
function lastDayOfWeek(word: Word): Word {
  return word.text === 'L' ? { ...word, text: 'SAT' } : word;
}

function notCron(expression: string): string {
  const quoted = JSON.stringify(expression);
  if (expression.trim() !== expression) return `schedule: ${quoted} has blanks around it; remove them`;
  if (expression.startsWith('rate('))
    return `schedule: ${quoted} is no rate; write rate(5 minutes): a number, a blank, minutes, hours or days`;
  if (expression.startsWith('at('))
    return `schedule: ${quoted} is no time; write at(2027-01-01T09:00:00): local, whole minutes, without zone or quotes`;
  return `schedule: ${quoted} is no EventBridge expression; write cron(…), rate(…) or at(…), with nothing before or after`;
}

function notSixFields(expression: string, count: number): string {
  const wanted = 'an EventBridge cron has 6: minute hour day-of-month month day-of-week year';
  return `schedule: "${expression}" has ${count} field${count === 1 ? '' : 's'}; ${wanted}`;
}
