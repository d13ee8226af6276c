import { describe, expect, test } from 'vitest';
import {
  at,
  cron,
  every,
  manual,
  type Schedule,
  warnings,
} from '../../../functions/domain/schedule/index.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

const told = (schedule: Schedule, timezone = 'UTC') => warnings({ schedules: [schedule], timezone }, NOW);

describe('what is valid and hardly meant is told, with the fires that show it', () => {
  test('steps that do not divide', () => {
    expect(told(cron('*/35 * * * *'))).toMatchInlineSnapshot(`
      [
        "minute: */35 is not every 35 minutes, since it starts again every hour; for an even period write every('35 minutes'); next due 2026-11-30 12:35, 13:00, 13:35, 14:00, 14:35",
      ]
    `);
    expect(told(cron('1/120 * * * *'))).toMatchInlineSnapshot(`
      [
        "minute: 1/120 is not every 120 minutes, since it starts again every hour; for an even period write every('120 minutes'); next due 2026-11-30 12:01, 13:01, 14:01, 15:01, 16:01",
      ]
    `);
    expect(told(cron('0 8-23/24 * * *'))).toMatchInlineSnapshot(`
      [
        "hour: 8-23/24 is 8 alone; next due 2026-12-01 08:00, 2026-12-02 08:00, 2026-12-03 08:00, 2026-12-04 08:00, 2026-12-05 08:00",
      ]
    `);
    expect(told(cron('0 0 */2 * *'))).toMatchInlineSnapshot(`
      [
        "day-of-month: */2 is not every 2 days, since it starts again every month; for an even period write every('2 days'); next due 2026-12-01 00:00, 2026-12-03 00:00, 2026-12-05 00:00, 2026-12-07 00:00, 2026-12-09 00:00",
      ]
    `);
  });

  test('steps that do not divide, of months, in a range, in a list and in a pasted expression', () => {
    expect(told(cron('0 0 1 */5 *'))).toMatchInlineSnapshot(`
      [
        "month: */5 is not every 5 months, since it starts again every year; next due 2027-01-01 00:00, 2027-06-01 00:00, 2027-11-01 00:00, 2028-01-01 00:00, 2028-06-01 00:00",
      ]
    `);
    expect(told(cron('10-20/15 * * * *'))).toMatchInlineSnapshot(`
      [
        "minute: 10-20/15 is 10 alone; next due 2026-11-30 12:10, 13:10, 14:10, 15:10, 16:10",
      ]
    `);
    expect(told(cron('5,*/35 * * * *'))).toMatchInlineSnapshot(`
      [
        "minute: */35 is not every 35 minutes, since it starts again every hour; for an even period write every('35 minutes'); next due 2026-11-30 12:05, 12:35, 13:00, 13:05, 13:35",
      ]
    `);
    expect(told(cron('cron(*/35 * * * ? *)'))).toMatchInlineSnapshot(`
      [
        "minute: */35 is not every 35 minutes, since it starts again every hour; for an even period write every('35 minutes'); next due 2026-11-30 12:35, 13:00, 13:35, 14:00, 14:35",
      ]
    `);
  });

  test('the ends of months', () => {
    expect(told(cron('0 0 31 * *'))).toMatchInlineSnapshot(`
      [
        "day-of-month: 31 is skipped in FEB, APR, JUN, SEP, NOV; for the last day of each month write L; next due 2026-12-31 00:00, 2027-01-31 00:00, 2027-03-31 00:00, 2027-05-31 00:00, 2027-07-31 00:00",
      ]
    `);
    expect(told(cron('0 0 28-31 * *'))).toMatchInlineSnapshot(`
      [
        "day-of-month: 28,29,30,31 is up to 4 days a month; for the last day of each month write L; next due 2026-12-28 00:00, 2026-12-29 00:00, 2026-12-30 00:00, 2026-12-31 00:00, 2027-01-28 00:00",
      ]
    `);
    expect(told(cron('0 0 29 2 *'))).toMatchInlineSnapshot(`
      [
        "day-of-month: 29 is skipped in FEB of common years; for the last day of each month write L; next due 2028-02-29 00:00, 2032-02-29 00:00, 2036-02-29 00:00, 2040-02-29 00:00, 2044-02-29 00:00",
      ]
    `);
  });

  test('dates that never come, or are over', () => {
    expect(told(cron('0 0 31 2 *'))).toMatchInlineSnapshot(`
      [
        "schedule: "0 0 31 2 *" is never due; for a job that is only started by hand write manual()",
      ]
    `);
    expect(told(cron('cron(0 8 1 * ? 2025)'))).toMatchInlineSnapshot(`
      [
        "schedule: "cron(0 8 1 * ? 2025)" was last due at 2025-12-01T08:00:00+00:00, and never will be again; for a job that is only started by hand write manual()",
      ]
    `);
    expect(told(at('2026-11-30T12:00'))[0]).toContain('was last due at 2026-11-30T12:00:00+00:00');
    expect(told(at('2026-11-30T11:00'))).toMatchInlineSnapshot(`
      [
        "schedule: "2026-11-30T11:00" was last due at 2026-11-30T11:00:00+00:00, and never will be again; for a job that is only started by hand write manual()",
      ]
    `);
  });

  test('weekdays by number in EventBridge', () => {
    expect(told(cron('cron(0 9 ? * 1-5 *)'))).toMatchInlineSnapshot(`
      [
        "day-of-week: 1-5 is SUN-THU in EventBridge, where 1 is Sunday; write the names; next due 2026-12-01 09:00, 2026-12-02 09:00, 2026-12-03 09:00, 2026-12-06 09:00, 2026-12-07 09:00",
      ]
    `);
    expect(told(cron('cron(0 9 ? * MON,6 *)'))[0]).toContain('day-of-week: MON,6 is MON,FRI in EventBridge');
    expect(told(cron('cron(0 9 ? * 2#1 *)'))).toMatchInlineSnapshot(`
      [
        "day-of-week: 2#1 is MON#1 in EventBridge, where 1 is Sunday; write the names; next due 2026-12-07 09:00, 2027-01-04 09:00, 2027-02-01 09:00, 2027-03-01 09:00, 2027-04-05 09:00",
      ]
    `);
  });

  test.each([
    ['8-14', 'MON', '; for one day a month write MON#2'],
    ['22-28', '5', '; for one day a month write 5#4'],
    ['2-8', 'MON', ''],
    ['1-8', 'MON', ''],
    ['1-6,8', 'MON', ''],
    ['1', 'MON', ''],
    ['1,7', 'MON', ''],
    ['1-7', 'MON,TUE', ''],
  ])(
    'both days, with what is meant where that is one week of the month: %s and %s',
    (date, weekday, meant) => {
      expect(told(cron(`0 9 ${date} * ${weekday}`))[0]).toContain(
        `day-of-week: ${weekday} or day-of-month ${date} is enough, not both are needed${meant}; next due`,
      );
    },
  );

  test('both days', () => {
    expect(told(cron('0 9 1-7 * 1'))).toMatchInlineSnapshot(`
      [
        "day-of-week: 1 or day-of-month 1-7 is enough, not both are needed; for one day a month write 1#1; next due 2026-12-01 09:00, 2026-12-02 09:00, 2026-12-03 09:00, 2026-12-04 09:00, 2026-12-05 09:00",
      ]
    `);
    expect(told(cron('0 0 */10 * 1')).at(-1)).toMatchInlineSnapshot(
      `"day-of-week: 1 counts only on days */10, since one of the two begins with *; next due 2026-12-21 00:00, 2027-01-11 00:00, 2027-02-01 00:00, 2027-03-01 00:00, 2027-05-31 00:00"`,
    );
  });

  test('sixty fires in an hour', () => {
    expect(told(cron('* 4 * * *'))).toMatchInlineSnapshot(`
      [
        "minute: * with hour 4 is due 60 times in that hour; for once write 0 4; next due 2026-12-01 04:00, 04:01, 04:02, 04:03, 04:04",
      ]
    `);
  });

  test('a rate, whose phase is not AWS any more', () => {
    expect(told(cron('rate(90 minutes)'))).toMatchInlineSnapshot(`
      [
        "schedule: rate(90 minutes) is read as every('90 minutes'): due on a fixed grid from 1970-01-01T00:00:00Z, not from the time of deployment",
      ]
    `);
  });

  test('times that the clocks leave out or show twice', () => {
    expect(told(cron('30 2 * * *'), 'America/New_York')).toMatchInlineSnapshot(`
      [
        "timezone: a time that this schedule names does not exist when the clocks of America/New_York go forward; it is due at 2027-03-14T03:00:00-04:00 instead (dst: { gap: 'next' }), or not at all with gap: 'skip'",
      ]
    `);
    expect(told(cron('30 1 * * *'), 'America/New_York')).toMatchInlineSnapshot(`
      [
        "timezone: 2027-11-07T01:30 comes twice when the clocks of America/New_York go back; it is due the first time and not at 2027-11-07T01:30:00-05:00 (dst: { repeat: 'first' }); 'second' and 'both' change that",
      ]
    `);
  });

  test('the first time that comes twice is the first of the hour', () => {
    expect(told(cron('0 1 * * *'), 'America/New_York')[0]).toContain('2027-11-07T01:00 comes twice');
  });

  test('zones that count westwards', () => {
    expect(told(manual(), 'Etc/GMT+8')).toMatchInlineSnapshot(`
      [
        "timezone: Etc/GMT+8 is UTC-8: IANA counts these zones westwards",
      ]
    `);
  });
});

test.each([
  ['Etc/GMT-8', 'UTC+8'],
  ['Etc/GMT+10', 'UTC-10'],
])('%s is %s, which hardly anybody means', (timezone, meant) => {
  expect(told(manual(), timezone)).toEqual([
    `timezone: ${timezone} is ${meant}: IANA counts these zones westwards`,
  ]);
});

describe('nothing is said about', () => {
  test.each(['Etc/GMT', 'Etc/GMT+0', 'Etc/GMT-0', 'Etc/GMT0', 'Europe/Berlin'])('the zone %s', (timezone) => {
    expect(told(manual(), timezone)).toEqual([]);
  });

  test.each([
    '0 3 * * *',
    '*/15 * * * *',
    '0 */6 * * *',
    '@daily',
    '0 9 * * 1-5',
    '0 0 31 1,3 *',
    '0 0 L * *',
    '0 9-17/2 * * *',
    '10-20/10 * * * *',
    '5-5/1 * * * *',
    '* 4,5 * * *',
    '0 0 28 * *',
    '0 0 1 * ?',
    '0 0 ? * 1',
  ])('%s', (expression) => expect(told(cron(expression), 'America/New_York')).toEqual([]));

  test.each([cron('cron(0 9 ? * MON-FRI *)'), every('7 minutes'), at('2027-01-01T09:00'), manual()])(
    '%j',
    (schedule) => expect(told(schedule)).toEqual([]),
  );

  test('changes of the clocks for which the author has said what he wants', () => {
    for (const dst of [{ gap: 'skip', repeat: 'both' } as const, { gap: 'next', repeat: 'first' } as const]) {
      const spec = { schedules: [cron('30 1,2 * * *')], timezone: 'America/New_York', dst };
      expect(warnings(spec, NOW)).toEqual([]);
    }
  });
});
