import { describe, expect, test } from 'vitest';
import { nextFireJson, nextFires } from '../../functions/cli/next-fires.ts';
import { plainLook } from '../../functions/cli/render/look.ts';
import { allText, oneText } from '../../functions/cli/render/next-text.ts';
import { cron, every, type Schedule, type Spec } from '../../functions/domain/schedule/index.ts';
import { minute } from '../../functions/domain/time.ts';

const newYork = 'America/New_York';

function answer(
  schedule: Schedule | Schedule[],
  from: string,
  { count = 3, ...more }: Partial<Spec> & { count?: number } = {},
) {
  const spec: Spec = { schedules: [schedule].flat(), timezone: newYork, ...more };
  return { title: 'a/job', spec, fires: nextFires(spec, Date.parse(from), count), warnings: [] };
}

function shown(...asked: Parameters<typeof answer>): string {
  const now = Date.parse(asked[1]);
  return oneText(answer(...asked), { look: plainLook(100), now });
}

describe('one schedule', () => {
  test('shows its words, local time with its offset, UTC, and how long it is', () => {
    expect(shown(cron('0 19 1,15 * MON'), '2026-12-01T00:00:00Z')).toMatchInlineSnapshot(`
      "a/job  At 19:00, on day 1 and 15 of the month; or at 19:00, only on Monday (America/New_York)
      LOCAL                    UTC                   IN
      2026-12-01 19:00 -05:00  2026-12-02T00:00:00Z  1 d
      2026-12-07 19:00 -05:00  2026-12-08T00:00:00Z  7 d
      2026-12-14 19:00 -05:00  2026-12-15T00:00:00Z  14 d"
    `);
  });

  test('a fire that the clocks move out of a gap', () => {
    expect(shown(cron('30 2 * * *'), '2026-03-07T12:00:00Z')).toMatchInlineSnapshot(`
      "a/job  At 02:30 (America/New_York)
      LOCAL                    UTC                   IN        NOTE
        2026-03-08 clocks go forward 02:00 → 03:00: 02:30 skipped, so due at 03:00 (gap: next)
      2026-03-08 03:00 -04:00  2026-03-08T07:00:00Z  19 h      for 02:30, which the clock skips
      2026-03-09 02:30 -04:00  2026-03-09T06:30:00Z  1 d 18 h
      2026-03-10 02:30 -04:00  2026-03-10T06:30:00Z  2 d 18 h"
    `);
  });

  test('a fire that is left out', () => {
    const dst = { gap: 'skip', repeat: 'first' } as const;
    expect(shown(cron('30 2 * * *'), '2026-03-07T12:00:00Z', { dst })).toMatchInlineSnapshot(`
      "a/job  At 02:30 (America/New_York)
      LOCAL                    UTC                   IN
        2026-03-08 clocks go forward 02:00 → 03:00: 02:30 skipped, so not due (gap: skip)
      2026-03-09 02:30 -04:00  2026-03-09T06:30:00Z  1 d 18 h
      2026-03-10 02:30 -04:00  2026-03-10T06:30:00Z  2 d 18 h
      2026-03-11 02:30 -04:00  2026-03-11T06:30:00Z  3 d 18 h"
    `);
  });

  test('a time that comes twice, due once', () => {
    expect(shown(cron('30 1 * * *'), '2026-10-31T12:00:00Z')).toMatchInlineSnapshot(`
      "a/job  At 01:30 (America/New_York)
      LOCAL                    UTC                   IN           NOTE
      2026-11-01 01:30 -04:00  2026-11-01T05:30:00Z  17 h 30 min  first of two
        2026-11-01 clocks go back 02:00 → 01:00: 01:30 twice, due the first time (repeat: first)
      2026-11-02 01:30 -05:00  2026-11-02T06:30:00Z  1 d 18 h
      2026-11-03 01:30 -05:00  2026-11-03T06:30:00Z  2 d 18 h"
    `);
  });

  test('elapsed time, in which each repeated time is due', () => {
    expect(shown(cron('*/15 * * * *'), '2026-11-01T05:20:00Z', { count: 5 })).toMatchInlineSnapshot(`
      "a/job  Every 15 minutes (America/New_York)
      LOCAL                    UTC                   IN          NOTE
      2026-11-01 01:30 -04:00  2026-11-01T05:30:00Z  10 min      first of two
      2026-11-01 01:45 -04:00  2026-11-01T05:45:00Z  25 min      first of two
        2026-11-01 clocks go back 02:00 → 01:00: 01:00 to 01:45 twice, due both times (repeat: both)
      2026-11-01 01:00 -05:00  2026-11-01T06:00:00Z  40 min      second of two
      2026-11-01 01:15 -05:00  2026-11-01T06:15:00Z  55 min      second of two
      2026-11-01 01:30 -05:00  2026-11-01T06:30:00Z  1 h 10 min  second of two"
    `);
  });

  test('a change that touches no fire explains the new offset', () => {
    expect(shown(cron('0 9 1 * *'), '2026-03-01T00:00:00Z', { count: 2 })).toMatchInlineSnapshot(`
      "a/job  At 09:00, on day 1 of the month (America/New_York)
      LOCAL                    UTC                   IN
      2026-03-01 09:00 -05:00  2026-03-01T14:00:00Z  14 h
        2026-03-08 clocks go forward 02:00 → 03:00: no fire is touched
      2026-04-01 09:00 -04:00  2026-04-01T13:00:00Z  31 d 13 h"
    `);
  });

  test('changes that take each other back are left out where years lie between two fires', () => {
    const [first, second] = nextFires(answer(cron('0 9 29 2 *'), '2026-01-01T00:00:00Z').spec, 0, 2);
    expect([first?.changes.length, second?.changes]).toEqual([0, []]);
  });

  test('an excluded fire, and the exception that excludes it', () => {
    const except = ['2026-12-25', '2026-12-31/2027-01-01', cron('0 9 * * SUN')];
    expect(shown(cron('0 9 * * *'), '2026-12-24T15:00:00Z', { except, count: 9 })).toMatchInlineSnapshot(`
      "a/job  At 09:00 (America/New_York)
      LOCAL                    UTC                   IN        NOTE
      2026-12-25 09:00 -05:00  2026-12-25T14:00:00Z  23 h      excluded: 2026-12-25
      2026-12-26 09:00 -05:00  2026-12-26T14:00:00Z  1 d 23 h
      2026-12-27 09:00 -05:00  2026-12-27T14:00:00Z  2 d 23 h  excluded: At 09:00, only on Sunday
      2026-12-28 09:00 -05:00  2026-12-28T14:00:00Z  3 d 23 h
      2026-12-29 09:00 -05:00  2026-12-29T14:00:00Z  4 d 23 h
      2026-12-30 09:00 -05:00  2026-12-30T14:00:00Z  5 d 23 h
      2026-12-31 09:00 -05:00  2026-12-31T14:00:00Z  6 d 23 h  excluded: 2026-12-31 to 2027-01-01
      2027-01-01 09:00 -05:00  2027-01-01T14:00:00Z  7 d 23 h  excluded: 2026-12-31 to 2027-01-01
      2027-01-02 09:00 -05:00  2027-01-02T14:00:00Z  8 d 23 h"
    `);
  });

  test('one that is over', () => {
    expect(shown(cron('cron(0 9 1 1 ? 2026)'), '2026-12-01T00:00:00Z')).toMatchInlineSnapshot(`
      "a/job  At 09:00, on day 1 of the month, only in January, only in 2026 (America/New_York)
      never due again"
    `);
  });

  test('one that is probably not meant carries its warning', () => {
    const warned = { ...answer(every('1 day'), '2026-12-01T00:00:00Z'), warnings: ['schedule: odd'] };
    expect(oneText(warned, { look: plainLook(100), now: 0 })).toMatch(/\nwarning schedule: odd$/);
  });

  test('tells scripts the same', () => {
    const facts = (...asked: Parameters<typeof answer>) =>
      answer(...asked).fires.map((fire) => nextFireJson(fire, newYork));
    expect(facts(cron('30 2 * * *'), '2026-03-08T00:00:00Z', { count: 1, except: ['2026-03-08'] })).toEqual([
      {
        fireTime: '2026-03-08T07:00:00Z',
        localTime: '2026-03-08T03:00:00-04:00',
        clockChanges: [
          {
            at: '2026-03-08T07:00:00Z',
            from: '-05:00',
            to: '-04:00',
            times: [{ localTime: '2026-03-08T02:30:00', due: ['2026-03-08T07:00:00Z'] }],
          },
        ],
        movedFrom: ['2026-03-08T02:30:00'],
        excluded: '2026-03-08',
      },
    ]);
    expect(facts(cron('30 1 * * *'), '2026-11-01T00:00:00Z', { count: 1 })).toMatchObject([
      { showing: 'first' },
    ]);
    expect(facts(cron('0 9 * * *'), '2026-12-01T00:00:00Z', { count: 1 })).toEqual([
      { fireTime: '2026-12-01T14:00:00Z', localTime: '2026-12-01T09:00:00-05:00' },
    ]);
  });
});

test('all jobs are a table, with what is special about a fire below it', () => {
  const now = Date.parse('2026-11-30T19:10:00Z');
  const from = '2026-11-30T19:10:00Z';
  const hourly = answer(cron('0 * * * *'), from, { count: 1, timezone: 'Asia/Taipei' });
  const excluded = answer(cron('0 19 1,15 * MON'), from, { count: 1, except: ['2026-11-30'] });
  const all = [hourly, excluded, { ...hourly, fires: [] }];
  expect(allText(all, { look: plainLook(100), now: now + minute })).toMatchInlineSnapshot(`
    "JOB    SCHEDULE                          LOCAL                    UTC                   IN
    a/job  Every hour                        2026-12-01 04:00 +08:00  2026-11-30T20:00:00Z  49 min
    a/job  At 19:00, on day 1 and 15 of the  2026-11-30 19:00 -05:00  2026-12-01T00:00:00Z  4 h 49 min
           month; or at 19:00, only on
           Monday
      excluded: 2026-11-30
    a/job  Every hour                        never                    -                     -"
  `);
});
