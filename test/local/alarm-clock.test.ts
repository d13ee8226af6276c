import { expect, test } from 'vitest';
import { every, timetable } from '../../functions/domain/schedule/index.ts';
import { AlarmClock } from '../../functions/local/alarm-clock.ts';
import { startSchedulers } from '../../functions/local/schedulers.ts';

const minutely = {
  target: 'job',
  timetable: timetable({ schedules: [every('1 minute')], timezone: 'UTC' }),
  eventAgeMs: 180_000,
};
const noon = Date.parse('2026-12-01T12:00:00Z');
const rings = (clock: AlarmClock<string>, now: number) =>
  clock.tick(now).map((ring) => new Date(ring.scheduledTime).toISOString());

test('an alarm rings at its instant, once, and never a millisecond before', () => {
  const clock = new AlarmClock([minutely], noon - 5_000);
  expect(rings(clock, noon - 1)).toEqual([]);
  expect(rings(clock, noon)).toEqual(['2026-12-01T12:00:00.000Z']);
  expect(rings(clock, noon + 1)).toEqual([]);
});

test('an alarm of before the start does not ring', () => {
  expect(rings(new AlarmClock([minutely], noon), noon + 1)).toEqual([]);
});

test('what became due between the publication of the schedules and the start of the alarms rings at the start', () => {
  const rung: string[] = [];
  const ring = ({ scheduledTime }: { scheduledTime: number }) =>
    void rung.push(new Date(scheduledTime).toISOString());
  const schedulers = startSchedulers([minutely], {
    ...{ instances: 2, since: noon - 2_000, clock: () => noon + 1_000, ring },
  });
  expect(schedulers.stop()).toEqual({ since: noon - 2_000, until: noon + 1_000 });
  expect(rung).toEqual(['2026-12-01T12:00:00.000Z', '2026-12-01T12:00:00.000Z']);
});

test('after a sleep of 78 minutes one alarm rings, the newest, and not each that was slept through', () => {
  const clock = new AlarmClock([minutely], noon - 1);
  expect(rings(clock, noon + 78 * 60_000 + 20_000)).toEqual(['2026-12-01T13:18:00.000Z']);
});

test('an instant older than the event age is dropped', () => {
  const hourly = { ...minutely, timetable: timetable({ schedules: [every('1 hour')], timezone: 'UTC' }) };
  const clock = new AlarmClock([hourly], noon - 1);
  expect(rings(clock, noon + 30 * 60_000)).toEqual([]);
  expect(rings(clock, noon + 60 * 60_000)).toEqual(['2026-12-01T13:00:00.000Z']);
});

test('a clock set back by two hours rings at the next minute', () => {
  const clock = new AlarmClock([minutely], noon);
  const back = noon - 7_200_000 + 30_000;
  expect(rings(clock, back)).toEqual([]);
  expect(rings(clock, back + 30_000)).toEqual(['2026-12-01T10:01:00.000Z']);
});

test('a nap ends at the next instant, and after a second at the latest', () => {
  const clock = new AlarmClock([minutely], noon - 5_000);
  expect(clock.nap(noon - 5_000)).toBe(1_000);
  expect(clock.nap(noon - 400)).toBe(400);
  expect(clock.nap(noon + 3)).toBe(1);
});
