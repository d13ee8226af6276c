import { describe, expect, test } from 'vitest';
import {
  at,
  type ClockChange,
  clockChanges,
  cron,
  type Dst,
  every,
  localTime,
  type Schedule,
  type Spec,
  showing,
  timetable,
} from '../../../functions/domain/schedule/index.ts';

const newYork = 'America/New_York';
const year = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2027-01-01T00:00:00Z')] as const;

/** Each change of a year: when it is, and what becomes of the times that it touches. */
function told(schedule: Schedule | Schedule[], more: Partial<Spec> = {}): unknown[] {
  const spec: Spec = { schedules: [schedule].flat(), timezone: newYork, ...more };
  return clockChanges(spec, ...year).map(({ at, times }) => [
    localTime(at, spec.timezone),
    ...times.map(({ local, due }) => [local, ...due.map((instant) => localTime(instant, spec.timezone))]),
  ]);
}

const spring = '2026-03-08T03:00:00-04:00';
const autumn = '2026-11-01T01:00:00-05:00';

describe('what a change of the clocks does', () => {
  test('to a time in the gap: it is due after it, or not at all', () => {
    expect(told(cron('30 2 * * *'))).toEqual([[spring, ['2026-03-08T02:30:00', spring]], [autumn]]);
    expect(told(cron('30 2 * * *'), { dst: { gap: 'skip', repeat: 'first' } })).toEqual([
      [spring, ['2026-03-08T02:30:00']],
      [autumn],
    ]);
  });

  test.each<[Dst['repeat'], string[]]>([
    ['first', ['2026-11-01T01:30:00-04:00']],
    ['second', ['2026-11-01T01:30:00-05:00']],
    ['both', ['2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00']],
  ])('to a time that comes twice: repeat %s', (repeat, due) => {
    const dst = { gap: 'next', repeat } as const;
    expect(told(cron('30 1 * * *'), { dst })).toEqual([[spring], [autumn, ['2026-11-01T01:30:00', ...due]]]);
  });

  test('to a single time', () => {
    expect(told(at('2026-03-08T02:30'))).toEqual([[spring, ['2026-03-08T02:30:00', spring]], [autumn]]);
  });

  test('to several times, in the order of the wall', () => {
    expect(told([cron('45 2 * * *'), cron('15 2 * * *')])).toEqual([
      [spring, ['2026-03-08T02:15:00', spring], ['2026-03-08T02:45:00', spring]],
      [autumn],
    ]);
  });

  test('to several schedules, each by its own policy', () => {
    expect(told([cron('30 1,2 * * *'), cron('30 * * * *')])).toEqual([
      [spring, ['2026-03-08T02:30:00', spring]],
      [autumn, ['2026-11-01T01:30:00', '2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00']],
    ]);
  });

  test('to a time that was put off into the gap', () => {
    expect(told(cron('50 1 * * *'), { spreadMs: 20 * 60_000 })).toEqual([
      [spring, ['2026-03-08T02:10:00', spring]],
      [autumn],
    ]);
  });

  test('to nothing: absolute schedules, other times, other days, times out of bounds', () => {
    const untouched = [[spring], [autumn]];
    expect(told(every('30 minutes'))).toEqual(untouched);
    expect(told(cron('0 3 * * *'))).toEqual(untouched);
    expect(told(cron('30 1,2 2 * *'))).toEqual(untouched);
    expect(told(cron('30 1,2 * * *'), { from: '2026-12-01' })).toEqual(untouched);
  });

  const policies = (['next', 'skip'] as const).flatMap((gap) =>
    (['first', 'second', 'both'] as const).map((repeat) => ({ gap, repeat })),
  );

  test.each(['Australia/Lord_Howe', 'Europe/Dublin', 'Africa/Cairo', 'America/St_Johns'])(
    'agrees with the fires themselves under every policy: %s',
    (timezone) => {
      for (const dst of policies) {
        const spec: Spec = { schedules: [cron('*/7 * * * *')], timezone, dst };
        const touched = clockChanges(spec, ...year).flatMap((change) => firesTouched(spec, change));
        const due = clockChanges(spec, ...year).flatMap(({ times }) => times.flatMap((time) => time.due));
        expect([...new Set(due)].sort((a, b) => a - b)).toEqual(touched);
      }
    },
  );
});

/** The fires at repeated times, and the one to which those of a gap are moved. */
function firesTouched(spec: Spec, { at, before, after }: ClockChange): number[] {
  const shift = Math.abs(after - before);
  const fires = [...timetable(spec).between(at - shift - 1, at + shift - 1)];
  return after < before ? fires : fires.filter((fire) => fire === at && spec.dst?.gap === 'next');
}

test('a local time that comes twice is shown a first and a second time', () => {
  const shown = ['05:59', '05:00', '06:00', '06:59', '04:59', '07:00'].map((time) =>
    showing(Date.parse(`2026-11-01T${time}:00Z`), newYork),
  );
  expect(shown).toEqual(['first', 'first', 'second', 'second', null, null]);
});
