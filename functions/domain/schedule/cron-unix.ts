import { readDayOfMonth, readDayOfWeek } from './cron-days.ts';
import { DAYS, HOURS, MINUTES, MONTHS_FIELD, UNIX_WEEKDAYS } from './cron-field.ts';
import type { CronFields } from './cron-fields.ts';
import { CronText, type Word, wordsOf } from './cron-text.ts';
import { ScheduleError } from './schedule-error.ts';

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Five fields as Vixie's cron and cronie read them, their macros, and the extensions L, LW, 15W, 5L, 5#2 and ?. */
export function parseUnix(expression: string): CronFields {
  const text = new CronText(expression);
  const words = wordsOf(MACROS[expression.toLowerCase()] ?? expression, 0);
  if (!areFive(words)) throw new ScheduleError([notFiveFields(expression, words.length)]);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = words;
  const fields: CronFields = {
    minutes: text.values(minute, MINUTES),
    hours: text.values(hour, HOURS),
    dayOfMonth: readDayOfMonth(text, dayOfMonth, DAYS),
    months: text.values(month, MONTHS_FIELD),
    dayOfWeek: readDayOfWeek(text, dayOfWeek, UNIX_WEEKDAYS, 0),
    years: null,
    eitherDay: !beginsWithStar(dayOfMonth) && !beginsWithStar(dayOfWeek),
    followsElapsedTime: beginsWithStar(hour),
  };
  text.finish();
  return fields;
}

function areFive(words: readonly Word[]): words is readonly [Word, Word, Word, Word, Word] {
  return words.length === 5;
}

function beginsWithStar(word: Word): boolean {
  return word.text.startsWith('*') || word.text === '?';
}

function notFiveFields(expression: string, count: number): string {
  const quoted = JSON.stringify(expression);
  if (/^(?:CRON_)?TZ=/i.test(expression)) return `schedule: ${quoted} sets a zone; use the option timezone`;
  if (/^@every\b/i.test(expression)) return `schedule: ${quoted} is an interval; write every('24 hours')`;
  if (/^@reboot$/i.test(expression)) return `schedule: ${quoted} is no time; write manual()`;
  if (expression.startsWith('@')) {
    return `schedule: ${quoted} is not known; known are ${Object.keys(MACROS).join(', ')}`;
  }
  const wanted = 'a Unix cron has 5: minute hour day-of-month month day-of-week';
  const seconds =
    count === 6 || count === 7
      ? "; seconds are not taken, since the shortest period is a minute, and an EventBridge expression is written cron('cron(…)')"
      : '';
  return `schedule: ${quoted} has ${count} field${count === 1 ? '' : 's'}; ${wanted}${seconds}`;
}
