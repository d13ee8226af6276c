import { describe, expect, test } from 'vitest';
import {
  cron,
  every,
  manual,
  type Schedule,
  ScheduleError,
  type Spec,
  timetable,
} from '../../../functions/domain/schedule/index.ts';

const minute = 60_000;
const end = Date.UTC(10_000, 0);
const table = (schedules: Schedule[], more: Partial<Spec> = {}) =>
  timetable({ schedules, timezone: 'UTC', ...more });
const at = (time: string) => Date.parse(`2026-12-01T${time}:00Z`);

describe('several schedules', () => {
  const several = table([cron('0 9,12 * * *'), manual(), every('6 hours'), cron('30 10 * * *')]);
  const day = ['00:00', '06:00', '09:00', '10:30', '12:00', '18:00'].map(at);

  test('are due whenever one of them is, each instant once', () => {
    expect([...several.between(at('00:00') - 1, at('23:59'))]).toEqual(day);
  });

  test('are so backwards, too', () => {
    const back: number[] = [];
    for (let fire = several.previous(at('23:59')); fire !== null && fire >= at('00:00'); )
      fire = several.previous(back[back.push(fire) - 1] ?? 0);
    expect(back.reverse()).toEqual(day);
  });
});

test('a schedule that is only started by hand is never due', () => {
  const never = table([manual()]);
  expect([never.next(0), never.previous(end), never.has(0), [...never.between(0, end)]]).toEqual([
    null,
    null,
    false,
    [],
  ]);
});

test('a spec with problems has no timetable; the error names all of them', () => {
  const attempt = () => table([cron('99 * * * *'), every('1 second')], { timezone: 'Berlin' });
  expect(attempt).toThrow(ScheduleError);
  expect(attempt).toThrow(/^minute: "99" .*\nevery: "1 second" .*\ntimezone: "Berlin" .*$/);
});

describe.each([
  ['a grid', every('1 minute')],
  ['a cron', cron('* * * * *')],
])('the ends of time, of %s', (_kind, schedule) => {
  const always = table([schedule]);
  const last = end - minute;

  test('are the epoch and the last minute of the year 9999, both due', () => {
    expect([always.has(0), always.has(last)]).toEqual([true, true]);
    expect([always.next(-5), always.next(Number.NEGATIVE_INFINITY)]).toEqual([0, 0]);
    expect([always.previous(end), always.previous(Number.POSITIVE_INFINITY)]).toEqual([last, last]);
    expect(always.previous(1)).toBe(0);
  });

  test('have nothing due beyond them', () => {
    expect([always.previous(0), always.next(last), always.next(end)]).toEqual([null, null, null]);
    expect([always.has(-minute), always.has(end)]).toEqual([false, false]);
    expect([...always.between(Number.NEGATIVE_INFINITY, minute)]).toEqual([0, minute]);
    expect([...always.between(last - minute, Number.POSITIVE_INFINITY)]).toEqual([last]);
  });
});

test('the first instant that counts is found backwards', () => {
  const bounded = table([cron('0 9 * * *')], { from: '2026-12-01T09:00' });
  expect(bounded.previous(at('12:00'))).toBe(at('09:00'));
});

test('what is put off is found backwards', () => {
  const later = table([cron('0 9 * * *')], { spreadMs: 20 * minute });
  expect(later.previous(at('12:00'))).toBe(at('09:20'));
  expect(later.previous(at('09:20'))).toBe(at('09:20') - 1440 * minute);
});

test('between two instants lies what is after the one, up to and with the other', () => {
  const hourly = table([cron('0 * * * *')]);
  expect([...hourly.between(at('09:00'), at('11:00'))]).toEqual([at('10:00'), at('11:00')]);
  expect([...hourly.between(at('09:00') - 0.5, at('09:00') + 0.5)]).toEqual([at('09:00')]);
});
