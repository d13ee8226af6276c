import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeProblems } from '../../functions/catalog/problem.ts';
import { validateJob } from '../../functions/catalog/validate.ts';
import { specIdOf } from '../../functions/domain/manifest.ts';
import { at, cron, every, manual, spreadOf } from '../../functions/domain/schedule/index.ts';

const now = Date.UTC(2026, 10, 30);
const hour = 60 * 60_000;
const capacities = new Map([
  ['reports-db', 3],
  ['payments-db', 1],
]);

const valid = {
  description: 'Send the invoices of the month',
  schedule: cron('0 3 1 * *'),
  timezone: 'Asia/Taipei',
  missed: 'all',
  crashed: 'park',
  run: async () => {},
};

function check(options: unknown, file = 'billing/send-invoices.ts') {
  return validateJob(file, { fireledger: 'job', options }, { now, capacities });
}

/** What the author of a job with these options is told; `undefined` leaves an option out. */
function told(changed: Readonly<Record<string, unknown>>, file?: string): string {
  const options = Object.entries({ ...valid, ...changed }).filter(([, value]) => value !== undefined);
  return check(Object.fromEntries(options), file)
    .problems.map(({ message }) => message)
    .join('\n');
}

describe('a valid job', () => {
  it('becomes plain data with every default filled in', () => {
    expect(check(valid).job?.entry).toEqual({
      id: 'billing/send-invoices',
      file: 'billing/send-invoices.ts',
      description: 'Send the invoices of the month',
      spec: { schedules: [cron('0 3 1 * *')], timezone: 'Asia/Taipei' },
      specId: specIdOf({ schedules: [cron('0 3 1 * *')], timezone: 'Asia/Taipei' }),
      missed: { policy: 'all', limit: 100, maxAgeMs: 7 * 86_400_000, ratePerMinute: 10 },
      crashed: 'park',
      overlap: 'skip',
      timeoutMs: 300_000,
      graceMs: 180_000,
      memoryMb: 256,
      environment: {},
    });
  });

  it('says what it sets', () => {
    const set = {
      id: 'billing/invoices',
      schedule: [every('5 minutes'), manual()],
      timezone: undefined,
      missed: { policy: 'latest', limit: 1, maxAge: '1 day', rate: 60 },
      crashed: 'rerun',
      overlap: 'allow',
      timeout: '14.5 minutes',
      grace: '24 hours',
      memory: 10_240,
      environment: { BANK_URL: 'https://bank.example' },
      permissions: [{ actions: ['dynamodb:Get*'], resources: ['arn:aws:dynamodb:*:*:table/payments'] }],
      stages: ['prod'],
    };
    expect(check({ ...valid, ...set }).job?.entry).toMatchObject({
      id: 'billing/invoices',
      spec: { timezone: 'UTC' },
      missed: { policy: 'latest', limit: 1, maxAgeMs: 86_400_000, ratePerMinute: 60 },
      overlap: 'allow',
      timeoutMs: 870_000,
      graceMs: 86_400_000,
      memoryMb: 10_240,
      environment: { BANK_URL: 'https://bank.example' },
      permissions: set.permissions,
      stages: ['prod'],
    });
  });

  it('needs no time zone when every schedule is absolute', () => {
    expect(told({ schedule: every('5 minutes'), timezone: undefined })).toBe('');
    expect(told({ schedule: manual(), timezone: undefined })).toBe('');
  });

  it('is warned of a grace that a late alarm and a cold start would use up', () => {
    expect(check({ ...valid, grace: '90 seconds' }).warnings).toMatchInlineSnapshot(`
      [
        "grace: under 2 minutes: an alarm may come a minute late, and a cold start takes its time",
      ]
    `);
    expect(check({ ...valid, grace: '2 minutes' }).warnings).toEqual([]);
  });
});

describe('every mistake of a file is told at once', () => {
  it('grouped under its file', () => {
    const { problems } = check({
      description: '',
      schedule: cron('61 3 * * MON-FRY'),
      timezone: 'PST',
      mised: 'all',
      crashed: 'resumed',
      pools: { 'report-db': 1 },
      timeout: '20 minutes',
    });
    expect(describeProblems('functions/jobs', problems)).toMatchInlineSnapshot(`
      "10 problems under functions/jobs

      billing/send-invoices.ts
        - "mised" is no option; did you mean "missed"?
        - run: missing; write the work: async run(fire, ctx) { … }
        - description: "" is not allowed; write one sentence for the person on call
        - schedule: minute: "61" is out of range (character 1 of "61 3 * * MON-FRY"); allowed are 0-59, with * , - /
        - schedule: day-of-week: "FRY" is not a value (character 14 of "61 3 * * MON-FRY"); allowed are 0-7 or SUN-SAT, with * , - / ? L #
        - timezone: "PST" is an abbreviation, not a time zone; name a place: America/Los_Angeles, Asia/Manila
        - missed: missing, and it has no default: what if nothing started a fire within its grace, as in an outage?
          'all' makes up every one, oldest first;
          'latest' makes up the newest, which covers the older ones;
          'skip' writes them down and runs nothing;
          { policy, limit, maxAge, rate } bounds how many, how old and how fast
        - crashed: "resumed" is not allowed; allowed is "rerun" or "resume" or "park"; did you mean "resume"?
        - timeout: "20 minutes" is out of range; allowed is 1 second to 14.5 minutes (Lambda ends at 15 minutes, and 30 seconds are kept for recording the outcome)
        - pools: there is no pool "report-db"; did you mean "reports-db"? (a new one is declared in pools.ts beside the jobs folder: "report-db": { capacity: 3, describe: '…' })"
    `);
  });

  it('each with its file, option and value', () => {
    expect(check({ ...valid, timeout: '20 minutes' }).problems).toMatchInlineSnapshot(`
      [
        {
          "file": "billing/send-invoices.ts",
          "message": "timeout: "20 minutes" is out of range; allowed is 1 second to 14.5 minutes (Lambda ends at 15 minutes, and 30 seconds are kept for recording the outcome)",
          "option": "timeout",
          "value": ""20 minutes"",
        },
      ]
    `);
  });
});

describe('what is not a job', () => {
  const whatIsWrong = (exported: unknown) =>
    validateJob('a.ts', exported, { now, capacities }).problems[0]?.message;

  it('a file without default export', () => {
    expect(whatIsWrong(undefined)).toMatchInlineSnapshot(
      `"has no default export; write: export default defineJob({ … })"`,
    );
  });

  it('an export that defineJob did not make', () => {
    expect(whatIsWrong(null)).toMatchInlineSnapshot(
      `"its default export is null that defineJob did not make; write: export default defineJob({ … })"`,
    );
    expect(whatIsWrong({ schedule: valid.schedule })).toMatchInlineSnapshot(
      `"its default export is an object that defineJob did not make; write: export default defineJob({ … })"`,
    );
    expect(whatIsWrong(() => {})).toMatchInlineSnapshot(
      `"its default export is a function that defineJob did not make; write: export default defineJob({ … })"`,
    );
  });

  it('defineJob without options', () => {
    expect(whatIsWrong({ fireledger: 'job', options: undefined })).toMatchInlineSnapshot(
      `"defineJob was called with undefined; write: export default defineJob({ … })"`,
    );
    expect(whatIsWrong({ fireledger: 'job', options: [] })).toMatchInlineSnapshot(
      `"defineJob was called with an array; write: export default defineJob({ … })"`,
    );
  });

  it('options that throw when they are read', () => {
    const options = Object.defineProperty({ ...valid }, 'grace', {
      enumerable: true,
      get: () => {
        throw new Error('no grace');
      },
    });
    expect(whatIsWrong({ fireledger: 'job', options })).toMatchInlineSnapshot(
      `"its options can't be read: Error: no grace"`,
    );
  });
});

describe('names of options', () => {
  it('an unknown one is refused with the nearest known one', () => {
    expect(told({ crashd: 'rerun' })).toMatchInlineSnapshot(
      `""crashd" is no option; did you mean "crashed"?"`,
    );
    expect(told({ timeZone: 'UTC' })).toMatchInlineSnapshot(
      `""timeZone" is no option; did you mean "timezone"?"`,
    );
    expect(told({ colour: 'red' })).toMatchInlineSnapshot(
      `""colour" is no option; the options are id, description, schedule, timezone, dst, from, until, except, spread, missed, crashed, overlap, maxQueued, maxWait, timeout, grace, memory, environment, permissions, stages, input, pools, priority, retry, pauseAfter, notify, metrics, run, secrets, vpc"`,
    );
    expect(told({ '__proto__x\u001b[31m': 1 })).toMatchInlineSnapshot(
      `""__proto__x\\u001b[31m" is no option; the options are id, description, schedule, timezone, dst, from, until, except, spread, missed, crashed, overlap, maxQueued, maxWait, timeout, grace, memory, environment, permissions, stages, input, pools, priority, retry, pauseAfter, notify, metrics, run, secrets, vpc"`,
    );
  });

  it('the value of an unknown one is not shown: it may be a secret', () => {
    expect(told({ pasword: 'hunter2' })).not.toContain('hunter2');
  });
});

describe('id', () => {
  it('keeps to the rules of job ids', () => {
    expect(told({ id: 'Billing/Invoices' })).toMatchInlineSnapshot(
      `"id: "Billing/Invoices" must be lower-case words of letters, digits and single "-", separated by "/", such as billing/send-invoices"`,
    );
    expect(told({ id: 'a'.repeat(121) })).toMatchInlineSnapshot(
      `"id: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… has 121 characters; at most 120 are allowed"`,
    );
    expect(told({ id: 7 })).toMatchInlineSnapshot(
      `"id: 7 is not a job id; write a text such as "billing/send-invoices""`,
    );
    expect(told({ id: null })).toMatchInlineSnapshot(
      `"id: null is not a job id; write a text such as "billing/send-invoices""`,
    );
  });

  it('comes from the path, which must keep to them too', () => {
    expect(told({}, 'Billing/sendInvoices.ts')).toMatchInlineSnapshot(
      `"id: the path, without its ending the job's id, must be lower-case words of letters, digits and single "-", separated by "/", such as billing/send-invoices; rename the file or give it an id"`,
    );
    expect(told({ id: 'billing/invoices' }, 'Billing/sendInvoices.ts')).toBe('');
  });
});

describe('description', () => {
  it('is one line that fits Lambda', () => {
    expect(told({ description: undefined })).toMatchInlineSnapshot(
      `"description: missing; write one sentence for the person on call"`,
    );
    expect(told({ description: '  ' })).toMatchInlineSnapshot(
      `"description: "  " is not allowed; write one sentence for the person on call"`,
    );
    expect(told({ description: 'd'.repeat(257) })).toMatchInlineSnapshot(
      `"description: "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd… has 257 characters; at most 256 are allowed"`,
    );
    expect(told({ description: 'one\ntwo' })).toMatchInlineSnapshot(
      `"description: "one\\ntwo" must be one line without control characters"`,
    );
    expect(told({ description: 5n })).toMatchInlineSnapshot(
      `"description: 5 is not allowed; write one sentence for the person on call"`,
    );
  });
});

describe('schedule and timezone', () => {
  it('a schedule is required, and made by its functions', () => {
    expect(told({ schedule: undefined })).toMatchInlineSnapshot(
      `"schedule: missing; when is the job due? write cron('0 3 * * *'), every('5 minutes'), at('2027-01-01T09:00'), manual(), or a list of them"`,
    );
    expect(told({ schedule: '0 3 * * *' })).toMatchInlineSnapshot(
      `"schedule: "0 3 * * *" is not a schedule; write cron("0 3 * * *"), or every(…) or at(…)"`,
    );
    expect(told({ schedule: manual })).toMatchInlineSnapshot(
      `"schedule: a function is not a schedule; call it: manual(…)"`,
    );
    expect(told({ schedule: new Date(0) })).toMatchInlineSnapshot(
      `"schedule: "1970-01-01T00:00:00.000Z" is not a schedule; write cron('0 3 * * *'), every('5 minutes'), at('2027-01-01T09:00'), manual(), or a list of them"`,
    );
    expect(told({ schedule: [] })).toMatchInlineSnapshot(
      `"schedule: [] is not allowed; allowed is a list of schedules, with at least one"`,
    );
    expect(told({ schedule: [cron('0 3 * * *'), null] })).toMatchInlineSnapshot(
      `"schedule[1]: null is not a schedule; write cron('0 3 * * *'), every('5 minutes'), at('2027-01-01T09:00'), manual(), or a list of them"`,
    );
    expect(told({ schedule: { kind: 'cron', expression: 5 } })).toMatchInlineSnapshot(
      `"schedule: {"kind":"cron","expression":5} is not a schedule; write cron('0 3 * * *'), every('5 minutes'), at('2027-01-01T09:00'), manual(), or a list of them"`,
    );
  });

  it('a bad field is named with its value and range', () => {
    expect(told({ schedule: cron('0 24 * * *') })).toMatchInlineSnapshot(
      `"schedule: hour: "24" is out of range (character 3 of "0 24 * * *"); allowed are 0-23, with * , - /"`,
    );
    expect(told({ schedule: cron('0 3 * *') })).toMatchInlineSnapshot(
      `"schedule: "0 3 * *" has 4 fields; a Unix cron has 5: minute hour day-of-month month day-of-week"`,
    );
    expect(told({ schedule: cron('cron(0 3 * * * *)') })).toMatchInlineSnapshot(
      `"schedule: one of day-of-month and day-of-week must be ?, and neither is in "cron(0 3 * * * *)""`,
    );
    expect(told({ schedule: cron('rate(10 seconds)') })).toMatchInlineSnapshot(
      `"schedule: "rate(10 seconds)" is no rate; write rate(5 minutes): a number, a blank, minutes, hours or days"`,
    );
    expect(told({ schedule: every('90 seconds') })).toMatchInlineSnapshot(
      `"schedule: every: "90 seconds" is no whole number of minutes"`,
    );
    expect(told({ schedule: every('5 min') })).toMatchInlineSnapshot(
      `"schedule: every: "5 min" is not a duration; write a number, a blank and seconds, minutes, hours or days, such as '10 minutes'"`,
    );
    expect(told({ schedule: at('2027-02-30T09:00') })).toMatchInlineSnapshot(
      `"schedule: at: "2027-02-30T09:00" is not a local date and time in whole minutes; write it like 2027-01-01T09:00, without zone"`,
    );
    expect(told({ schedule: [every('5 minutes'), cron('0 3 * * 9')] })).toMatchInlineSnapshot(
      `"schedule[1]: day-of-week: "9" is out of range (character 9 of "0 3 * * 9"); allowed are 0-7 or SUN-SAT, with * , - / ? L #"`,
    );
  });

  it('a wall-clock schedule needs a time zone', () => {
    expect(told({ timezone: undefined })).toMatchInlineSnapshot(
      `"timezone: missing; whose 03:00 is meant? Write an IANA name such as 'Asia/Taipei', or 'UTC'"`,
    );
    expect(told({ schedule: at('2027-01-01T09:00'), timezone: undefined })).toContain('timezone: missing');
  });

  it('a time zone is a place that IANA knows', () => {
    expect(told({ timezone: 'Asia/Taipeh' })).toMatchInlineSnapshot(
      `"timezone: "Asia/Taipeh" is not in the IANA time zone database; did you mean Asia/Taipei?"`,
    );
    expect(told({ timezone: 'EST' })).toMatchInlineSnapshot(
      `"timezone: "EST" is an abbreviation, not a time zone; name a place: America/New_York, America/Panama (without summer time)"`,
    );
    expect(told({ timezone: '+08:00' })).toMatchInlineSnapshot(
      `"timezone: "+08:00" is an offset, not a time zone; name a place, such as Asia/Singapore, or Etc/GMT-8 (sic: its sign is inverted)"`,
    );
    expect(told({ timezone: 8 })).toMatchInlineSnapshot(
      `"timezone: 8 is not a time zone; write an IANA name such as 'Asia/Taipei', or 'UTC'"`,
    );
    expect(told({ schedule: every('5 minutes'), timezone: 'Mars' })).toMatchInlineSnapshot(
      `"timezone: "Mars" is not in the IANA time zone database; did you mean Europe/Paris?"`,
    );
  });
});

describe('dst, from, until, except and spread', () => {
  const refined = {
    dst: { gap: 'skip', repeat: 'both' },
    from: '2027-01-01',
    until: '2027-06-30T12:00',
    except: ['2027-02-08', '2027-02-05/2027-02-12', cron('0 3 1 4 *')],
    spread: '1 hour',
  };
  const specOf = (options: Readonly<Record<string, unknown>>) =>
    check({ ...valid, ...options }).job?.entry.spec;

  it('are part of the spec, and so of its id', () => {
    const { spec, specId } = check({ ...valid, ...refined }).job?.entry ?? {};
    const { spread: _spread, ...given } = refined;
    const spreadMs = spreadOf('billing/send-invoices', 3_600_000);
    expect(spec).toEqual({ schedules: [valid.schedule], timezone: 'Asia/Taipei', ...given, spreadMs });
    expect(specId).toBe(spec && specIdOf(spec));
    const ids = Object.entries(refined).map(
      ([name, value]) => check({ ...valid, [name]: value }).job?.entry.specId,
    );
    expect(new Set([specIdOf({ schedules: [valid.schedule], timezone: 'Asia/Taipei' }), ...ids]).size).toBe(
      6,
    );
  });

  it('a single exception needs no list', () => {
    expect(specOf({ except: '2027-02-08' })?.except).toEqual(['2027-02-08']);
    expect(specOf({ except: cron('0 3 1 4 *') })?.except).toEqual([cron('0 3 1 4 *')]);
  });

  it('a spread goes by the id, not by the file', () => {
    const moved = validateJob(
      'a.ts',
      { fireledger: 'job', options: { ...valid, id: 'b', spread: '1 hour' } },
      { now, capacities },
    );
    expect(moved.job?.entry.spec.spreadMs).toBe(spreadOf('b', 3_600_000));
  });

  it('every mistake in them is told at once, with what is allowed', () => {
    const wrong = {
      dst: { gap: 'nxt', repat: 'both' },
      from: '2027-13-01',
      until: 20_270_101,
      except: ['xmas', '2027-02-12/2027-02-05', cron('61 3 * * *'), 7],
      spread: '90 seconds',
    };
    expect(told(wrong)).toMatchInlineSnapshot(`
      "dst.repat: "both" is no part of dst; did you mean "repeat"?
      dst.gap: "nxt" is not allowed; allowed is "next" or "skip"; did you mean "next"?
      dst.repeat: nothing is not allowed; allowed is "first" or "second" or "both"
      except[0]: "xmas" is no date; write 2026-12-25, a range 2026-12-24/2027-01-02, or cron(…)
      except[1]: "2027-02-12/2027-02-05" runs backwards; write the earlier date first
      except[2]: minute: "61" is out of range (character 1 of "61 3 * * *"); allowed are 0-59, with * , - /
      except[3]: 7 is no exception; write 2026-12-25, 2026-12-24/2027-01-02, or cron(…)
      spread: "90 seconds" is out of range; allowed is 2 minutes to 24 hours
      until: 20270101 is no local date or time; write a text: 2027-01-01 or 2027-01-01T09:00
      from: "2027-13-01" is no local date or time; write 2027-01-01 or 2027-01-01T09:00"
    `);
    expect(
      told({ dst: 'skip', from: '2027-01-02', until: '2027-01-01', except: [], spread: '150 seconds' }),
    ).toMatchInlineSnapshot(`
      "dst: "skip" is not allowed; allowed is an object such as { gap: 'next', repeat: 'first' }
      except: [] is not allowed; allowed is a list of dates, ranges and schedules, with at least one
      spread: "150 seconds" is no whole number of minutes
      until: "2027-01-01" is before from, "2027-01-02"; nothing would ever be due"
    `);
    expect(told({ except: '0 3 1 4 *', spread: '2 days' })).toMatchInlineSnapshot(`
      "except: "0 3 1 4 *" is no date; write 2026-12-25, a range 2026-12-24/2027-01-02, or cron(…)
      spread: "2 days" is out of range; allowed is 2 minutes to 24 hours"
    `);
  });

  it('a local date needs a time zone, whatever the schedule', () => {
    const absolute = { schedule: every('5 minutes'), timezone: undefined };
    for (const local of [{ from: '2027-01-01' }, { until: '2027-01-01' }, { except: '2027-01-01' }])
      expect(told({ ...absolute, ...local })).toContain('timezone: missing');
    expect(told({ ...absolute, spread: '5 minutes' })).toBe('');
  });

  it('what they make of the schedule is warned of', () => {
    expect(check({ ...valid, until: '2026-11-01' }).warnings).toMatchInlineSnapshot(`
      [
        "schedule: "0 3 1 * *" was last due at 2026-11-01T03:00:00+08:00, and never will be again; for a job that is only started by hand write manual()",
      ]
    `);
    const nightly = { schedule: cron('30 2 * * *'), timezone: 'Europe/Berlin' };
    expect(check({ ...valid, ...nightly }).warnings).toHaveLength(2);
    expect(check({ ...valid, ...nightly, dst: { gap: 'skip', repeat: 'first' } }).warnings).toEqual([]);
  });
});

describe('missed and crashed', () => {
  it('are required, and the message says what each answer means', () => {
    expect(told({ missed: undefined })).toMatchInlineSnapshot(`
      "missed: missing, and it has no default: what if nothing started a fire within its grace, as in an outage?
      'all' makes up every one, oldest first;
      'latest' makes up the newest, which covers the older ones;
      'skip' writes them down and runs nothing;
      { policy, limit, maxAge, rate } bounds how many, how old and how fast"
    `);
    expect(told({ crashed: undefined })).toMatchInlineSnapshot(`
      "crashed: missing, and it has no default: what if the process died half-way, when nobody knows what it had done?
      'rerun' runs it again from its start: right if doing it twice does no harm;
      'resume' runs it again, and skips the steps that it has done (ctx.step): right if doing one step twice does no harm;
      'park' stops until a person has looked and says: fl release"
    `);
  });

  it('take the answers that are known', () => {
    expect(told({ missed: 'lastest' })).toMatchInlineSnapshot(
      `"missed: "lastest" is not allowed; allowed is "all" or "latest" or "skip"; did you mean "latest"?"`,
    );
    expect(told({ missed: null })).toMatchInlineSnapshot(
      `"missed: null is not allowed; allowed is "all" or "latest" or "skip""`,
    );
    expect(told({ missed: {} })).toMatchInlineSnapshot(
      `"missed.policy: nothing is not allowed; allowed is "all" or "latest" or "skip""`,
    );
    expect(told({ crashed: 'parked' })).toMatchInlineSnapshot(
      `"crashed: "parked" is not allowed; allowed is "rerun" or "resume" or "park"; did you mean "park"?"`,
    );
    expect(check({ ...valid, crashed: 'resume' }).job?.entry.crashed).toBe('resume');
    expect(told({ crashed: ['park'] })).toMatchInlineSnapshot(
      `"crashed: ["park"] is not allowed; allowed is "rerun" or "resume" or "park""`,
    );
  });

  it('missed has bounds', () => {
    expect(told({ missed: { policy: 'all', limit: 0 } })).toMatchInlineSnapshot(
      `"missed.limit: 0 is not allowed; allowed is a whole number from 1 to 10000"`,
    );
    expect(told({ missed: { policy: 'all', limit: 10_001, rate: 0.5 } })).toMatchInlineSnapshot(`
      "missed.limit: 10001 is not allowed; allowed is a whole number from 1 to 10000
      missed.rate: 0.5 is not allowed; allowed is a whole number a minute from 1 to 1000"
    `);
    expect(told({ missed: { policy: 'all', maxAge: '366 days' } })).toMatchInlineSnapshot(
      `"missed.maxAge: "366 days" is out of range; allowed is 1 minute to 365 days"`,
    );
    expect(told({ missed: { policy: 'all', maxage: '1 day' } })).toMatchInlineSnapshot(
      `"missed.maxage: "1 day" is no part of missed; did you mean "maxAge"?"`,
    );
    expect(
      told({ missed: { policy: 'all', limit: Number.NaN, rate: null, maxAge: null } }),
    ).toMatchInlineSnapshot(`
      "missed.limit: NaN is not allowed; allowed is a whole number from 1 to 10000
      missed.maxAge: null is not a duration; allowed is a text such as '90 seconds', '10 minutes', '1 hour', '7 days'
      missed.rate: null is not allowed; allowed is a whole number a minute from 1 to 1000"
    `);
  });
});

describe('retry', () => {
  const entry = (of: object) => check({ ...valid, ...of }).job?.entry;

  it('is left out of the entry unless given: one attempt', () => {
    expect(entry({})).not.toHaveProperty('retry');
    expect(entry({})).not.toHaveProperty('pauseAfter');
  });

  it('pauses for a minute at first and an hour at most, unless it says otherwise', () => {
    const usual = { attempts: 3, backoffMs: hour / 60, capMs: hour };
    expect(entry({ retry: { attempts: 3 } })?.retry).toEqual(usual);
    const given = { attempts: 20, backoff: '1 second', cap: '24 hours' };
    expect(entry({ retry: given })?.retry).toEqual({ attempts: 20, backoffMs: 1_000, capMs: 24 * hour });
    const long = { attempts: 2, backoff: '3 hours' };
    expect(entry({ retry: long })?.retry).toEqual({ attempts: 2, backoffMs: 3 * hour, capMs: 3 * hour });
  });

  it('has bounds', () => {
    expect(told({ retry: 3 })).toMatchInlineSnapshot(
      `"retry: 3 is not allowed; allowed is { attempts, backoff, cap }, such as { attempts: 3 }"`,
    );
    expect(told({ retry: {} })).toMatchInlineSnapshot(
      `"retry.attempts: nothing is not allowed; allowed is a whole number of attempts, the first included, from 2 to 20"`,
    );
    expect(told({ retry: { attempts: 1, backoff: '0 seconds', cap: '25 hours' } })).toMatchInlineSnapshot(`
      "retry.attempts: 1 is not allowed; allowed is a whole number of attempts, the first included, from 2 to 20
      retry.backoff: "0 seconds" is out of range; allowed is 1 second to 24 hours
      retry.cap: "25 hours" is out of range; allowed is 1 second to 24 hours"
    `);
    expect(told({ retry: { attempts: 21, back: '1 minute' } })).toMatchInlineSnapshot(`
      "retry.back: "1 minute" is no part of retry; its parts are attempts, backoff, cap
      retry.attempts: 21 is not allowed; allowed is a whole number of attempts, the first included, from 2 to 20"
    `);
    expect(told({ retry: { attempts: 3, backoff: '10 minutes', cap: '5 minutes' } })).toMatchInlineSnapshot(
      `"retry.cap: "5 minutes" is shorter than the backoff, "10 minutes"; no pause is longer than the cap"`,
    );
    expect(told({ retry: { attempts: 3, cap: '30 seconds' } })).toMatchInlineSnapshot(
      `"retry.cap: "30 seconds" is shorter than the backoff, which is '1 minute' unless given; no pause is longer than the cap"`,
    );
  });
});

describe('pauseAfter and notify', () => {
  const entry = (of: object) => check({ ...valid, ...of }).job?.entry;

  it('count failures in a row, and tell people unless they are not to be told', () => {
    expect(entry({ pauseAfter: 3 })?.pauseAfter).toBe(3);
    expect(entry({ notify: false })?.notify).toBe(false);
    expect(entry({ notify: true })).not.toHaveProperty('notify');
  });

  it('have bounds', () => {
    expect(told({ pauseAfter: 0 })).toMatchInlineSnapshot(
      `"pauseAfter: 0 is not allowed; allowed is a whole number of failures in a row from 1 to 1000"`,
    );
    expect(told({ pauseAfter: 1_001, notify: 'no' })).toMatchInlineSnapshot(`
      "pauseAfter: 1001 is not allowed; allowed is a whole number of failures in a row from 1 to 1000
      notify: "no" is not allowed; allowed is true or false"
    `);
  });
});

it('a job has metrics of its own when it asks for them', () => {
  const entry = (of: object) => check({ ...valid, ...of }).job?.entry;
  expect(entry({ metrics: true })?.metrics).toBe(true);
  for (const metrics of [false, undefined]) expect(entry({ metrics })).not.toHaveProperty('metrics');
  expect(told({ metrics: 'all' })).toBe('metrics: "all" is not allowed; allowed is true or false');
});

describe('overlap', () => {
  it('takes skip, queue, queue-one, cancel-running and allow', () => {
    const entry = (of: object) => check({ ...valid, ...of }).job?.entry;
    const queue = { overlap: 'queue', maxQueued: 3, maxWait: '2 hours' };
    expect(entry(queue)).toMatchObject({ overlap: 'queue', maxQueued: 3, maxWaitMs: 2 * hour });
    expect(entry({ overlap: 'queue-one', maxWait: '1 minute' })).toMatchObject({ maxWaitMs: hour / 60 });
    expect(entry({ overlap: 'queue-one' })).toMatchObject({ overlap: 'queue-one' });
    expect(entry({ overlap: 'cancel-running', maxWait: '1 hour' })).toMatchObject({ maxWaitMs: hour });
    for (const overlap of ['skip', 'queue', 'queue-one', 'cancel-running', 'allow']) {
      expect(entry({ overlap })?.overlap).toBe(overlap);
      expect(entry({ overlap })).not.toHaveProperty('maxQueued');
      expect(entry({ overlap })).not.toHaveProperty('maxWaitMs');
    }
  });

  it('bounds what waits only where fires queue', () => {
    expect(told({ maxQueued: 3 })).toBe(
      "maxQueued: its fires don't queue; write overlap: 'queue', or leave it out",
    );
    expect(told({ overlap: 'queue-one', maxQueued: 3 })).toContain("maxQueued: its fires don't queue");
    expect(told({ overlap: 'cancel-running', maxQueued: 3 })).toContain("maxQueued: its fires don't queue");
    expect(told({ overlap: 'skip', maxWait: '1 hour' })).toBe(
      "maxWait: its fires wait for nothing; write overlap: 'queue', name pools, or leave it out",
    );
    expect(told({ overlap: 'skip', maxWait: '1 hour', pools: {} })).toContain('maxWait: its fires wait');
    expect(told({ overlap: 'skip', maxWait: '1 hour', pools: { 'reports-db': 1 } })).toBe('');
    expect(told({ overlap: 'queue', maxQueued: 0, maxWait: '1 second' })).toMatchInlineSnapshot(`
      "maxQueued: 0 is not allowed; allowed is a whole number from 1 to 1000
      maxWait: "1 second" is out of range; allowed is 1 minute to 30 days"
    `);
  });

  it('is refused with the nearest and the known ones', () => {
    expect(told({ overlap: 'alow' })).toMatchInlineSnapshot(
      `"overlap: "alow" is not allowed; allowed is "skip" or "queue" or "queue-one" or "cancel-running" or "allow"; did you mean "allow"?"`,
    );
    expect(told({ overlap: false })).toMatchInlineSnapshot(
      `"overlap: false is not allowed; allowed is "skip" or "queue" or "queue-one" or "cancel-running" or "allow""`,
    );
  });
});

describe('pools and priority', () => {
  const entry = (of: object) => check({ ...valid, ...of }).job?.entry;

  it('say what a run takes of each pool, and its rank among those that wait', () => {
    const pools = { 'reports-db': 3, 'payments-db': 1 };
    expect(entry({ pools, priority: -100 })).toMatchObject({ pools, priority: -100 });
    expect(entry({ pools: { 'reports-db': 1 } })).not.toHaveProperty('priority');
    expect(entry({ pools: {} })).not.toHaveProperty('pools');
  });

  it('an unknown pool is refused with the nearest one, and how to declare one', () => {
    expect(told({ pools: { 'report-db': 1 } })).toMatchInlineSnapshot(
      `"pools: there is no pool "report-db"; did you mean "reports-db"? (a new one is declared in pools.ts beside the jobs folder: "report-db": { capacity: 3, describe: '…' })"`,
    );
    expect(told({ pools: { mail: 1, '\u001b[2J': 1 } })).toMatchInlineSnapshot(`
      "pools: there is no pool "mail"; the pools are reports-db, payments-db (a new one is declared in pools.ts beside the jobs folder: "mail": { capacity: 3, describe: '…' })
      pools: there is no pool "\\u001b[2J"; the pools are reports-db, payments-db (a new one is declared in pools.ts beside the jobs folder: "\\u001b[2J": { capacity: 3, describe: '…' })"
    `);
  });

  it('weights are whole units up to the capacity, of ten pools at most', () => {
    expect(told({ pools: { 'reports-db': 4, 'payments-db': 0 } })).toMatchInlineSnapshot(`
      "pools.reports-db: 4 is not allowed; allowed is a whole number from 1 to 3, the pool's capacity
      pools.payments-db: 0 is not allowed; allowed is 1, the pool's capacity"
    `);
    expect(told({ pools: { 'reports-db': 1.5 } })).toContain('pools.reports-db: 1.5 is not allowed');
    expect(told({ pools: { 'reports-db': '1' } })).toContain('pools.reports-db: "1" is not allowed');
    expect(told({ pools: ['reports-db'] })).toMatchInlineSnapshot(
      `"pools: ["reports-db"] is not allowed; allowed are weights by pool, such as { 'reports-db': 1 }"`,
    );
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`pool-${index}`, 1]));
    const options = { ...valid, pools: many };
    const known = new Map(Object.entries(many));
    const { problems } = validateJob('a.ts', { fireledger: 'job', options }, { now, capacities: known });
    expect(problems.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "pools: has 11 pools; at most 10 are allowed",
      ]
    `);
  });

  it('are not judged by pools that nobody could read', () => {
    const options = { ...valid, pools: { 'no-such': 7 } };
    const { job } = validateJob('a.ts', { fireledger: 'job', options }, { now, capacities: null });
    expect(job?.entry.pools).toEqual({ 'no-such': 7 });
  });

  it('a priority is a rank within bounds, and for jobs with pools alone', () => {
    expect(told({ priority: 5 })).toMatchInlineSnapshot(
      `"priority: orders runs that wait for pools; name the pools that the job takes of, or leave it out"`,
    );
    expect(told({ priority: 5, pools: {} })).toBe(told({ priority: 5 }));
    expect(told({ priority: 101, pools: { 'reports-db': 1 } })).toMatchInlineSnapshot(
      `"priority: 101 is not allowed; allowed is a whole number from -100 to 100"`,
    );
    expect(told({ priority: 0.5, pools: { 'reports-db': 1 } })).toContain('priority: 0.5 is not allowed');
  });
});

describe('timeout and grace', () => {
  it('have units and bounds', () => {
    expect(told({ timeout: 300 })).toMatchInlineSnapshot(
      `"timeout: 300 is not a duration; allowed is a text such as '90 seconds', '10 minutes', '1 hour', '7 days'"`,
    );
    expect(told({ timeout: '5min' })).toMatchInlineSnapshot(
      `"timeout: "5min" is not a duration; allowed is a text such as '90 seconds', '10 minutes', '1 hour', '7 days'"`,
    );
    expect(told({ timeout: '0 seconds' })).toMatchInlineSnapshot(
      `"timeout: "0 seconds" is out of range; allowed is 1 second to 14.5 minutes (Lambda ends at 15 minutes, and 30 seconds are kept for recording the outcome)"`,
    );
    expect(told({ timeout: '871 seconds' })).toMatchInlineSnapshot(
      `"timeout: "871 seconds" is out of range; allowed is 1 second to 14.5 minutes (Lambda ends at 15 minutes, and 30 seconds are kept for recording the outcome)"`,
    );
    expect(told({ timeout: '1.5 seconds' })).toMatchInlineSnapshot(
      `"timeout: "1.5 seconds" is no whole number of seconds"`,
    );
    expect(told({ grace: '59 seconds' })).toMatchInlineSnapshot(
      `"grace: "59 seconds" is out of range; allowed is 1 minute to 24 hours"`,
    );
    expect(told({ grace: '2 days' })).toMatchInlineSnapshot(
      `"grace: "2 days" is out of range; allowed is 1 minute to 24 hours"`,
    );
    expect(told({ grace: () => '1 minute' })).toMatchInlineSnapshot(
      `"grace: a function is not a duration; allowed is a text such as '90 seconds', '10 minutes', '1 hour', '7 days'"`,
    );
  });
});

describe('memory', () => {
  it('is a whole number within what Lambda offers', () => {
    expect(told({ memory: 127 })).toMatchInlineSnapshot(
      `"memory: 127 is not allowed; allowed is a whole number of megabytes from 128 to 10240"`,
    );
    expect(told({ memory: 512.5 })).toMatchInlineSnapshot(
      `"memory: 512.5 is not allowed; allowed is a whole number of megabytes from 128 to 10240"`,
    );
    expect(told({ memory: '512' })).toMatchInlineSnapshot(
      `"memory: "512" is not allowed; allowed is a whole number of megabytes from 128 to 10240"`,
    );
  });
});

describe('environment', () => {
  it('has names that Lambda takes and that are not reserved', () => {
    expect(told({ environment: { 'BANK-URL': 'x', A: 'x', '1A': 'x' } })).toMatchInlineSnapshot(`
      "environment: the name "BANK-URL" is not allowed; allowed is a letter, then at least one of letters, digits and "_"
      environment: the name "A" is not allowed; allowed is a letter, then at least one of letters, digits and "_"
      environment: the name "1A" is not allowed; allowed is a letter, then at least one of letters, digits and "_""
    `);
    expect(
      told({ environment: { AWS_REGION: 'x', FIRELEDGER_TABLE: 'x', _HANDLER: 'x' } }),
    ).toMatchInlineSnapshot(`
      "environment: the name "AWS_REGION" is reserved by AWS; names that begin with AWS_ are not allowed
      environment: the name "FIRELEDGER_TABLE" is reserved by fireledger; names that begin with FIRELEDGER_ are not allowed
      environment: the name "_HANDLER" is reserved by Lambda; choose another"
    `);
  });

  it('has texts, whose values are never shown', () => {
    const told13 = told({ environment: { PIN: 1313, LIST: ['1313'], NOTHING: undefined } });
    expect(told13).toMatchInlineSnapshot(`
      "environment.PIN: the value is a number; allowed is a text
      environment.LIST: the value is an array; allowed is a text
      environment.NOTHING: the value is undefined; allowed is a text"
    `);
    expect(told13).not.toContain('1313');
    expect(told({ environment: ['PIN=1313'] })).toMatchInlineSnapshot(
      `"environment: is an array; allowed is an object of texts, such as { REGION: 'eu' }"`,
    );
    expect(told({ environment: new Map([['PIN', '1313']]) })).toMatchInlineSnapshot(
      `"environment: is an object; allowed is an object of texts, such as { REGION: 'eu' }"`,
    );
  });

  it('fits into what Lambda allows', () => {
    expect(told({ environment: { LONG: 'é'.repeat(1_600) } })).toMatchInlineSnapshot(
      `"environment: has 3204 bytes in all; at most 3072 are allowed"`,
    );
  });
});

describe('permissions', () => {
  const permit = (permission: unknown) => told({ permissions: [permission] });
  const table = 'arn:aws:dynamodb:*:*:table/payments';

  it('are plain data of actions and resources', () => {
    expect(told({ permissions: {} })).toMatchInlineSnapshot(
      `"permissions: {} is not allowed; allowed is a list of { actions: […], resources: […] }"`,
    );
    expect(permit('dynamodb:GetItem')).toMatchInlineSnapshot(
      `"permissions[0]: "dynamodb:GetItem" is not allowed; allowed is { actions: […], resources: […] }"`,
    );
    expect(permit({ action: ['dynamodb:GetItem'], resources: [table] })).toMatchInlineSnapshot(`
      "permissions[0].action: ["dynamodb:GetItem"] is no part of permissions[0]; did you mean "actions"?
      permissions[0].actions: nothing is not allowed; allowed is a list of IAM actions, with at least one"
    `);
    expect(permit({ actions: [], resources: 'x' })).toMatchInlineSnapshot(`
      "permissions[0].actions: [] is not allowed; allowed is a list of IAM actions, with at least one
      permissions[0].resources: "x" is not allowed; allowed is a list of ARNs, with at least one"
    `);
    expect(permit({ actions: [7], resources: [null] })).toMatchInlineSnapshot(`
      "permissions[0].actions[0]: 7 is not a text
      permissions[0].resources[0]: null is not a text"
    `);
  });

  it('never allow everything', () => {
    expect(permit({ actions: ['*'], resources: [table] })).toMatchInlineSnapshot(
      `"permissions[0].actions[0]: "*" would allow everything; name the actions, such as "dynamodb:GetItem" or "dynamodb:Get*""`,
    );
    expect(permit({ actions: ['s3:*'], resources: ['arn:aws:s3:::invoices/*'] })).toMatchInlineSnapshot(
      `"permissions[0].actions[0]: "s3:*" would allow everything; name the actions, such as "dynamodb:GetItem" or "dynamodb:Get*""`,
    );
    expect(permit({ actions: ['dynamodb:Get*'], resources: ['*'] })).toMatchInlineSnapshot(
      `"permissions[0].resources[0]: "*" is allowed only together with actions that are written without "*""`,
    );
    expect(permit({ actions: ['ec2:DescribeInstances'], resources: ['*'] })).toBe('');
  });

  it('are no longer than IAM allows a role’s policies to be', () => {
    const one = { actions: ['s3:GetObject'], resources: ['arn:aws:s3:::invoices/*'] };
    expect(told({ permissions: Array.from({ length: 72 }, () => one) })).toBe('');
    expect(told({ permissions: Array.from({ length: 73 }, () => one) })).toContain(
      'has 5038 characters; at most 5000 are allowed, since IAM bounds a role\'s policies. One "*" may stand for several',
    );
  });

  it('name actions and ARNs', () => {
    expect(permit({ actions: ['GetItem'], resources: ['payments'] })).toMatchInlineSnapshot(`
      "permissions[0].actions[0]: "GetItem" is not an IAM action; write one such as "dynamodb:GetItem" or "dynamodb:Get*"
      permissions[0].resources[0]: "payments" is not an ARN; write one such as "arn:aws:dynamodb:*:*:table/payments""
    `);
    expect(permit({ actions: ['s3:GetObject'], resources: ['arn:aws:s3:::invoices/*'] })).toBe('');
  });
});

describe('permissions that would undo what fireledger promises are refused, with the reason', () => {
  const permit = (action: string, resource: string) =>
    told({ permissions: [{ actions: [action], resources: [resource] }] });

  it.each([
    ['iam:CreateRole', 'arn:aws:iam::*:role/mine'],
    ['iam:PutRole*', 'arn:aws:iam::*:role/mine'],
    ['iam:PassRole', '*'],
    ['sts:AssumeRole', '*'],
    ['sts:AssumeRole', 'arn:aws:iam::*:role/*'],
    ['sts:As*', 'arn:aws:iam::*:role/*'],
    ['sts:ASSUMEROLE', 'arn:aws:iam::*:role/*'],
    ['sts:AssumeRole', 'arn:aws:iam::*:role/fireledger-*'],
    ['iam:PassRole', 'arn:aws:iam::*:role/fireledger-{stage}-ledger-ReconcilerSweeperRole-x'],
    ['dynamodb:GetItem', '*'],
    ['dynamodb:Get*', 'arn:aws:dynamodb:*:*:table/fireledger-{stage}'],
    ['dynamodb:UpdateItem', 'arn:aws:dynamodb:*:*:table/*'],
    ['dynamodb:Query', 'arn:aws:dynamodb:*:*:table/fireledger-prod/index/*'],
    ['sqs:SendMessage', 'arn:aws:sqs:*:*:fireledger-{stage}-control'],
    ['sqs:Receive*', 'arn:aws:sqs:*:*:fireledger-*'],
    ['lambda:InvokeFunction', 'arn:aws:lambda:*:*:function:*'],
    ['lambda:InvokeFunction', 'arn:aws:lambda:*:*:function:fireledger-{stage}-2-billing_close-month'],
    ['lambda:Update*', 'arn:aws:lambda:*:*:function:fireledger-dev-*'],
    ['scheduler:DeleteSchedule', 'arn:aws:scheduler:*:*:schedule/fireledger-{stage}/*'],
  ])('%s on %s', (action, resource) => {
    expect(permit(action, resource)).toContain('permissions[0].resources[0]: ');
  });

  it('as in these words', () => {
    expect(permit('dynamodb:UpdateItem', 'arn:aws:dynamodb:*:*:table/*')).toMatchInlineSnapshot(
      `"permissions[0].resources[0]: "arn:aws:dynamodb:*:*:table/*" with dynamodb:UpdateItem reaches the ledger's own table: a job has its own records without it, and must not touch others'"`,
    );
    expect(permit('iam:CreateRole', 'arn:aws:iam::*:role/mine')).toMatchInlineSnapshot(
      `"permissions[0].resources[0]: "arn:aws:iam::*:role/mine" with iam:CreateRole lets it give itself, or others, any right; leave that to whoever deploys"`,
    );
    expect(permit('sts:AssumeRole', '*')).toMatchInlineSnapshot(
      `"permissions[0].resources[0]: "*" with sts:AssumeRole lets it become any role that allows it; name the role"`,
    );
  });

  it.each([
    ['dynamodb:ListTables', '*'],
    ['dynamodb:Query', 'arn:aws:dynamodb:*:*:table/fireledger-{stage}-example-invoices'],
    ['dynamodb:Query', 'arn:aws:dynamodb:*:*:table/payments'],
    ['sqs:SendMessage', 'arn:aws:sqs:*:*:invoices'],
    ['sqs:SendMessage', 'arn:aws:sqs:*:*:fireledger-{stage}-controls-of-quality'],
    ['lambda:InvokeFunction', 'arn:aws:lambda:*:*:function:render-pdf'],
    ['lambda:InvokeFunction', 'arn:aws:lambda:*:*:function:fireledger-development-tools'],
    ['iam:PassRole', 'arn:aws:iam::*:role/tasks'],
    ['iam:GetRole', 'arn:aws:iam::*:role/tasks'],
    ['sts:AssumeRole', 'arn:aws:iam::123456789012:role/bank'],
  ])('%s on %s is fine', (action, resource) => {
    expect(permit(action, resource)).toBe('');
  });
});

describe('secrets', () => {
  it('are names by names, of Secrets Manager or Parameter Store', () => {
    const secrets = {
      API_KEY: 'billing/{stage}/api-key',
      PASSWORD: 'billing/database#password',
      TOKEN: '/billing/{stage}/token',
    };
    expect(check({ ...valid, secrets }).job?.entry.secrets).toEqual(secrets);
    expect(check({ ...valid, secrets: {} }).job?.entry).not.toHaveProperty('secrets');
  });

  it('are refused where they are none, and what stands there is never shown', () => {
    const secrets = {
      'API-KEY': 'fine',
      ARN: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:hunter2-AbCdEf',
      VALUE: 'hunter2!',
      NUMBER: 42,
      HASHES: 'hunter2#a#b',
      NO_KEY: 'hunter2#',
      STAGE: 'hunter2/{region}',
      PATH: '/hunter2//key',
    };
    const messages = told({ secrets });
    expect(messages).not.toContain('hunter2');
    expect(messages).toMatchInlineSnapshot(`
      "secrets: the name "API-KEY" is not allowed; allowed is a letter, then up to 63 of letters, digits and "_"
      secrets.ARN: begins like an ARN; write the secret's name alone. One of another account is for the job's own client and permissions
      secrets.VALUE: is no name of Secrets Manager; allowed are up to 512 letters, digits and "/_+=.@-". Not the secret itself, but where it is kept
      secrets.NUMBER: is a number; allowed is the name under which it is kept, such as { API_KEY: 'billing/api-key' }
      secrets.HASHES: has a "#" that is not followed by one key; write it as billing/database#password
      secrets.NO_KEY: has a "#" that is not followed by one key; write it as billing/database#password
      secrets.STAGE: has "{" or "}"; the only part that is filled in is {stage}
      secrets.PATH: is no name of Parameter Store; allowed are up to 15 parts of letters, digits, "_", "." and "-", each after a "/""
    `);
    expect(told({ secrets: ['hunter2'] })).toMatchInlineSnapshot(
      `"secrets: is an array; allowed is an object of names, such as { API_KEY: 'billing/api-key' }"`,
    );
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`S${index}`, 'one']));
    expect(told({ secrets: many })).toBe('secrets: has 21 of them; at most 20 are allowed');
    expect(told({ secrets: { A: 'a'.repeat(501), B: 'b'.repeat(500) } })).toBe(
      "secrets: their names have 1001 characters; at most 1000 are allowed, since IAM bounds a role's policies",
    );
  });
});

describe('vpc', () => {
  it('is a name', () => {
    expect(check({ ...valid, vpc: 'main' }).job?.entry.vpc).toBe('main');
    expect(told({ vpc: 'vpc 1' })).toMatchInlineSnapshot(
      `"vpc: "vpc 1" is not allowed; allowed is the name of one of a stage's vpcs in functions/config.ts, such as "main""`,
    );
  });
});

describe('stages', () => {
  it('are known to functions/config.ts', () => {
    expect(told({ stages: ['prdo'] })).toMatchInlineSnapshot(
      `"stages[0]: "prdo" is not a stage of functions/config.ts: local, dev, e2e, prod; did you mean "prod"?"`,
    );
    expect(told({ stages: 'prod' })).toMatchInlineSnapshot(
      `"stages: "prod" is not allowed; allowed is a list of stages, with at least one"`,
    );
    expect(told({ stages: [] })).toMatchInlineSnapshot(
      `"stages: [] is not allowed; allowed is a list of stages, with at least one"`,
    );
    expect(told({ stages: [undefined] })).toMatchInlineSnapshot(
      `"stages[0]: nothing is not a stage of functions/config.ts: local, dev, e2e, prod"`,
    );
  });
});

describe('run and input', () => {
  it('run is the work', () => {
    expect(told({ run: undefined })).toMatchInlineSnapshot(
      `"run: missing; write the work: async run(fire, ctx) { … }"`,
    );
    expect(told({ run: 'node job.js' })).toMatchInlineSnapshot(
      `"run: "node job.js" is not a function; write async run(fire, ctx) { … }"`,
    );
  });

  it('input is a Standard Schema', () => {
    const schema = { '~standard': { version: 1, vendor: 'ours', validate: () => ({ value: 1 }) } };
    expect(told({ input: schema })).toBe('');
    expect(told({ input: Object.assign(() => {}, schema) })).toBe('');
    expect(told({ input: { type: 'object' } })).toMatchInlineSnapshot(
      `"input: is an object; allowed is a Standard Schema, such as one of zod, valibot or arktype"`,
    );
    expect(told({ input: null })).toMatchInlineSnapshot(
      `"input: is null; allowed is a Standard Schema, such as one of zod, valibot or arktype"`,
    );
  });
});

it('no value of any option is a crash', () => {
  const names = [
    ...Object.keys(valid),
    'id',
    'overlap',
    'timeout',
    'grace',
    'memory',
    'environment',
    'permissions',
    'stages',
    'input',
    'pools',
    'priority',
    'maxQueued',
    'maxWait',
    'dst',
    'from',
    'until',
    'except',
    'spread',
  ];
  const anything = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
    }),
    fc.func(fc.anything()),
    fc.constant(Symbol('s')),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), anything), (changed) => {
      const { job, problems } = check({ ...valid, ...changed });
      expect(job === undefined).toBe(problems.length > 0);
      for (const { message } of problems) expect(message).not.toContain("can't be read");
    }),
    { numRuns: 500 },
  );
});
