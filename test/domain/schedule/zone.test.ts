import { describe, expect, test } from 'vitest';
import { localTime, nearOffsetChange, ScheduleError } from '../../../functions/domain/schedule/index.ts';
import { offsetChanges, Zone } from '../../../functions/domain/schedule/zone.ts';
import { ZONE_NAMES } from '../../../functions/domain/schedule/zone-names.ts';

const HOUR = 3_600_000;

describe('local time', () => {
  test.each([
    ['Asia/Taipei', '2026-11-30T19:00:00Z', '2026-12-01T03:00:00+08:00'],
    ['UTC', '2026-11-30T19:00:00Z', '2026-11-30T19:00:00+00:00'],
    ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30T21:30:00-02:30'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59-10:00'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00+14:00'],
    ['Africa/Monrovia', '1971-01-01T00:00:00Z', '1970-12-31T23:15:30-00:44:30'],
    ['Europe/Dublin', '2026-12-25T12:00:00Z', '2026-12-25T12:00:00+00:00'],
    ['UTC', '2000-02-29T12:00:00Z', '2000-02-29T12:00:00+00:00'],
    ['UTC', '2099-12-31T12:00:00Z', '2099-12-31T12:00:00+00:00'],
    ['UTC', '2100-02-28T12:00:00Z', '2100-02-28T12:00:00+00:00'],
    ['UTC', '2100-03-01T12:00:00Z', '2100-03-01T12:00:00+00:00'],
    ['UTC', '2400-02-29T12:00:00Z', '2400-02-29T12:00:00+00:00'],
  ])('in %s at %s', (timezone, instant, local) =>
    expect(localTime(Date.parse(instant), timezone)).toBe(local),
  );

  test('of an unknown zone is an error', () => {
    expect(() => localTime(0, 'Mars/Olympus')).toThrow(ScheduleError);
  });
});

describe('a change of the clocks', () => {
  const change = Date.parse('2026-11-01T06:00:00Z');

  test('is near from both sides, up to the distance', () => {
    const near = (offset: number) => nearOffsetChange('America/New_York', change + offset, 3 * HOUR);
    expect([-3 * HOUR, -1, 0, 3 * HOUR].map(near)).toEqual([true, true, true, true]);
    expect([-3 * HOUR - 1, 3 * HOUR + 1].map(near)).toEqual([false, false]);
    expect(nearOffsetChange('UTC', change, 400 * 24 * HOUR)).toBe(false);
  });

  test('at the turn of a year is seen', () => {
    // Libya went back an hour as 1982 began on the wall, Kwajalein skipped a day in 1993.
    expect(offsetChanges('Libya', Date.UTC(1981, 11, 30), Date.UTC(1982, 0, 2))).toHaveLength(1);
    expect(offsetChanges('Pacific/Kwajalein', Date.UTC(1993, 7, 20), Date.UTC(1993, 7, 22))).toHaveLength(1);
  });

  test('that is taken back a week later is seen', () => {
    const changes = offsetChanges('America/Recife', Date.UTC(2000, 9, 1), Date.UTC(2000, 9, 31));
    expect(changes.map(({ at }) => new Date(at).toISOString().slice(0, 10))).toEqual([
      '2000-10-08',
      '2000-10-15',
    ]);
  });
});

test('every pinned name is known to Intl, and its segments join', () => {
  for (const name of ZONE_NAMES) {
    const zone = new Zone(name);
    let segment = zone.segmentAt(Date.UTC(2026, 0));
    for (let count = 0; count < 6 && segment.end < Number.POSITIVE_INFINITY; count++) {
      const following = zone.segmentAt(segment.end);
      expect([following.start, following.before], name).toEqual([segment.end, segment.offset]);
      expect(segment.after, name).toBe(following.offset);
      segment = following;
    }
  }
});
