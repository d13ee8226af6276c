import { describe, expect, test } from 'vitest';
import {
  at,
  cron,
  type Dst,
  localTime,
  type Schedule,
  timetable,
} from '../../../functions/domain/schedule/index.ts';

/** Local times, with offset, of all fires of a local day and its neighbours. */
function fires(schedule: Schedule, timezone: string, from: string, to: string, dst?: Dst): string[] {
  const table = timetable({ schedules: [schedule], timezone, ...(dst && { dst }) });
  const found = [...table.between(Date.parse(from) - 1, Date.parse(to))];
  const backwards: number[] = [];
  for (let fire = table.previous(Date.parse(to) + 1); fire !== null; fire = table.previous(fire)) {
    if (fire < Date.parse(from)) break;
    backwards.unshift(fire);
  }
  expect(backwards).toEqual(found);
  for (const fire of found) expect(table.has(fire)).toBe(true);
  return found.map((fire) => localTime(fire, timezone));
}

describe('a fixed time in a gap', () => {
  const spring = ['America/New_York', '2026-03-07T05:00:00Z', '2026-03-10T03:59:00Z'] as const;

  test('is due at the first instant after it, by default', () => {
    expect(fires(cron('30 2 * * *'), ...spring)).toEqual([
      '2026-03-07T02:30:00-05:00',
      '2026-03-08T03:00:00-04:00',
      '2026-03-09T02:30:00-04:00',
    ]);
  });

  test('is one fire with all that collide there', () => {
    const sunday = ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-09T03:59:00Z'] as const;
    expect(fires(cron('0,15,30,45 2,3 * * *'), ...sunday)).toEqual([
      '2026-03-08T03:00:00-04:00',
      '2026-03-08T03:15:00-04:00',
      '2026-03-08T03:30:00-04:00',
      '2026-03-08T03:45:00-04:00',
    ]);
  });

  test.each(['first', 'second', 'both'] as const)('is not due under skip, with repeat %s', (repeat) => {
    const found = fires(cron('30 2 * * *'), ...spring, { gap: 'skip', repeat });
    expect(found).toEqual(['2026-03-07T02:30:00-05:00', '2026-03-09T02:30:00-04:00']);
  });

  test.each([
    ['Africa/Cairo', '2026-04-23T22:00:00Z', '0 0 * * *', '2026-04-24T01:00:00+03:00'],
    ['America/Asuncion', '2023-10-01T03:00:00Z', '0 0 1 10 *', '2023-10-01T01:00:00-03:00'],
    ['Pacific/Apia', '2011-12-30T09:00:00Z', '0 9 30 12 *', '2011-12-31T00:00:00+14:00'],
    ['Australia/Lord_Howe', '2026-10-03T15:00:00Z', '15 2 * * *', '2026-10-04T02:30:00+11:00'],
    ['Antarctica/Troll', '2026-03-29T00:00:00Z', '30 2 * * *', '2026-03-29T03:00:00+02:00'],
  ])('of any length: %s', (timezone, from, expression, first) => {
    expect(
      fires(cron(expression), timezone, from, new Date(Date.parse(from) + 36e5 * 4).toISOString())[0],
    ).toBe(first);
  });

  test('an at() follows the same rule', () => {
    expect(fires(at('2026-03-08T02:30'), ...spring)).toEqual(['2026-03-08T03:00:00-04:00']);
    expect(fires(at('2026-03-08T02:30'), ...spring, { gap: 'skip', repeat: 'first' })).toEqual([]);
  });
});

describe('a fixed time that comes twice', () => {
  const autumn = ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T04:59:00Z'] as const;
  const first = '2026-11-01T01:30:00-04:00';
  const second = '2026-11-01T01:30:00-05:00';

  test.each([
    [undefined, [first]],
    ['first', [first]],
    ['second', [second]],
    ['both', [first, second]],
  ] as const)('under %s', (repeat, expected) => {
    const dst = repeat && { gap: 'next' as const, repeat };
    expect(fires(cron('30 1 * * *'), ...autumn, dst)).toEqual(expected);
    expect(fires(at('2026-11-01T01:30'), ...autumn, dst)).toEqual(expected);
  });

  test('may be the very beginning of the hour that comes twice', () => {
    const second = { gap: 'next', repeat: 'second' } as const;
    expect(fires(cron('0 1 * * *'), ...autumn)).toEqual(['2026-11-01T01:00:00-04:00']);
    expect(fires(cron('0 1 * * *'), ...autumn, second)).toEqual(['2026-11-01T01:00:00-05:00']);
  });

  test('counts thirty minutes in Lord Howe', () => {
    const night = ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', '2026-04-05T12:00:00Z'] as const;
    expect(fires(cron('0,45 1 * * *'), ...night)).toEqual([
      '2026-04-05T01:00:00+11:00',
      '2026-04-05T01:45:00+11:00',
    ]);
  });
});

describe('an hour field that begins with *', () => {
  test('follows elapsed time: both repeated hours', () => {
    const night = ['America/New_York', '2026-11-01T04:30:00Z', '2026-11-01T07:00:00Z'] as const;
    expect(fires(cron('0 * * * *'), ...night)).toEqual([
      '2026-11-01T01:00:00-04:00',
      '2026-11-01T01:00:00-05:00',
      '2026-11-01T02:00:00-05:00',
    ]);
  });

  test('follows elapsed time in a pasted expression, too', () => {
    const night = ['America/New_York', '2026-11-01T04:30:00Z', '2026-11-01T07:00:00Z'] as const;
    expect(fires(cron('cron(0 */1 * * ? *)'), ...night)).toEqual(fires(cron('0 * * * *'), ...night));
    expect(fires(cron('cron(0 1 * * ? *)'), ...night)).toEqual(['2026-11-01T01:00:00-04:00']);
  });

  test('invents nothing in a gap', () => {
    const night = ['America/New_York', '2026-03-08T06:15:00Z', '2026-03-08T08:00:00Z'] as const;
    expect(fires(cron('30 */2 * * *'), ...night)).toEqual([]);
  });

  test('obeys dst where it is given', () => {
    const night = ['America/New_York', '2026-11-01T04:30:00Z', '2026-11-01T07:00:00Z'] as const;
    expect(fires(cron('0 * * * *'), ...night, { gap: 'skip', repeat: 'first' })).toEqual([
      '2026-11-01T01:00:00-04:00',
      '2026-11-01T02:00:00-05:00',
    ]);
  });
});

describe('repeated times are found when the next match of the pattern is far away', () => {
  test('forwards', () => {
    const both = { gap: 'skip', repeat: 'both' } as const;
    const found = fires(cron('30 23 * * 4'), 'Libya', '1981-12-31T20:00:00Z', '1982-01-01T00:00:00Z', both);
    expect(found).toEqual(['1981-12-31T23:30:00+02:00', '1981-12-31T23:30:00+01:00']);
  });

  test('backwards, over a year that ends', () => {
    const night = ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01T08:00:00Z'] as const;
    const both = { gap: 'next', repeat: 'both' } as const;
    expect(fires(cron('cron(30 1 1 11 ? 2026)'), ...night, both)).toHaveLength(2);
  });
});

test('a schedule whose every time falls into a gap is found to be never due, in bounded steps', () => {
  const dst = { gap: 'skip', repeat: 'first' } as const;
  const table = timetable({ schedules: [cron('30 2 * 3 0#2')], timezone: 'America/New_York', dst });
  expect(table.next(Date.UTC(2026, 0))).toBeNull();
  expect(table.previous(Date.UTC(2026, 0))).toBe(Date.parse('2006-03-12T07:30:00Z'));
});

test('far in the future the clocks change by the rules of today', () => {
  const table = timetable({ schedules: [cron('30 2 1 7 *')], timezone: 'America/New_York' });
  expect(table.next(Date.UTC(2600, 0))).toBe(Date.parse('2600-07-01T06:30:00Z'));
  expect(table.previous(Date.UTC(9000, 0))).toBe(Date.parse('8999-07-01T06:30:00Z'));
});

test('the ends of time', () => {
  const table = timetable({ schedules: [cron('0 9 * * *')], timezone: 'America/New_York' });
  expect(table.next(Number.NEGATIVE_INFINITY)).toBe(Date.parse('1970-01-01T14:00:00Z'));
  expect(table.previous(Number.POSITIVE_INFINITY)).toBe(Date.parse('9999-12-31T14:00:00Z'));
  expect(table.next(Number.POSITIVE_INFINITY)).toBeNull();
  expect(table.previous(0)).toBeNull();
});
