import { describe, expect, test } from 'vitest';
import {
  every,
  formatDuration,
  parseDuration,
  ScheduleError,
  timetable,
} from '../../../functions/domain/schedule/index.ts';

const MINUTE = 60_000;

describe('a grid', () => {
  const table = (period: string, offset?: string) =>
    timetable({
      schedules: [every(period, offset === undefined ? {} : { offset })],
      timezone: 'America/New_York',
    });

  test('stands on the epoch, whatever the zone and its clocks', () => {
    const from = Date.parse('2026-03-08T00:00:00Z');
    const found = [...table('90 minutes').between(from - 1, from + 86_400_000 - 1)];
    expect(found).toHaveLength(16);
    for (const fire of found) expect(fire % (90 * MINUTE)).toBe(0);
  });

  test('is shifted by its offset', () => {
    const days = table('2 days', '3 hours');
    const first = days.next(Date.parse('2026-11-30T00:00:00Z')) ?? 0;
    expect(new Date(first).toISOString()).toBe('2026-12-01T03:00:00.000Z');
    expect(days.next(first)).toBe(first + 2 * 86_400_000);
    expect(days.previous(first)).toBe(first - 2 * 86_400_000);
    expect(days.previous(first + 1)).toBe(first);
    expect(days.next(first - 1)).toBe(first);
    expect(days.has(first)).toBe(true);
    expect(days.has(first + MINUTE)).toBe(false);
  });

  test('begins with the epoch', () => {
    expect(table('1 hour', '5 minutes').next(-1)).toBe(5 * MINUTE);
    expect(table('1 hour', '5 minutes').previous(5 * MINUTE)).toBeNull();
    expect(table('1 hour', '5 minutes').previous(5 * MINUTE + 1)).toBe(5 * MINUTE);
  });
});

describe('a duration', () => {
  test.each([
    ['90 seconds', 90_000],
    ['1 minute', MINUTE],
    ['14.5 minutes', 14.5 * MINUTE],
    ['0.125 seconds', 125],
    ['2 hours', 120 * MINUTE],
    ['400 days', 400 * 1440 * MINUTE],
  ])('%s', (text, ms) => expect(parseDuration(text, 'timeout')).toBe(ms));

  test.each([
    '',
    '5',
    'minutes',
    '5minutes',
    '-5 minutes',
    '5 Minutes',
    '1e3 minutes',
    '1 week',
    ' 5 minutes',
    '5 minutes ',
    '5 minutesx',
    '1.2345 minutes',
  ])('cannot be read in %j', (text) => expect(() => parseDuration(text, 'timeout')).toThrow(ScheduleError));

  test('that cannot be read names its option', () => {
    expect(() => parseDuration('soon', 'timeout')).toThrowErrorMatchingInlineSnapshot(
      `[ScheduleError: timeout: "soon" is not a duration; write a number, a blank and seconds, minutes, hours or days, such as '10 minutes']`,
    );
  });

  test.each(['1 minute', '90 minutes', '1 hour', '36 hours', '7 days', '30 seconds', '0 seconds'])(
    'is written as it is read: %s',
    (text) => expect(formatDuration(parseDuration(text, 'grace'))).toBe(text),
  );
});
