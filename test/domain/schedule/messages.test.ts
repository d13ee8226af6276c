import { describe, expect, test } from 'vitest';
import {
  at,
  cron,
  every,
  problems,
  type Schedule,
  zoneProblem,
} from '../../../functions/domain/schedule/index.ts';
import { ZONE_NAMES } from '../../../functions/domain/schedule/zone-names.ts';

const told = (schedule: Schedule) => `\n${problems({ schedules: [schedule], timezone: 'UTC' }).join('\n')}\n`;

describe('a cron that cannot be read says which field, where, what and what is allowed', () => {
  test('every mistake at once', () => {
    expect(told(cron('71 */0 0 FOO 8#6'))).toMatchInlineSnapshot(`
      "
      minute: "71" is out of range (character 1 of "71 */0 0 FOO 8#6"); allowed are 0-59, with * , - /
      hour: "*/0" has step 0; a step is 1 or more (character 4 of "71 */0 0 FOO 8#6"); allowed are 0-23, with * , - /
      day-of-month: "0" is out of range (character 8 of "71 */0 0 FOO 8#6"); allowed are 1-31, with * , - / ? L W
      month: "FOO" is not a value (character 10 of "71 */0 0 FOO 8#6"); allowed are 1-12 or JAN-DEC, with * , - /
      day-of-week: "8" is out of range (character 14 of "71 */0 0 FOO 8#6"); allowed are 0-7 or SUN-SAT, with * , - / ? L #
      day-of-week: "8#6" asks for number 6 of the month; write #1 to #5 (character 14 of "71 */0 0 FOO 8#6"); allowed are 0-7 or SUN-SAT, with * , - / ? L #
      "
    `);
  });

  test('a value out of range', () => {
    expect(told(cron('0 24 * * *'))).toMatchInlineSnapshot(`
      "
      hour: "24" is out of range (character 3 of "0 24 * * *"); allowed are 0-23, with * , - /
      "
    `);
  });

  test('within a list or a range', () => {
    expect(told(cron('0,71,5A 9-24 * * *'))).toMatchInlineSnapshot(`
      "
      minute: "71" is out of range (character 3 of "0,71,5A 9-24 * * *"); allowed are 0-59, with * , - /
      minute: "5A" is not a value (character 6 of "0,71,5A 9-24 * * *"); allowed are 0-59, with * , - /
      hour: "24" is out of range (character 11 of "0,71,5A 9-24 * * *"); allowed are 0-23, with * , - /
      "
    `);
  });

  test('too long a text', () => {
    const minutes = (length: number) => `${'1,'.repeat(250)}${'0'.repeat(length - 509)}1 * * * *`;
    expect(minutes(512)).toHaveLength(512);
    expect(problems({ schedules: [cron(minutes(512))], timezone: 'UTC' })).toEqual([]);
    expect(told(cron(minutes(513)))).toMatchInlineSnapshot(`
      "
      schedule: an expression of 513 characters; allowed are 512
      "
    `);
  });

  test('reversed step', () => {
    expect(told(cron('5/* 0 * * *'))).toMatchInlineSnapshot(`
      "
      minute: "5/*" cannot be read (character 1 of "5/* 0 * * *"); allowed are 0-59, with * , - /
      "
    `);
  });

  test('seconds, or an EventBridge expression without its cron()', () => {
    expect(told(cron('0 0 3 * * *'))).toMatchInlineSnapshot(`
      "
      schedule: "0 0 3 * * *" has 6 fields; a Unix cron has 5: minute hour day-of-month month day-of-week; seconds are not taken, since the shortest period is a minute, and an EventBridge expression is written cron('cron(…)')
      "
    `);
  });

  test('too few fields', () => {
    expect(told(cron('* * *'))).toMatchInlineSnapshot(`
      "
      schedule: "* * *" has 3 fields; a Unix cron has 5: minute hour day-of-month month day-of-week
      "
    `);
  });

  test('macros', () => {
    expect(told(cron('@every 24h'))).toMatchInlineSnapshot(`
      "
      schedule: "@every 24h" is an interval; write every('24 hours')
      "
    `);
    expect(told(cron('@reboot'))).toMatchInlineSnapshot(`
      "
      schedule: "@reboot" is no time; write manual()
      "
    `);
    expect(told(cron('@dayly'))).toMatchInlineSnapshot(`
      "
      schedule: "@dayly" is not known; known are @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly
      "
    `);
  });

  test.each([
    ['5', 'has 1 field; a Unix cron has 5: minute hour day-of-month month day-of-week'],
    [
      '0 0 3 * * * *',
      'has 7 fields; a Unix cron has 5: minute hour day-of-month month day-of-week; seconds are',
    ],
    ['* * * * * * * *', 'has 8 fields; a Unix cron has 5: minute hour day-of-month month day-of-week'],
    ['0 9 * * * TZ=UTC', 'has 6 fields'],
    ['0 9 * * * @every', 'has 6 fields'],
    ['0 9 * * * @reboot', 'has 6 fields'],
    ['@reboots', 'is not known; known are'],
    ['@everyday', 'is not known; known are'],
    ['TZ=UTC 0 9 * * *', 'sets a zone; use the option timezone'],
  ])('another number of fields: %s', (expression, message) => {
    expect(told(cron(expression))).toContain(`schedule: "${expression}" ${message}`);
  });

  test('a bracket, which makes it no pasted expression', () => {
    expect(told(cron('0 9 * * MON('))).toContain('day-of-week: "MON(" cannot be read');
  });

  test('a zone in front', () => {
    expect(told(cron('CRON_TZ=Asia/Tokyo 0 9 * * *'))).toMatchInlineSnapshot(`
      "
      schedule: "CRON_TZ=Asia/Tokyo 0 9 * * *" sets a zone; use the option timezone
      "
    `);
  });

  test('the days before the last of a month are 30 at most', () => {
    expect(problems({ schedules: [cron('0 0 L-30 * *')], timezone: 'UTC' })).toEqual([]);
    expect(told(cron('0 0 L-31 * *'))).toMatchInlineSnapshot(`
      "
      day-of-month: "L-31" lies before the month; write L-1 to L-30 (character 5 of "0 0 L-31 * *"); allowed are 1-31, with * , - / ? L W
      "
    `);
  });

  test('the weekdays of a month are counted from 1', () => {
    expect(told(cron('0 0 * * 5#0'))).toMatchInlineSnapshot(`
      "
      day-of-week: "5#0" asks for number 0 of the month; write #1 to #5 (character 9 of "0 0 * * 5#0"); allowed are 0-7 or SUN-SAT, with * , - / ? L #
      "
    `);
  });

  test.each([
    ...['1L', 'L1', 'L-3W', 'XL-3', '15W1', 'A15W', '115W'].map((day) => `0 0 ${day} * *`),
    ...['5L2', '5#2L', 'X-5#2', '5-MONL'].map((day) => `0 0 * * ${day}`),
    ...['rate(5 minutes)x', 'rate(5 minutes) ', 'at(2027-01-01T09:00)x', 'xat(2027-01-01T09:00)'],
  ])('a known form with something before or after it: %s', (expression) => {
    expect(problems({ schedules: [cron(expression)], timezone: 'UTC' })).not.toEqual([]);
  });

  test('a pasted time needs no seconds', () => {
    expect(cron('at(2027-01-01T09:00)')).toEqual(at('2027-01-01T09:00'));
    expect(cron('at(2027-01-01T09:00:00)')).toEqual(at('2027-01-01T09:00:00'));
  });

  test('a bare L among weekdays', () => {
    expect(told(cron('0 0 * * L'))).toMatchInlineSnapshot(`
      "
      day-of-week: "L" names no weekday; for the last Friday of the month write 5L (character 9 of "0 0 * * L"); allowed are 0-7 or SUN-SAT, with * , - / ? L #
      "
    `);
  });
});

describe('an EventBridge expression', () => {
  test('without its ?', () => {
    expect(told(cron('cron(0 12 1 * MON *)'))).toMatchInlineSnapshot(`
      "
      schedule: one of day-of-month and day-of-week must be ?, and neither is in "cron(0 12 1 * MON *)"
      "
    `);
  });

  test('with both days ?', () => {
    expect(told(cron('cron(0 12 ? * ? *)'))).toMatchInlineSnapshot(`
      "
      schedule: only one of day-of-month and day-of-week may be ?; make the other * in "cron(0 12 ? * ? *)"
      "
    `);
  });

  test('with blanks around it', () => {
    expect(told(cron(' cron(0 12 * * ? *)'))).toMatchInlineSnapshot(`
      "
      schedule: " cron(0 12 * * ? *)" has blanks around it; remove them
      "
    `);
  });

  test('with one field, or with seven', () => {
    expect(told(cron('cron(0)'))).toMatchInlineSnapshot(`
      "
      schedule: "cron(0)" has 1 field; an EventBridge cron has 6: minute hour day-of-month month day-of-week year
      "
    `);
    expect(told(cron('cron(0 12 * * ? * *)'))).toMatchInlineSnapshot(`
      "
      schedule: "cron(0 12 * * ? * *)" has 7 fields; an EventBridge cron has 6: minute hour day-of-month month day-of-week year
      "
    `);
  });

  test('with a step among weekdays', () => {
    expect(told(cron('cron(0 12 ? * 2/2 *)'))).toMatchInlineSnapshot(`
      "
      day-of-week: "2/2" has a step, which EventBridge does not take here; list the values (character 15 of "cron(0 12 ? * 2/2 *)"); allowed are 1-7 or SUN-SAT, with * , - ? L #
      "
    `);
  });

  test('with one working day in a list of days', () => {
    expect(told(cron('cron(0 2 5,15W * ? *)'))).toMatchInlineSnapshot(`
      "
      schedule: L, W and # stand alone in EventBridge, not in the list 5,15W; make an array of schedules in "cron(0 2 5,15W * ? *)"
      "
    `);
  });

  test('with five fields', () => {
    expect(told(cron('cron(0 12 * * ?)'))).toMatchInlineSnapshot(`
      "
      schedule: "cron(0 12 * * ?)" has 5 fields; an EventBridge cron has 6: minute hour day-of-month month day-of-week year
      "
    `);
  });

  test('with Unix weekdays', () => {
    expect(told(cron('cron(0 12 ? * 0 *)'))).toMatchInlineSnapshot(`
      "
      day-of-week: "0" is out of range (character 15 of "cron(0 12 ? * 0 *)"); allowed are 1-7 or SUN-SAT, with * , - ? L #
      "
    `);
  });

  test('with a list of working days', () => {
    expect(told(cron('cron(0 2 5W,15W * ? *)'))).toMatchInlineSnapshot(`
      "
      schedule: L, W and # stand alone in EventBridge, not in the list 5W,15W; make an array of schedules in "cron(0 2 5W,15W * ? *)"
      "
    `);
  });

  test('with a range of days that runs backwards', () => {
    expect(told(cron('cron(0 9 30-10 * ? *)'))).toMatchInlineSnapshot(`
      "
      day-of-month: "30-10" runs backwards; write 30-31,1-10 (character 10 of "cron(0 9 30-10 * ? *)"); allowed are 1-31, with * , - / ? L W
      "
    `);
  });

  test('with a year for never', () => {
    expect(told(cron('cron(0 0 1 1 ? 2999)'))).toMatchInlineSnapshot(`
      "
      year: "2999" is out of range (character 16 of "cron(0 0 1 1 ? 2999)"); allowed are 1970-2199, with * , - /
      "
    `);
  });

  test('that is a broken rate or time', () => {
    expect(told(cron('rate( 10 minutes )'))).toMatchInlineSnapshot(`
      "
      schedule: "rate( 10 minutes )" is no rate; write rate(5 minutes): a number, a blank, minutes, hours or days
      "
    `);
    expect(told(cron('rate(0 minutes)'))).toContain('schedule: "rate(0 minutes)" is no rate');
    expect(told(cron('at(2027-01-01T09:00:00Z)'))).toMatchInlineSnapshot(`
      "
      schedule: "at(2027-01-01T09:00:00Z)" is no time; write at(2027-01-01T09:00:00): local, whole minutes, without zone or quotes
      "
    `);
    expect(told(cron('at(2027-01-01T09:00:30)'))).toMatchInlineSnapshot(`
      "
      at: "2027-01-01T09:00:30" is not a local date and time in whole minutes; write it like 2027-01-01T09:00, without zone
      "
    `);
    expect(told(cron('cron(0 9 * * ? *'))).toMatchInlineSnapshot(`
      "
      schedule: "cron(0 9 * * ? *" is no EventBridge expression; write cron(…), rate(…) or at(…), with nothing before or after
      "
    `);
    expect(told(cron('corn(0 9 * * ? *)'))).toMatchInlineSnapshot(`
      "
      schedule: "corn(0 9 * * ? *)" is no EventBridge expression; write cron(…), rate(…) or at(…), with nothing before or after
      "
    `);
  });
});

describe('a period', () => {
  test.each([
    [every('5 parsecs'), 'every: "5 parsecs" is not a duration'],
    [every('30 seconds'), 'every: "30 seconds" is too short; the shortest period is 1 minute'],
    [every('90 seconds'), 'every: "90 seconds" is no whole number of minutes'],
    [every('0 minutes'), 'every: "0 seconds" is too short; the shortest period is 1 minute'],
    [every('1 hour', { offset: '10 seconds' }), 'offset: "10 seconds" is no whole number of minutes'],
    [every('1 hour', { offset: 'soon' }), 'offset: "soon" is not a duration'],
    [every('1 hour', { offset: '1 hour' }), 'offset: "1 hour" must be shorter than the period of 1 hour'],
    [every('1 hour', { offset: '2 hours' }), 'offset: "2 hours" must be shorter than the period of 1 hour'],
  ])('%#', (schedule, message) => {
    expect(told(schedule)).toContain(message);
  });
});

test('a period that can’t be used tells why, and one that can tells nothing', () => {
  expect(every('30 seconds')).toMatchObject({
    unreadable: 'every: "30 seconds" is too short; the shortest period is 1 minute',
  });
  expect(every('1 hour')).toEqual({ kind: 'every', periodMs: 3_600_000, offsetMs: 0 });
});

test('blanks around a cron are of no account', () => {
  expect(cron(' 0 3 * * * ')).toEqual({ kind: 'cron', dialect: 'unix', expression: '0 3 * * *' });
});

describe('a local time', () => {
  test.each([
    '2027-02-29T09:00',
    '2027-06-31T09:00',
    '2027-00-10T09:00',
    '2027-13-01T09:00',
    '2027-01-00T09:00',
    '2027-01-01',
    '2027-01-01T24:00',
    '2027-01-01T09:60',
    '2027-01-01T09:00Z',
    '2027-01-01T09:00:30',
    ' 2027-01-01T09:00',
    '12027-01-01T09:00',
    '1969-12-31T23:59',
    'tomorrow',
  ])('%s', (local) => {
    expect(told(at(local))).toContain(`at: "${local}" is not a local date and time in whole minutes`);
  });

  test.each(['1970-01-01T00:00', '9999-12-31T23:59'])('from the first to the last year: %s', (local) => {
    expect(problems({ schedules: [at(local)], timezone: 'UTC' })).toEqual([]);
  });

  test('of a leap day is fine', () => {
    expect(problems({ schedules: [at('2028-02-29T09:00')], timezone: 'UTC' })).toEqual([]);
  });
});

describe('a zone that is none', () => {
  test.each([
    'UTC',
    'Etc/UTC',
    'Asia/Kolkata',
    'Europe/Kyiv',
    'US/Eastern',
    'Asia/Calcutta',
    'America/Coyhaique',
  ])('%s is one', (zone) => expect(zoneProblem(zone)).toBeNull());

  test.each([
    ['Asia/Tapei', 'did you mean Asia/Taipei?'],
    ['america/new_york', 'did you mean America/New_York?'],
    ['America/New York', 'did you mean America/New_York?'],
    ['New York', 'did you mean America/New_York?'],
    ['Berlin', 'did you mean Europe/Berlin?'],
    ['Buenos Aires', 'did you mean America/Buenos_Aires?'],
    ['IST', 'is an abbreviation, not a time zone; name a place: Asia/Kolkata, Asia/Jerusalem, Europe/Dublin'],
    ['EST', 'name a place: America/New_York, America/Panama (without summer time)'],
    ['GMT+8', 'is an offset, not a time zone; name a place, such as Asia/Singapore, or Etc/GMT-8 (sic'],
    ['+05:30', 'is an offset, not a time zone; name a place'],
    ['Factory', 'is not in the IANA time zone database'],
    ['', 'is not in the IANA time zone database'],
  ])('%s', (zone, message) => expect(zoneProblem(zone)).toContain(message));

  test.each(
    [
      'ACST',
      'AEST',
      'AST',
      'AWST',
      'BRT',
      'BST',
      'CDT',
      'CEST',
      'CST',
      'EDT',
      'EEST',
      'EST',
      'GST',
      'HKT',
    ].concat([
      'HST',
      'IST',
      'JST',
      'KST',
      'MDT',
      'MSK',
      'MST',
      'NZST',
      'PDT',
      'PHT',
      'PST',
      'SGT',
      'WIB',
      'jst',
    ]),
  )('%s is an abbreviation, for which places are named that are zones', (abbreviation) => {
    const [, places = ''] =
      /is an abbreviation, not a time zone; name a place: (.*)$/.exec(zoneProblem(abbreviation) ?? '') ?? [];
    for (const place of places.split(', ')) {
      const [zone] = place.split(' (without summer time)');
      expect(ZONE_NAMES).toContain(zone);
    }
  });

  test.each([
    ['+08:00', ', or Etc/GMT-8 (sic: its sign is inverted)'],
    ['UTC-5', ', or Etc/GMT+5 (sic: its sign is inverted)'],
    ['gmt +9', ', or Etc/GMT-9 (sic: its sign is inverted)'],
    ['UTC+00:00', ', or UTC'],
    ['+05:30', ''],
    ['-13', ''],
  ])('%s is an offset, which a fixed zone may have', (offset, fixed) => {
    expect(zoneProblem(offset)).toBe(
      `timezone: "${offset}" is an offset, not a time zone; name a place, such as Asia/Singapore${fixed}`,
    );
  });

  test('is not told at any length', () => {
    expect(zoneProblem('x'.repeat(61))).toContain(`timezone: "${'x'.repeat(60)}" is not in`);
  });

  test('is among the problems of a schedule', () => {
    expect(problems({ schedules: [], timezone: 'Berlin' })).toEqual([zoneProblem('Berlin')]);
  });
});

test('a policy for changes of the clocks that is none', () => {
  const dst = { gap: 'jump', repeat: 'last' } as unknown as { gap: 'next'; repeat: 'first' };
  expect(problems({ schedules: [], timezone: 'UTC', dst })).toEqual([
    'dst.gap: "jump" is not known; allowed are next, skip',
    'dst.repeat: "last" is not known; allowed are first, second, both',
  ]);
});
