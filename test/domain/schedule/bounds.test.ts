import { describe, expect, test } from 'vitest';
import {
  cron,
  type Exception,
  every,
  isExcluded,
  localTime,
  problems,
  type Spec,
  spreadOf,
  timetable,
} from '../../../functions/domain/schedule/index.ts';

const base: Spec = { schedules: [cron('0 9 * * *')], timezone: 'Asia/Taipei' };

function fires(spec: Spec): string[] {
  const from = Date.parse('2026-12-30T00:00:00Z');
  const found = [...timetable(spec).between(from, from + 7 * 86_400_000)];
  return found.map((fire) => localTime(fire, spec.timezone).slice(0, 16));
}

describe('from and until', () => {
  test('are dates of the zone, both included', () => {
    expect(fires({ ...base, from: '2027-01-01', until: '2027-01-02' })).toEqual([
      '2027-01-01T09:00',
      '2027-01-02T09:00',
    ]);
  });

  test('are local times, both included', () => {
    const bounds = { from: '2027-01-01T09:00', until: '2027-01-02T09:00' };
    expect(fires({ ...base, ...bounds })).toEqual(['2027-01-01T09:00', '2027-01-02T09:00']);
    expect(fires({ ...base, from: '2027-01-01T09:01', until: '2027-01-02T08:59' })).toEqual([]);
  });

  test('are each for itself', () => {
    const table = (bounds: Partial<Spec>) => timetable({ ...base, ...bounds });
    expect(table({ from: '2027-01-01' }).next(Date.parse('2030-01-01T00:00:00Z'))).toBe(
      Date.parse('2030-01-01T01:00:00Z'),
    );
    expect(table({ until: '2027-01-01' }).previous(Date.parse('2000-01-01T00:00:00Z'))).toBe(
      Date.parse('1999-12-31T01:00:00Z'),
    );
  });

  test('that the clocks skip mean the instant after the gap', () => {
    const nightly: Spec = { schedules: [cron('30 2 * * *')], timezone: 'Europe/Berlin' };
    const afterGap = Date.parse('2027-03-28T01:00:00Z');
    expect(timetable({ ...nightly, until: '2027-03-28T02:30' }).has(afterGap)).toBe(true);
    const hourly: Spec = { ...nightly, schedules: [cron('0 * * * *')], from: '2027-03-28T02:30' };
    expect(timetable(hourly).next(0)).toBe(afterGap);
  });

  test('begin with the first of two times', () => {
    const spec: Spec = {
      schedules: [cron('30 * * * *')],
      timezone: 'Europe/Berlin',
      from: '2027-10-31T02:30',
    };
    expect(timetable(spec).next(0)).toBe(Date.parse('2027-10-31T00:30:00Z'));
  });

  test('do not reach into the midnight after', () => {
    const midnights = { ...base, schedules: [cron('0 0 * * *')], from: '2027-01-01', until: '2027-01-01' };
    expect(fires(midnights)).toEqual(['2027-01-01T00:00']);
  });

  test('include both times when the last one comes twice', () => {
    const spec: Spec = {
      schedules: [cron('30 * * * *')],
      timezone: 'America/New_York',
      until: '2026-11-01T01:30',
    };
    expect(timetable(spec).previous(Number.POSITIVE_INFINITY)).toBe(Date.parse('2026-11-01T06:30:00Z'));
  });

  test('hold backwards, too', () => {
    const table = timetable({ ...base, from: '2027-01-01', until: '2027-01-02' });
    expect(table.previous(Date.parse('2030-01-01T00:00:00Z'))).toBe(Date.parse('2027-01-02T01:00:00Z'));
    expect(table.previous(Date.parse('2027-01-01T01:00:00Z'))).toBeNull();
    expect(table.next(Date.parse('2027-01-02T01:00:00Z'))).toBeNull();
    expect(table.has(Date.parse('2027-01-03T01:00:00Z'))).toBe(false);
  });

  test('that cannot be read, or leave nothing, are told', () => {
    expect(problems({ ...base, from: 'soon', until: '2027-02-30' })).toEqual([
      'from: "soon" is no local date or time; write 2027-01-01 or 2027-01-01T09:00',
      'until: "2027-02-30" is no local date or time; write 2027-01-01 or 2027-01-01T09:00',
    ]);
    expect(problems({ ...base, from: '2027-01-02', until: '2027-01-01' })).toEqual([
      'until: "2027-01-01" is before from, "2027-01-02"; nothing would ever be due',
    ]);
  });
});

describe('except', () => {
  const fire = Date.parse('2026-12-25T01:00:00Z');
  const excluded = (...except: Exception[]) => isExcluded({ ...base, except }, fire);

  test('takes a date, a range or a cron, on the wall of the zone', () => {
    expect(excluded('2026-12-25')).toBe(true);
    expect(excluded('2026-12-24')).toBe(false);
    expect(excluded('2026-12-20/2026-12-25')).toBe(true);
    expect(excluded('2026-12-20/2026-12-24')).toBe(false);
    expect(excluded(cron('* * * 12 5'))).toBe(true);
    expect(excluded('2026-12-24', cron('* * * * 6'))).toBe(false);
  });

  test('leaves the fire due', () => {
    expect(timetable({ ...base, except: ['2026-12-25'] }).has(fire)).toBe(true);
  });

  test('of a schedule goes with the spread of the job', () => {
    const spec: Spec = { schedules: [cron('0 * * * *')], timezone: 'UTC', spreadMs: 7 * 60_000 };
    const noon: Spec = { ...spec, except: [cron('0 12 * * *')] };
    expect(isExcluded(noon, Date.parse('2026-12-25T12:07:00Z'))).toBe(true);
    expect(isExcluded(noon, Date.parse('2026-12-25T13:07:00Z'))).toBe(false);
    expect(isExcluded({ ...spec, except: [every('1 hour')] }, Date.parse('2026-12-25T13:07:00Z'))).toBe(true);
  });

  test('of a time that the clocks skip excepts what is made up for it after the gap, and nothing else', () => {
    const afterGap = Date.parse('2027-03-28T01:00:00Z');
    const except = [cron('30 2 * * SUN')];
    const nightly: Spec = { schedules: [cron('30 2 * * *')], timezone: 'Europe/Berlin', except };
    expect(timetable(nightly).has(afterGap)).toBe(true);
    expect(isExcluded(nightly, afterGap)).toBe(true);
    expect(isExcluded({ ...nightly, schedules: [cron('*/30 * * * *')] }, afterGap)).toBe(false);
  });

  test('of a time that comes twice excepts it both times', () => {
    const except = [cron('30 2 * * *')];
    const both = { gap: 'next', repeat: 'both' } as const;
    const nightly: Spec = { schedules: [cron('30 2 * * *')], timezone: 'Europe/Berlin', except, dst: both };
    for (const time of ['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z'])
      expect(isExcluded(nightly, Date.parse(time))).toBe(true);
  });

  test('covers a day without a midnight', () => {
    const spec: Spec = { schedules: [cron('0 3 * * *')], timezone: 'Africa/Cairo', except: ['2026-04-24'] };
    expect(isExcluded(spec, Date.parse('2026-04-23T22:00:00Z'))).toBe(true);
    expect(isExcluded(spec, Date.parse('2026-04-23T21:59:00Z'))).toBe(false);
    expect(isExcluded(spec, Date.parse('2026-04-24T21:00:00Z'))).toBe(false);
  });

  test('that cannot be read is told', () => {
    const ranges = ['2027-02-29/2027-03-01', '2027-02-01/2027-02-29', '2027-01-01/', ' 2027-01-01'];
    for (const except of ranges)
      expect(problems({ ...base, except: [except] })).toEqual([
        `except: "${except}" is no date; write 2026-12-25, a range 2026-12-24/2027-01-02, or cron(…)`,
      ]);
    const except: Exception[] = ['xmas', '2027-01-02/2027-01-01', '2027-02-29'];
    expect(problems({ ...base, except })).toEqual([
      'except: "xmas" is no date; write 2026-12-25, a range 2026-12-24/2027-01-02, or cron(…)',
      'except: "2027-01-02/2027-01-01" runs backwards; write the earlier date first',
      'except: "2027-02-29" is no date; write 2026-12-25, a range 2026-12-24/2027-01-02, or cron(…)',
    ]);
  });
});

describe('spread', () => {
  test('puts every time off by the same minutes', () => {
    const spreadMs = 7 * 60_000;
    expect(fires({ ...base, spreadMs })[0]).toBe('2026-12-30T09:07');
    expect(fires({ ...base, schedules: [every('1 day')], spreadMs })[0]).toBe('2026-12-30T08:07');
  });

  test('is a whole number of minutes below its limit that depends on the id alone', () => {
    const within = 10 * 60_000;
    const counts = new Map<number, number>();
    for (let job = 0; job < 1_000; job++) {
      const spread = spreadOf(`billing/job-${job}`, within);
      expect(spreadOf(`billing/job-${job}`, within)).toBe(spread);
      counts.set(spread, (counts.get(spread) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n * 60_000),
    );
    expect(Math.min(...counts.values())).toBeGreaterThan(60);
  });

  test('never moves between versions', () => {
    expect(spreadOf('billing/send-invoices', 3_600_000)).toMatchInlineSnapshot(`1860000`);
  });

  test('backwards is refused', () => {
    expect(problems({ ...base, spreadMs: -60_000 })).toEqual([
      'spread: -60000 ms is no whole number of minutes',
    ]);
  });

  test('in broken minutes is refused', () => {
    expect(problems({ ...base, spreadMs: 30_000 })).toEqual([
      'spread: 30000 ms is no whole number of minutes',
    ]);
  });
});
