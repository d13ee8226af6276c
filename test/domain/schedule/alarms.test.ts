import { describe, expect, test } from 'vitest';
import {
  alarmTimetable,
  at,
  compileAlarms,
  cron,
  every,
  manual,
  type Schedule,
  type Spec,
  timetable,
} from '../../../functions/domain/schedule/index.ts';

function alarmsOf(schedule: Schedule, rest: Partial<Spec> = {}): string[] {
  const { alarms } = compileAlarms({ schedules: [schedule], timezone: 'America/New_York', ...rest });
  return alarms.map(({ expression, timezone }) => `${expression} ${timezone}`);
}

describe('a cron becomes the EventBridge alarms that hit it', () => {
  test.each([
    ['0 3 * * *', ['cron(0 3 * * ? *)']],
    ['*/15 9-17 * * MON-FRI', ['cron(0/15 9-17 ? * MON-FRI *)']],
    ['5,10 22-2 * JAN,JUL 0,6', ['cron(5,10 0-2,22,23 ? 1,7 SUN,SAT *)']],
    ['0 9 1-7 * 1', ['cron(0 9 1-7 * ? *)', 'cron(0 9 ? * MON *)']],
    ['0 0 L * *', ['cron(0 0 L * ? *)']],
    ['0 0 15W * *', ['cron(0 0 15W * ? *)']],
    ['0 0 * * 5L', ['cron(0 0 ? * 6L *)']],
    ['0 0 * * FRI#2', ['cron(0 0 ? * 6#2 *)']],
    ['cron(0 3 ? * MON-FRI 2027)', ['cron(0 3 ? * MON-FRI 2027)']],
    ['0 9 1-31 * 1', ['cron(0 9 * * ? *)']],
    ['0 9 1 * 0-6', ['cron(0 9 * * ? *)']],
    ['0 0 *,L * *', ['cron(0 0 * * ? *)']],
    ['0 0 2W * *', ['cron(0 0 2W * ? *)']],
    ['0 0 27W * *', ['cron(0 0 27W * ? *)']],
  ])('%s', (expression, expected) => {
    expect(alarmsOf(cron(expression))).toEqual(expected.map((alarm) => `${alarm} America/New_York`));
  });

  test.each([
    ['0,20,40 9 * * *', '0/20 9'],
    ['0,30 9 * * *', '0,30 9'],
    ['0,15,30 9 * * *', '0,15,30 9'],
    ['2,21,40 9 * * *', '2,21,40 9'],
    ['0,10,25 9 * * *', '0,10,25 9'],
    ['57-59 9 * * *', '57-59 9'],
    ['0,20,40,50 9 * * *', '0,20,40,50 9'],
  ])('with a step just where it hits the same times, and no more: %s', (expression, times) => {
    expect(alarmsOf(cron(expression))).toEqual([`cron(${times} * * ? *) America/New_York`]);
  });

  test('of 256 characters at most, as EventBridge takes them; a longer one is swept', () => {
    const years = Array.from({ length: 48 }, (_, index) => 2001 + 2 * index).join(',');
    const [longest, longer] = [`cron(10 0 1 1 ? ${years})`, `cron(10 10 1 1 ? ${years})`];
    expect([longest.length, longer.length]).toEqual([256, 257]);
    expect(alarmsOf(cron(longest))).toEqual([`${longest} America/New_York`]);
    expect(alarmsOf(cron(longer))).toEqual([]);
  });

  test.each(['0 0 */10 * 1', '0 0 LW * *', '0 0 L-3 * *', '0 0 1W * *', '0 0 28W * *'])(
    'what EventBridge cannot say, or does not document, is swept: %s',
    (expression) => {
      const spec = { schedules: [cron(expression)], timezone: 'UTC' };
      const { alarms, isSwept } = compileAlarms(spec);
      expect(alarms).toEqual([]);
      const fire = timetable(spec).next(Date.UTC(2026, 0)) ?? 0;
      expect(isSwept(fire)).toBe(true);
      expect(isSwept(fire + 60_000)).toBe(false);
    },
  );
});

describe('a grid becomes alarms in UTC', () => {
  test.each([
    ['5 minutes', undefined, ['cron(0/5 * * * ? *)']],
    ['1 minute', undefined, ['cron(* * * * ? *)']],
    ['1 hour', '20 minutes', ['cron(20 * * * ? *)']],
    ['6 hours', '1 hour', ['cron(0 1/6 * * ? *)']],
    ['1 day', '150 minutes', ['cron(30 2 * * ? *)']],
    ['7 days', '1 day', ['cron(0 0 ? * FRI *)']],
    ['7 days', '1590 minutes', ['cron(30 2 ? * FRI *)']],
    ['90 minutes', undefined, ['cron(0 0/3 * * ? *)', 'cron(30 1/3 * * ? *)']],
    [
      '48 minutes',
      undefined,
      ['cron(0,48 0/4 * * ? *)', 'cron(36 1/4 * * ? *)', 'cron(24 2/4 * * ? *)', 'cron(12 3/4 * * ? *)'],
    ],
    ['32 minutes', undefined, []],
    ['7 minutes', undefined, []],
    ['2 days', undefined, []],
    ['14 days', undefined, []],
  ])('%s', (period, offset, expected) => {
    const schedule = every(period, offset === undefined ? {} : { offset });
    expect(alarmsOf(schedule)).toEqual(expected.map((alarm) => `${alarm} UTC`));
  });
});

describe('a single time', () => {
  test('becomes at(…) when the wall shows it once', () => {
    expect(alarmsOf(at('2027-01-01T09:00'))).toEqual(['at(2027-01-01T09:00:00) America/New_York']);
  });

  test.each(['2026-03-08T02:30', '2026-11-01T01:30'])('is swept when not: %s', (local) => {
    const spec: Spec = { schedules: [at(local)], timezone: 'America/New_York' };
    const { alarms, isSwept } = compileAlarms(spec);
    expect(alarms).toEqual([]);
    expect(isSwept(timetable(spec).next(0) ?? 0)).toBe(true);
  });
});

test('manual has no alarm', () => {
  expect(alarmsOf(manual())).toEqual([]);
});

test('a fire moved out of a gap is swept, the others are alarmed', () => {
  const { isSwept } = compileAlarms({ schedules: [cron('30 2 * * *')], timezone: 'America/New_York' });
  expect(isSwept(Date.parse('2026-03-07T07:30:00Z'))).toBe(false);
  expect(isSwept(Date.parse('2026-03-08T07:00:00Z'))).toBe(true);
});

test('an hourly job is alarmed in the first of two repeated hours and swept in the second', () => {
  const { isSwept } = compileAlarms({ schedules: [cron('0 * * * *')], timezone: 'America/New_York' });
  expect(isSwept(Date.parse('2026-11-01T05:00:00Z'))).toBe(false);
  expect(isSwept(Date.parse('2026-11-01T06:00:00Z'))).toBe(true);
});

test('repeat second has no alarm where EventBridge would hit the first', () => {
  const dst = { gap: 'next', repeat: 'second' } as const;
  expect(alarmsOf(cron('30 1 * * *'), { dst })).toEqual([]);
  expect(alarmsOf(cron('0 1 * * *'), { dst })).toEqual([]);
  expect(alarmsOf(cron('0 9 * * *'), { dst })).toEqual(['cron(0 9 * * ? *) America/New_York']);
  expect(alarmsOf(cron('0 3 * * *'), { dst })).toEqual(['cron(0 3 * * ? *) America/New_York']);
  expect(alarmsOf(cron('cron(0 9 * * ? 2027)'), { dst })).toEqual(['cron(0 9 * * ? 2027) America/New_York']);
});

test('an alarm follows EventBridge and not our own rule', () => {
  const alarm = alarmTimetable({ expression: 'cron(30 2 * * ? *)', timezone: 'America/New_York' });
  expect(alarm.next(Date.parse('2026-03-08T06:00:00Z'))).toBe(Date.parse('2026-03-09T06:30:00Z'));
});

describe('a spread', () => {
  const spreadMs = 40 * 60_000;

  test('moves the alarms, as many as the hours need', () => {
    expect(alarmsOf(cron('0 3 * * *'), { spreadMs })).toEqual(['cron(40 3 * * ? *) America/New_York']);
    expect(alarmsOf(cron('0,30 9-11 * * *'), { spreadMs })).toEqual([
      'cron(40 9 * * ? *) America/New_York',
      'cron(10,40 10,11 * * ? *) America/New_York',
      'cron(10 12 * * ? *) America/New_York',
    ]);
    expect(alarmsOf(every('1 hour'), { spreadMs })).toEqual(['cron(40 * * * ? *) UTC']);
    expect(alarmsOf(at('2027-01-01T23:30'), { spreadMs })).toEqual([
      'at(2027-01-02T00:10:00) America/New_York',
    ]);
  });

  test('past midnight is swept', () => {
    const spec: Spec = { schedules: [cron('30 23 L * *')], timezone: 'UTC', spreadMs };
    const { alarms, isSwept } = compileAlarms(spec);
    expect(alarms).toEqual([]);
    expect(isSwept(Date.parse('2026-12-01T00:10:00Z'))).toBe(true);
    expect(alarmsOf(cron('20 23 * * *'), { spreadMs })).toEqual([]);
  });
});

test('bounds have no alarm, since EventBridge refuses dates that are past', () => {
  expect(alarmsOf(cron('0 3 * * *'), { until: '2027-01-01' })).toEqual([]);
});
