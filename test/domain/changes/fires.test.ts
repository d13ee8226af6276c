import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareFires, type FireChanges } from '../../../functions/domain/changes/fires.ts';
import { firstDifference } from '../../../functions/domain/changes/first-difference.ts';
import {
  cron,
  every,
  exclusions,
  localTime,
  type Schedule,
  type Spec,
  timetable,
} from '../../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../../functions/domain/time.ts';
import { holds } from '../../support/property.ts';

const most = 60_000;

function spec(expression: string, more: Partial<Spec> = {}): Spec {
  return { schedules: [cron(expression)], timezone: 'Asia/Taipei', ...more };
}

function compared(before: Spec | null, after: Spec | null, from: string, days = 7): FireChanges {
  const start = Date.parse(from);
  return compareFires(before, after, { range: { from: start, to: start + days * day }, most });
}

function iso(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString().slice(0, 16);
}

/** By definition: due in the range, and not excepted. */
function fires(of: Spec | null, { from, to }: { from: number; to: number }): number[] {
  if (of === null) return [];
  const isExcluded = exclusions(of);
  return [...timetable(of).between(from, to)].filter((at) => !isExcluded(at));
}

const times = fc
  .tuple(fc.nat(59), fc.nat(23), fc.constantFrom('*', '1-5', '0', '2,4'))
  .map(([m, h, weekday]) => cron(`${m} ${h} * * ${weekday}`));
const schedules: fc.Arbitrary<Schedule> = fc.oneof(
  times,
  fc.constantFrom('*/15 * * * *', '7 */6 * * *', '0 0 1 * *', '30 2 * * *', '0 3,15 * * *').map(cron),
  fc.constantFrom('20 minutes', '7 hours', '1 day').map((period) => every(period)),
);
/** Around the changes of the clocks in both halves of the world. */
const zones = fc.constantFrom(
  'UTC',
  'Asia/Taipei',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
);
const specs: fc.Arbitrary<Spec> = fc.record(
  {
    schedules: fc.array(schedules, { minLength: 1, maxLength: 2 }),
    timezone: zones,
    spreadMs: fc.integer({ min: 0, max: 30 }).map((minutes) => minutes * minute),
    except: fc.constantFrom(['2026-10-25/2026-10-28'], ['2026-11-01'], [cron('0 * * * *')]),
    until: fc.constantFrom('2026-10-30', '2026-11-03T12:00'),
  },
  { requiredKeys: ['schedules', 'timezone'] },
);
const ranges = fc
  .tuple(fc.integer({ min: 0, max: 14 * 24 * 60 }), fc.integer({ min: 1, max: 10 }))
  .map(([after, days]) => {
    const from = Date.parse('2026-10-22T00:00:00Z') + after * minute;
    return { from, to: from + days * day };
  });

describe('the fires of two versions', () => {
  test('for any edit, those after are those before without the vanished and with the appeared', () =>
    holds(
      fc.property(specs, specs, ranges, (before, after, range) => {
        const { moved, vanished, appeared, kept, until } = compareFires(before, after, { range, most });
        const within = (at: number) => at > range.from && at <= range.to;
        const gone = [...moved.map(({ from }) => from), ...vanished.map(({ at }) => at)].filter(within);
        const come = [...moved.map(({ to }) => to), ...appeared.map(({ at }) => at)].filter(within);
        const old = fires(before, range);
        const expected = old.filter((at) => !gone.includes(at)).concat(come);
        expect(until).toBe(range.to);
        expect(new Set(gone).size).toBe(gone.length);
        expect(gone.every((at) => old.includes(at))).toBe(true);
        expect(kept).toBe(old.length - gone.length);
        expect(expected.sort((a, b) => a - b)).toEqual(fires(after, range));
      }),
      { runs: 150 },
    ));

  test('for any edit, a fire moves only to another time of its date', () =>
    holds(
      fc.property(specs, specs, ranges, (before, after, range) => {
        const { moved } = compareFires(before, after, { range, most });
        for (const { from, to } of moved)
          expect(localTime(to, after.timezone).slice(0, 10)).toBe(
            localTime(from, before.timezone).slice(0, 10),
          );
      }),
      { runs: 100 },
    ));

  test('that are looked at in part are told up to where that led, and no further', () =>
    holds(
      fc.property(specs, specs, ranges, fc.integer({ min: 1, max: 400 }), (before, after, range, few) => {
        const part = compareFires(before, after, { range, most: few });
        const whole = compareFires(before, after, { range: { ...range, to: part.until }, most });
        if (part.until > range.from) expect(part).toEqual(whole);
        else expect([...part.moved, ...part.vanished, ...part.appeared]).toEqual([]);
      }),
      { runs: 100 },
    ));

  test('a time that moves later on the day of the deployment is due twice, when the old one is over', () => {
    const { moved, appeared, vanished } = compared(
      spec('0 9 * * *'),
      spec('0 11 * * *'),
      '2026-12-01T02:00:00Z',
      2,
    );
    expect(appeared.map(({ at, again }) => [iso(again), iso(at)])).toEqual([
      ['2026-12-01T01:00', '2026-12-01T03:00'],
    ]);
    expect(vanished).toEqual([]);
    expect(moved.map(({ from, to }) => [iso(from), iso(to)])).toEqual([
      ['2026-12-02T01:00', '2026-12-02T03:00'],
      ['2026-12-03T01:00', '2026-12-03T03:00'],
    ]);
  });

  test('a time that moves earlier on the day of the deployment is not due that day, when the new one is over', () => {
    const { vanished, appeared } = compared(spec('0 11 * * *'), spec('0 9 * * *'), '2026-12-01T02:00:00Z');
    expect(vanished.map(({ at, passed }) => [iso(at), iso(passed)])).toEqual([
      ['2026-12-01T03:00', '2026-12-01T01:00'],
    ]);
    expect(appeared).toEqual([]);
  });

  test('a fire of this very moment belongs to the old version, under which it was due', () => {
    const later = compared(spec('0 11 * * *'), spec('0 10 * * *'), '2026-12-01T02:00:00Z', 1);
    expect(later.vanished.map(({ at, passed }) => [iso(at), iso(passed)])).toEqual([
      ['2026-12-01T03:00', '2026-12-01T02:00'],
    ]);
    const again = compared(spec('0 10 * * *'), spec('0 11 * * *'), '2026-12-01T02:00:00Z', 1);
    expect(again.appeared.map(({ at, again }) => [iso(again), iso(at)])).toEqual([
      ['2026-12-01T02:00', '2026-12-01T03:00'],
    ]);
  });

  test('a time that leaves the range has moved all the same', () => {
    const { moved, vanished } = compared(spec('0 9 * * *'), spec('0 11 * * *'), '2026-12-01T02:00:00Z', 1);
    expect(moved.map(({ from, to }) => [iso(from), iso(to)])).toEqual([
      ['2026-12-02T01:00', '2026-12-02T03:00'],
    ]);
    expect(vanished).toEqual([]);
  });

  test('another zone moves each fire within its date', () => {
    const { moved, vanished, appeared } = compared(
      spec('0 3 * * *'),
      spec('0 3 * * *', { timezone: 'America/New_York' }),
      '2026-12-01T12:00:00Z',
    );
    expect(moved).toHaveLength(7);
    expect(moved.every(({ from, to }) => to - from === 13 * hour)).toBe(true);
    expect([...vanished, ...appeared]).toEqual([]);
  });

  test('one that is excepted from now on is told apart from one that is not due', () => {
    const { vanished } = compared(
      spec('0 9 * * *'),
      spec('0 9 * * *', { except: ['2026-12-03'] }),
      '2026-12-01T02:00:00Z',
    );
    expect(vanished).toEqual([{ at: Date.parse('2026-12-03T01:00:00Z'), excluded: true }]);
  });

  test('a minutely job that becomes an hourly one loses the others', () => {
    const { vanished, appeared, kept } = compared(
      spec('* * * * *'),
      spec('0 * * * *'),
      '2026-12-01T00:30:00Z',
    );
    expect({ vanished: vanished.length, appeared, kept }).toEqual({
      vanished: 7 * 24 * 59,
      appeared: [],
      kept: 168,
    });
  });

  test('of a new job all appear, and of a removed one all vanish', () => {
    expect(compared(null, spec('0 9 * * *'), '2026-12-01T02:00:00Z').appeared).toHaveLength(7);
    expect(compared(spec('0 9 * * *'), null, '2026-12-01T02:00:00Z').vanished).toHaveLength(7);
  });
});

describe('the first fire that differs later on', () => {
  const before = spec('30 2 * * *', { timezone: 'Europe/Berlin' });
  const from = Date.parse('2026-12-01T00:00:00Z');

  test('is found at the next change of the clocks', () => {
    const skipping: Spec = { ...before, dst: { gap: 'skip', repeat: 'first' } };
    expect(firstDifference(before, skipping, { from, most })).toEqual({
      at: Date.parse('2027-03-28T01:00:00Z'),
      is: 'vanished',
    });
  });

  test('is none where all are the same, and none that was not looked at', () => {
    expect(
      firstDifference(before, { ...before, dst: { gap: 'next', repeat: 'first' } }, { from, most }),
    ).toBeNull();
    const skipping: Spec = { ...before, dst: { gap: 'skip', repeat: 'first' } };
    expect(firstDifference(before, skipping, { from, most: 10 })).toBeNull();
  });
});
