import { describe, expect, test } from 'vitest';
import {
  at,
  cron,
  every,
  movedFires,
  recordZone,
  type Schedule,
  type Spec,
  timetable,
  type ZoneRecord,
} from '../../../functions/domain/schedule/index.ts';
import { recordedRules } from '../../../functions/domain/schedule/zone-record.ts';
import { day, hour, toIso } from '../../../functions/domain/time.ts';

const now = Date.parse('2026-12-01T00:00:00Z');
const until = now + 730 * day;
const berlin = recordZone('Europe/Berlin', now, until);

function moved(
  schedule: Schedule,
  record: ZoneRecord,
  { timezone = 'Europe/Berlin', most = 100 } = {},
): string[] {
  const spec: Spec = { schedules: [schedule], timezone };
  return movedFires(spec, record, { now, most }).map(
    ({ from, to }) => `${from === null ? '-' : toIso(from)} > ${to === null ? '-' : toIso(to)}`,
  );
}

/** The record of a database in which the spring of 2027 brings no summer time to Berlin. */
const withoutSummer: ZoneRecord = { ...berlin, changes: berlin.changes.slice(2) };

describe('the record of a zone', () => {
  test('is its offset and the changes ahead, as plain JSON', () => {
    expect({ ...berlin, changes: berlin.changes.slice(0, 2) }).toEqual({
      from: now,
      to: until,
      offset: hour,
      changes: [
        [Date.parse('2027-03-28T01:00:00Z'), 2 * hour],
        [Date.parse('2027-10-31T01:00:00Z'), hour],
      ],
    });
    expect(recordZone('Asia/Taipei', now, until)).toEqual({
      from: now,
      to: until,
      offset: 8 * hour,
      changes: [],
    });
  });

  test('that begins with a change has its new offset from the start', () => {
    const change = Date.parse('2027-03-28T01:00:00Z');
    expect(recordZone('Europe/Berlin', change, change + day)).toEqual({
      from: change,
      to: change + day,
      offset: 2 * hour,
      changes: [],
    });
  });

  test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC'])(
    'of %s knows the same fires as the zone',
    (timezone) => {
      const record = recordZone(timezone, now, until);
      for (const expression of ['30 2 * * *', '*/45 * * * *', '0 0 29 * *', '15 1-3 * * SUN']) {
        const spec: Spec = { schedules: [cron(expression)], timezone };
        const recorded = [...timetable(spec, recordedRules(record)).between(now, until)];
        expect(recorded).toEqual([...timetable(spec).between(now, until)]);
        expect(movedFires(spec, record, { now, most: 10 })).toEqual([]);
        const second: Spec = { ...spec, dst: { gap: 'next', repeat: 'second' } };
        expect(movedFires(second, record, { now, most: 10 })).toEqual([]);
        expect([...timetable(second, recordedRules(record)).between(now, until)]).toEqual([
          ...timetable(second).between(now, until),
        ]);
      }
    },
  );

  test('of all zones there are takes a fraction of an item', () => {
    const names = Intl.supportedValuesOf('timeZone');
    const all = Object.fromEntries(names.map((name) => [name, recordZone(name, now, until)]));
    expect(names.length).toBeGreaterThan(400);
    expect(JSON.stringify(all).length).toBeLessThan(100_000);
  });
});

describe('fires that moved', () => {
  test('are told from and to, soonest first, as many as are asked for', () => {
    expect(moved(cron('0 3 * * *'), withoutSummer, { most: 3 })).toEqual([
      '2027-03-28T02:00:00Z > 2027-03-28T01:00:00Z',
      '2027-03-29T02:00:00Z > 2027-03-29T01:00:00Z',
      '2027-03-30T02:00:00Z > 2027-03-30T01:00:00Z',
    ]);
    expect(moved(cron('0 12 28 * *'), withoutSummer)).toHaveLength(8);
  });

  test('are only those between the changes that differ', () => {
    expect(moved(cron('0 3 1 1 *'), withoutSummer)).toEqual([]);
    expect(moved(at('2027-07-01T03:00'), withoutSummer)).toEqual([
      '2027-07-01T02:00:00Z > 2027-07-01T01:00:00Z',
    ]);
  });

  test('may be gone, or new, with a gap that is', () => {
    expect(moved(cron('30 2 28 3 *'), withoutSummer)).toEqual([
      '- > 2027-03-28T01:00:00Z',
      '2027-03-28T01:30:00Z > -',
    ]);
  });

  test('are those from now on', () => {
    const spec: Spec = { schedules: [cron('0 3 * * *')], timezone: 'Europe/Berlin' };
    const july = Date.parse('2027-07-01T00:00:00Z');
    const [first] = movedFires(spec, withoutSummer, { now: july, most: 3 });
    expect(first).toEqual({ from: july + 2 * hour, to: july + hour });
  });

  test('are those of the week by which a change comes sooner than was recorded', () => {
    const [change, ...changes] = berlin.changes;
    if (change === undefined) throw new Error('no change');
    const later: ZoneRecord = { ...berlin, changes: [[change[0] + 7 * day, change[1]], ...changes] };
    const days = ['03-28', '03-29', '03-30', '03-31', '04-01', '04-02', '04-03'];
    expect(moved(cron('30 12 * * *'), later)).toEqual(
      days.map((date) => `2027-${date}T11:30:00Z > 2027-${date}T10:30:00Z`),
    );
  });

  test('are found however many fires come before that did not move', () => {
    const july: ZoneRecord = { ...berlin, changes: [...berlin.changes.slice(0, 1), [now + 220 * day, hour]] };
    expect(moved(cron('* 3 * * *'), july, { most: 1 })).toEqual([
      '2027-07-09T02:00:00Z > 2027-07-09T01:00:00Z',
    ]);
  });

  test('are told once where two changes that differ are near each other', () => {
    const zone = recordZone('Asia/Taipei', now, until);
    const noon = now + 30 * day + 4 * hour;
    const hours: [number, number][] = [0, 12, 36, 48].map((at, index) => [
      noon + at * hour,
      (9 - (index % 2)) * hour,
    ]);
    expect(moved(cron('0 3,15 * * *'), { ...zone, changes: hours }, { timezone: 'Asia/Taipei' })).toEqual([
      '2026-12-31T06:00:00Z > 2026-12-31T07:00:00Z',
      '2027-01-01T18:00:00Z > 2027-01-01T19:00:00Z',
    ]);
  });

  test('are none of a schedule that no zone moves, nor of times that are due anyway', () => {
    expect(moved(every('90 minutes'), withoutSummer)).toEqual([]);
    expect(moved(cron('*/5 * * * *'), withoutSummer)).toEqual([]);
  });

  test('follow a zone that was moved for good; the first is due again when it was due already', () => {
    const later: ZoneRecord = { ...recordZone('Asia/Taipei', now, until), offset: 9 * hour };
    expect(moved(cron('0 9 * * *'), later, { timezone: 'Asia/Taipei', most: 3 })).toEqual([
      '- > 2026-12-01T01:00:00Z',
      '2026-12-02T00:00:00Z > 2026-12-02T01:00:00Z',
      '2026-12-03T00:00:00Z > 2026-12-03T01:00:00Z',
    ]);
  });
});
