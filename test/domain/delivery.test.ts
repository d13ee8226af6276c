import { describe, expect, test } from 'vitest';
import { judgeDelivery } from '../../functions/domain/delivery.ts';
import { cron, timetable } from '../../functions/domain/schedule/index.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';

const hourly = timetable({ schedules: [cron('0 * * * *')], timezone: 'UTC' });
const judge = (scheduledTime: string, now: number) =>
  judgeDelivery(scheduledTime, { timetable: hourly, graceMs: 3 * minute, now });

describe('a delivery', () => {
  test.each([at('12:00') - 30 * second, at('12:00'), at('12:03')])('within its window is a fire', (now) => {
    expect(judge('2026-12-01T12:00:00Z', now)).toEqual({ kind: 'fire', fireTime: at('12:00') });
  });

  test('is of the minute in which its alarm was due: EventBridge is no more precise', () => {
    expect(judge('2026-12-01T12:00:41Z', at('12:01'))).toEqual({ kind: 'fire', fireTime: at('12:00') });
  });

  test.each([
    ['early', '2026-12-01T12:00:00Z', at('12:00') - 30 * second - 1],
    ['late', '2026-12-01T12:00:00Z', at('12:03') + 1],
    ['off-schedule', '2026-12-01T12:01:00Z', at('12:01')],
  ] as const)('that is %s is a stray, with its instant', (cause, text, now) => {
    expect(judge(text, now)).toEqual({ kind: 'stray', cause, scheduledTime: Date.parse(text) });
  });

  test('whose time can’t be read is a stray without one', () => {
    expect(judge('tomorrow', at('12:00'))).toEqual({
      kind: 'stray',
      cause: 'unreadable-time',
      scheduledTime: null,
    });
  });
});

describe('a placeholder that arrived as it was', () => {
  const placeholder = '<aws.scheduler.scheduled-time>';

  test('means the latest fire, and at its very instant that fire', () => {
    expect(judge(placeholder, at('12:00'))).toEqual({ kind: 'fire', fireTime: at('12:00') });
    expect(judge(placeholder, at('12:02'))).toEqual({ kind: 'fire', fireTime: at('12:00') });
  });

  test('means no fire when the latest is past its grace', () => {
    expect(judge(placeholder, at('12:00') - 1)).toEqual({
      kind: 'stray',
      cause: 'late',
      scheduledTime: at('11:00'),
    });
  });
});
