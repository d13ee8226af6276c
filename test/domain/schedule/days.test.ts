import { expect, test } from 'vitest';
import { cron, timetable } from '../../../functions/domain/schedule/index.ts';

/** The first fires of an expression from 2026 on, as dates; backwards they are the same. */
function dates(expression: string, count = 4): string[] {
  const table = timetable({ schedules: [cron(expression)], timezone: 'UTC' });
  const found: number[] = [];
  for (const fire of table.between(Date.UTC(2026, 0) - 1, Date.UTC(2200, 0))) {
    found.push(fire);
    if (found.length === count) break;
  }
  const back: number[] = [];
  for (let fire = table.previous((found.at(-1) ?? 0) + 1); fire !== null; fire = table.previous(fire)) {
    back.unshift(fire);
    if (back.length === found.length) break;
  }
  expect(back).toEqual(found);
  return found.map((fire) => new Date(fire).toISOString().slice(0, 10));
}

test.each([
  ['last day', '0 0 L * *', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
  ['third day before the last', '0 0 L-3 * *', ['2026-01-28', '2026-02-25', '2026-03-28', '2026-04-27']],
  ['31 days before the end, in the months that are so long', '0 0 L-30 * *', ['2026-01-01', '2026-03-01']],
  ['29 days before the end, which February is not long', '0 0 L-28 * *', ['2026-01-03', '2026-03-03']],
  ['the 31st, in the months that have one', '0 0 31 * *', ['2026-01-31', '2026-03-31', '2026-05-31']],
  ['a lone L among EventBridge’s weekdays is Saturday', 'cron(0 9 ? * L *)', ['2026-01-03', '2026-01-10']],
  ['last working day', '0 0 LW * *', ['2026-01-30', '2026-02-27', '2026-03-31', '2026-04-30']],
  ['working day nearest the 15th', '0 0 15W * *', ['2026-01-15', '2026-02-16', '2026-03-16', '2026-04-15']],
  [
    'nearest the 1st, a Saturday, without leaving the month',
    '0 0 1W 8 *',
    ['2026-08-03', '2027-08-02', '2028-08-01'],
  ],
  [
    'nearest the 31st, a Sunday, without leaving the month',
    '0 0 31W 5 *',
    ['2026-05-29', '2027-05-31', '2028-05-31'],
  ],
  [
    '31W in months that have a 31st',
    '0 0 31W 2-5 *',
    ['2026-03-31', '2026-05-29', '2027-03-31', '2027-05-31'],
  ],
  ['last Friday', '0 0 * * 5L', ['2026-01-30', '2026-02-27', '2026-03-27', '2026-04-24']],
  ['last Friday by name', '0 0 ? * FRIL', ['2026-01-30', '2026-02-27', '2026-03-27', '2026-04-24']],
  ['fifth Friday, in the months that have one', '0 0 * * 5#5', ['2026-01-30', '2026-05-29', '2026-07-31']],
  ['second Tuesday by name', '0 0 * * TUE#2', ['2026-01-13', '2026-02-10', '2026-03-10']],
  [
    'list of the last day and the 10th',
    '0 0 10,L * *',
    ['2026-01-10', '2026-01-31', '2026-02-10', '2026-02-28'],
  ],
  [
    'last day or a Monday',
    '0 0 L * 1',
    ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26', '2026-01-31'],
  ],
  [
    'a day that February has not, or a Monday',
    '0 0 31 2 1',
    ['2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23', '2027-02-01'],
  ],
  [
    '29 days before the end, or a Monday',
    '0 0 L-28 2 1',
    ['2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23', '2027-02-01'],
  ],
  ['? restricts nothing', '0 0 ? * ?', ['2026-01-01', '2026-01-02']],
  [
    'days that run over the end of the month',
    '0 0 30-2 * *',
    ['2026-01-01', '2026-01-02', '2026-01-30', '2026-01-31'],
  ],
  ['months that run over the end of the year', '0 0 1 NOV-FEB *', ['2026-01-01', '2026-02-01', '2026-11-01']],
  ['leap day', '0 0 29 2 *', ['2028-02-29', '2032-02-29', '2036-02-29']],
])('%s: %s', (_, expression, expected) => expect(dates(expression, expected.length)).toEqual(expected));

test('a date that comes once in decades is found', () => {
  // Sunday and the 29th of February are both asked for, because a field begins with a star.
  expect(dates('0 0 29 2 */8', 3)).toEqual(['2032-02-29', '2060-02-29', '2088-02-29']);
});

test('every year goes on after those that EventBridge counts', () => {
  const table = timetable({ schedules: [cron('cron(0 9 1 1 ? *)')], timezone: 'UTC' });
  expect(table.next(Date.UTC(2250, 0, 2))).toBe(Date.UTC(2251, 0, 1, 9));
});

test.each(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly', '@DAILY'])(
  'the macro %s is due again and again',
  (macro) => expect(dates(macro, 3)).toHaveLength(3),
);
