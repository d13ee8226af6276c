import { describe, expect, test } from 'vitest';
import { day, floorToMinute, fromIso, hour, minute, second, toIso } from '../../functions/domain/time.ts';

const instant = Date.UTC(2026, 10, 30, 19, 0, 5);

test('the units are milliseconds', () => {
  expect([second, minute, hour, day]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
});

test('an instant is spelled in UTC, to the second', () => {
  expect(toIso(instant + 999)).toBe('2026-11-30T19:00:05Z');
});

describe('an ISO text', () => {
  test.each([
    ['2026-11-30T19:00:05Z', instant],
    ['2026-11-30T19:00:05.25Z', instant + 250],
    ['2026-11-30T20:00:05+01:00', instant],
    ['2026-11-30T14:30:05-04:30', instant],
    ['2026-11-30T19:00Z', instant - 5_000],
  ])('with its zone is an instant: %s', (text, read) => {
    expect(fromIso(text)).toBe(read);
  });

  test.each([
    '2026-11-30T19:00:05',
    '2026-11-30',
    '2026-11-30 19:00:05Z',
    ' 2026-11-30T19:00:05Z',
    '2026-11-30T19:00:05Z ',
    '+002026-11-30T19:00:05Z',
    '2026-11-30T19:00:05+01',
    '2026-11-30T19:00:05+0100',
    '2026-11-30T19:00:5Z',
    '2026-11-30T9:00:05Z',
    '2026-11-30T19:00:05.Z',
    'Mon, 30 Nov 2026 19:00:05 GMT',
    '',
  ])('without its zone, or spelled in another way, is none: "%s"', (text) => {
    expect(fromIso(text)).toBeNull();
  });

  test.each(['2026-13-01T00:00:00Z', '2026-11-30T25:00:00Z', '2026-11-30T19:60:00Z'])(
    'that no calendar or clock shows is none: %s',
    (text) => {
      expect(fromIso(text)).toBeNull();
    },
  );
});

test('an instant is floored to its minute', () => {
  expect([instant, instant + 54_999, instant + 55_000].map(floorToMinute).map(toIso)).toEqual([
    '2026-11-30T19:00:00Z',
    '2026-11-30T19:00:00Z',
    '2026-11-30T19:01:00Z',
  ]);
});
