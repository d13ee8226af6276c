import cronstrue from 'cronstrue';
import { formatDuration, parseCron, type Schedule, type Spec } from './schedule/index.ts';

/** A job's schedule in words: `At 03:00`, `Every 5 minutes; and at 12:00, only on Sunday`. The zone isn't part of it. */
export function inWords({ schedules }: Pick<Spec, 'schedules'>): string {
  return schedules
    .map((schedule, index) => (index === 0 ? wordsOf(schedule) : lower(wordsOf(schedule))))
    .join('; and ');
}

function wordsOf(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'cron':
      return schedule.dialect === 'unix'
        ? unixWords(schedule.expression)
        : eventBridgeWords(schedule.expression);
    case 'every': {
      const period = `Every ${formatDuration(schedule.periodMs).replace(/^1 /, '')}`;
      return schedule.offsetMs === 0 ? period : `${period}, shifted by ${formatDuration(schedule.offsetMs)}`;
    }
    case 'at':
      return `Once, at ${schedule.local.replace('T', ' ')}`;
    case 'manual':
      return 'Only when started by hand';
  }
}

/** Cron's two day fields mean either, unless one begins with `*`; said as the two schedules that it is. */
function unixWords(expression: string): string {
  const [minute, hour, dayOfMonth, month, dayOfWeek] = expression.trim().split(/\s+/);
  if (dayOfWeek === undefined || !parseCron('unix', expression).eitherDay) return describe(expression);
  const byDate = describe(`${minute} ${hour} ${dayOfMonth} ${month} *`);
  const byWeekday = describe(`${minute} ${hour} * ${month} ${dayOfWeek}`);
  return `${byDate}; or ${lower(byWeekday)}`;
}

/** With a field for seconds in front, so that the last is read as the year. Sunday is 1. */
function eventBridgeWords(expression: string): string {
  return describe(expression.replace(/^cron\((.*)\)$/, '0 $1'), { dayOfWeekStartIndexZero: false });
}

function describe(expression: string, options: { dayOfWeekStartIndexZero?: boolean } = {}): string {
  try {
    return cronstrue.toString(expression, {
      use24HourTimeFormat: true,
      logicalAndDayFields: true,
      ...options,
    });
  } catch {
    // A form that has no words there is still a schedule: its own text tells what it is.
    return expression;
  }
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
