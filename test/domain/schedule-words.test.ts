import { expect, test } from 'vitest';
import { at, cron, every, manual, type Schedule } from '../../functions/domain/schedule/index.ts';
import { inWords } from '../../functions/domain/schedule-words.ts';

const words = (...schedules: Schedule[]) => inWords({ schedules });

test.each([
  [cron('0 3 * * *'), 'At 03:00'],
  [cron('0 6 1 * *'), 'At 06:00, on day 1 of the month'],
  [cron('*/5 * * * *'), 'Every 5 minutes'],
  [cron('0 9 * * 5#2'), 'At 09:00, on the second Friday of the month'],
  [every('1 hour'), 'Every hour'],
  [every('11 minutes'), 'Every 11 minutes'],
  [every('90 minutes', { offset: '10 minutes' }), 'Every 90 minutes, shifted by 10 minutes'],
  [cron('rate(5 minutes)'), 'Every 5 minutes'],
  [at('2027-01-01T09:00'), 'Once, at 2027-01-01 09:00'],
  [manual(), 'Only when started by hand'],
])('a schedule is said in words: %o', (schedule, said) => {
  expect(words(schedule)).toBe(said);
});

test('two restricted day fields of Unix cron mean either, and are said so', () => {
  expect(words(cron('0 9 1,15 * MON'))).toBe(
    'At 09:00, on day 1 and 15 of the month; or at 09:00, only on Monday',
  );
});

test('blanks between the fields are of no account', () => {
  const spaced: Schedule = { kind: 'cron', dialect: 'unix', expression: ' 0  9 1,15 *  MON ' };
  expect(words(spaced)).toBe(words(cron('0 9 1,15 * MON')));
});

test('a form that has no words is told as it is written', () => {
  expect(words(cron('0 0 5W,15W * *'))).toBe('0 0 5W,15W * *');
});

test('a day field that begins with * restricts the other, and is said so', () => {
  expect(words(cron('0 3 */2 * 1'))).toBe('At 03:00, every 2 days in a month, only on Monday');
});

test('EventBridge counts weekdays from Sunday = 1, and its last field is the year', () => {
  expect(words(cron('cron(0 9 ? * 2#1 2027)'))).toBe(
    'At 09:00, on the first Monday of the month, only in 2027',
  );
  expect(words(cron('cron(0 12 ? * 7L *)'))).toBe('At 12:00, on the last Saturday of the month');
});

test('several schedules are said one after the other', () => {
  expect(words(cron('0 3 * * *'), every('4 hours'))).toBe('At 03:00; and every 4 hours');
});
