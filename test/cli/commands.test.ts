import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute } from '../../functions/domain/time.ts';
import { type Ended, runFl } from './run-fl.ts';
import { type SeededFolder, seededFolder } from './seeded.ts';

const start = Date.parse('2026-12-01T00:00:00Z');
const now = start + 4 * hour - minute;
let folder: SeededFolder;

beforeAll(async () => {
  folder = await seededFolder(start);
});

afterAll(async () => {
  await folder.stop();
  folder.remove();
});

/** Runs a command on the seeded folder; `_` stands for a blank within a word. */
async function fl(command: string, input = ''): Promise<Ended> {
  const words = command.split(' ').map((word) => word.replaceAll('_', ' '));
  const { code, out, err } = await runFl(words, { now, input });
  return { code, out: out.replaceAll(folder.dir, 'DIR'), err: err.replaceAll(folder.dir, 'DIR') };
}

const here = () => `--data ${folder.dir}`;

describe('fl jobs', () => {
  test('shows schedule in words, zone, next fire, last run and state', async () => {
    expect((await fl(`jobs ${here()}`)).out).toMatchInlineSnapshot(`
      "JOB                    SCHEDULE    ZONE              NEXT              LAST                  STATE
      billing/send-invoices  Every hour  Asia/Taipei       2026-12-01 12:00  succeeded 59 min ago  1 parked
        a person must decide: fl runs --state parked --job billing/send-invoices, then fl release
      reports/inventory      At 19:00,   America/New_York  2026-12-01 19:00  skipped 3 h ago       paused
                             on day 1
                             and 15 of
                             the month;
                             or at
                             19:00,
                             only on
                             Monday
        paused 2026-11-30 19:00 -05:00 by ops: stock is being counted
      "
    `);
  });

  test('answers in JSON', async () => {
    const [one, other] = JSON.parse((await fl(`jobs --json ${here()}`)).out);
    expect(one).toMatchObject({
      id: 'billing/send-invoices',
      timezone: 'Asia/Taipei',
      next: '2026-12-01T04:00:00Z',
      last: { fireTime: '2026-12-01T03:00:00Z', state: 'succeeded' },
      paused: null,
    });
    expect(other).toMatchObject({
      last: { state: 'skipped', reason: 'paused' },
      paused: { at: '2026-12-01T00:00:00Z', by: 'ops' },
    });
  });
});

describe('fl runs', () => {
  test('shows what became of each fire, newest first, and why', async () => {
    expect((await fl(`runs ${here()}`)).out).toMatchInlineSnapshot(`
      "DUE                      JOB                    STATE      TRIGGER   LATE BY  ATTEMPTS  DUPLICATES
      2026-12-01 11:00 +08:00  billing/send-invoices  succeeded  backfill  5 min    1         0
        missed: nothing started it within its grace; then made up
      2026-12-01 09:00 +08:00  billing/send-invoices  parked     schedule  1.2 s    1         0
        crashed: its process died half-way; a person must decide: fl release
      2026-12-01 08:00 +08:00  billing/send-invoices  succeeded  schedule  0.8 s    1         2
      2026-11-30 19:00 -05:00  reports/inventory      skipped    schedule  -        0         0
        paused: its job was paused
      "
    `);
  });

  test('reads a time without a zone as UTC where several jobs have several, and says so', async () => {
    const asked = `--from 2026-12-01T01:00 --to 2026-12-01T02:00 ${here()}`;
    const { code, out, err } = await fl(`runs --json ${asked}`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject([{ key: '2026-12-01T01:00:00Z' }]);
    expect((await fl(`runs ${asked}`)).err).toContain('2026-12-01T01:00 and 2026-12-01T02:00: read as UTC');
  });

  test('filters by job, state and time; a time without a zone is the job’s', async () => {
    const ids = async (filter: string) =>
      JSON.parse((await fl(`runs --json ${filter} ${here()}`)).out).map((run: { key: string }) => run.key);
    expect(await ids('--state parked')).toEqual(['2026-12-01T01:00:00Z']);
    expect(await ids('--limit 1')).toEqual(['2026-12-01T03:00:00Z']);
    expect(await ids('--job reports/inventory --state failed')).toEqual([]);
    expect(await ids('--job billing/send-invoices --from 2026-12-01T09:00 --to 2026-12-01T10:00')).toEqual([
      '2026-12-01T01:00:00Z',
    ]);
    expect(await ids('--job billing/send-invoices --from 09:00 --to 10:00')).toEqual([
      '2026-12-01T01:00:00Z',
    ]);
    expect(await ids('--to 2026-12-01T00:30:00Z --state succeeded')).toEqual(['2026-12-01T00:00:00Z']);
  });

  test.each([
    [
      '--job billing/send-invoces',
      'there is no job "billing/send-invoces"; did you mean billing/send-invoices?',
    ],
    ['--job send-invoices', 'there is no job "send-invoices"; did you mean billing/send-invoices?'],
    ['--from yesterday', '--from: "yesterday" is not a time'],
    ['--job billing/send-invoices --from 2026-02-30', 'there is no 2026-02-30 in Asia/Taipei'],
    ['--from 2026-12-02T00:00:00Z --to 2026-12-01T00:00:00Z', 'is after'],
    ['--state gone', 'Allowed choices are offered'],
    ['--limit 0', 'whole number from 1'],
    ['--stage prod', 'cannot be used with option'],
  ])('asked wrongly, says why: %s', async (options, message) => {
    const { code, out, err } = await fl(`runs ${options} ${here()}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('fl show', () => {
  test('tells everything about a run', async () => {
    expect(
      (await fl(`show billing/send-invoices#2026-12-01T01:00:00Z ${here()}`)).out,
    ).toMatchInlineSnapshot(`
      "billing/send-invoices#2026-12-01T01:00:00Z
        state         parked
        why           crashed: its process died half-way; a person must decide: fl release
        due           2026-12-01 09:00 +08:00 (Asia/Taipei)
        trigger       schedule
        late by       1.2 s
        duplicates    0 refused
        crashes       1

      ATTEMPT  STARTED                       TOOK           OUTCOME  PID   REQUEST
      1        2026-12-01 09:00:01.2 +08:00  at most 7 min  crashed  4242  request-1

      TIME                          WHAT HAPPENED
      2026-12-01 09:00:00.0 +08:00  due
      2026-12-01 09:00:01.0 +08:00  recorded
      2026-12-01 09:00:01.2 +08:00  attempt 1 started
      2026-12-01 09:07:01.2 +08:00  attempt 1 crashed: its lease ended, and it had not settled
      "
    `);
  });

  test.each([
    '#2026-12-01T01:00:00Z',
    '#2026-12-01T09:00',
    ' 2026-12-01T09:00',
    ' 2026-12-01T09:00:00+08:00',
  ])('finds a run by its time in UTC or in the job’s zone: JOB%s', async (time) => {
    const run = JSON.parse((await fl(`show billing/send-invoices${time} --json ${here()}`)).out);
    expect(run).toMatchObject({
      id: 'billing/send-invoices#2026-12-01T01:00:00Z',
      state: 'parked',
      lateByMs: 1_200,
      attempts: [{ pid: 4242, requestId: 'request-1', leaseUntil: '2026-12-01T01:06:01Z', tookMs: 420_000 }],
    });
    expect(run).not.toHaveProperty('attentionAt');
  });

  test.each([
    ['billing/send-invoces', 'did you mean billing/send-invoices?'],
    ['billing/send-invoices 09:30', 'there is no run billing/send-invoices#2026-12-01T01:30:00Z'],
    [
      'billing/send-invoices 2026-12-01T02:00:00Z',
      'there is no run billing/send-invoices#2026-12-01T02:00:00Z',
    ],
    ['billing/send 2026-12-01T02:00:00Z', 'there is no job "billing/send"'],
  ])('says what is wrong with %s', async (argument, message) => {
    const { code, err } = await fl(`show ${argument} ${here()}`);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('fl show of a job alone', () => {
  test('is its newest run, and ends with 0 when that needs nobody', async () => {
    const { code, out } = await fl(`show billing/send-invoices --json ${here()}`);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ key: '2026-12-01T03:00:00Z', state: 'succeeded' });
  });

  test('with a time of day is that of today, by the job’s calendar', async () => {
    const { out } = await fl(`show billing/send-invoices 09:00 --json ${here()}`);
    expect(JSON.parse(out)).toMatchObject({ key: '2026-12-01T01:00:00Z' });
  });
});

describe('a parked run, which a person must decide about,', () => {
  test.each([
    'show billing/send-invoices 09:00',
    'show billing/send-invoices 09:00 --json',
    'runs --state parked',
    'runs --state parked --json',
  ])('makes fl end with 2: fl %s', async (command) => {
    expect(await fl(`${command} ${here()}`)).toMatchObject({ code: 2, err: '' });
  });

  test.each(['jobs', 'runs', 'runs --state failed', 'runs --job reports/inventory --state parked'])(
    'is no reason to where it isn’t asked for: fl %s',
    async (command) => {
      expect(await fl(`${command} ${here()}`)).toMatchObject({ code: 0, err: '' });
    },
  );
});

describe('fl audit', () => {
  test('ends with 1 and names the fire without a record', async () => {
    const { code, out } = await fl(`audit --from 2026-12-01T00:00:00Z ${here()}`);
    expect(code).toBe(1);
    expect(out).toMatchInlineSnapshot(`
      "JOB                    DUE  RECORDED  MISSING  DOUBLED  DUPLICATES  STRAYS  MANUAL
      billing/send-invoices  4    3         1        0        2           0       0
      reports/inventory      1    1         0        0        0           0       0
      all                    5    4         1        0        2           0       0

      Not every fire is accounted for: 1 fire without a record, 0 fires that ran twice, from 2026-12-01 00:00 UTC to 2026-12-01 03:54:45 UTC.

      Without a record:
        billing/send-invoices#2026-12-01T02:00:00Z
      "
    `);
  });

  test('is one JSON object, each job with the same fields', async () => {
    const { code, out } = await fl(`audit --json ${here()}`);
    const { jobs, ...all } = JSON.parse(out);
    expect(code).toBe(1);
    expect(all).toMatchObject({
      from: '2025-10-27T03:59:00Z',
      to: '2026-12-01T03:54:45Z',
      missing: ['billing/send-invoices#2026-12-01T02:00:00Z'],
      duplicates: 2,
      doubleRuns: 0,
      states: { succeeded: 2, parked: 1, skipped: 1, failed: 0 },
    });
    expect(jobs['billing/send-invoices']).toMatchObject({ expected: 4, recorded: 3 });
    expect(Object.keys(jobs['reports/inventory']).sort()).toEqual(Object.keys(all).sort());
  });

  test('asks for the fires of jobs that were removed, too', async () => {
    const { jobs = [] } = (await folder.ledger.manifest()) ?? {};
    const [kept, gone] = jobs;
    if (kept === undefined || gone === undefined) throw new Error('two jobs expected');
    const removed = [{ id: gone.id, timezone: gone.spec.timezone }];
    await folder.ledger.saveManifest({ version: 1, jobs: [kept], removed });
    const audited = JSON.parse((await fl(`audit --json ${here()}`)).out);
    await folder.ledger.saveManifest({ version: 1, jobs });
    expect(Object.keys(audited.jobs)).toEqual([kept.id, gone.id].sort());
  });

  test('ends with 0 where nothing is missing', async () => {
    const only = '--job billing/send-invoices --to 2026-12-01T01:59:00Z';
    const { code, out } = await fl(`audit ${only} ${here()}`);
    expect(code).toBe(0);
    expect(out).toContain('Every fire is accounted for: 2 fires due');
  });

  test('is no proof where nothing was due, and says so', async () => {
    const { code, out } = await fl(`audit --to 2026-11-30T00:00:00Z ${here()}`);
    expect(code).toBe(0);
    expect(out).toContain('Nothing was due from 2025-10-27 03:59 UTC to 2026-11-30 00:00 UTC');
  });

  test('does not judge fires that may still be within their grace, and says so', async () => {
    const { out, err } = await fl(`audit --json --to 2026-12-01T04:00:00Z ${here()}`);
    expect(JSON.parse(out).to).toBe('2026-12-01T03:54:45Z');
    expect(err).toContain('audited up to 2026-12-01T03:54:45Z');
  });

  test('refuses a range in which nothing can be judged yet', async () => {
    const { code, out, err } = await fl(`audit --from 2026-12-01T03:58:00Z ${here()}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('there is nothing to audit');
  });
});

describe('fl release', () => {
  const parked = 'billing/send-invoices 2026-12-01T09:00';

  test.each([
    [`${parked}`, 'say one of --rerun'],
    ['billing/send-invoices --fail', 'names no run: write JOB#TIME or JOB TIME'],
    [`${parked} --rerun --fail`, 'say one of --rerun'],
    [`${parked} --rerun --resume`, 'say one of --rerun'],
    [`${parked} --resume --done`, 'is parked for no step: leave out --done'],
    [`${parked} --resume --done --not-done`, 'say one of --done and --not-done'],
    [`${parked} --resume --result 7`, '--result is what a step returned: it goes with --done'],
    [`${parked} --resume --done --result {`, '--result is no JSON: '],
    ['billing/send-invoices 2026-12-01T08:00 --rerun', 'is succeeded; only a parked run waits'],
  ])('changes nothing when asked wrongly: %s', async (command, message) => {
    const { code, err } = await fl(`release ${command} ${here()}`);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('puts a parked run in line, once', async () => {
    const released = await fl(`release ${parked} --rerun --note the_bank_has_nothing --json ${here()}`);
    expect(released.code).toBe(0);
    expect(JSON.parse(released.out)).toMatchObject({
      state: 'waiting',
      reason: 'slot',
      token: 'drawntoken',
      note: 'the bank has nothing',
      released: { at: '2026-12-01T03:59:00Z', by: 'ops', as: 'rerun' },
    });
    expect((await fl(`show ${parked} ${here()}`)).out).toContain(
      'released to run again by ops: the bank has nothing',
    );
    const again = await fl(`release ${parked} --fail ${here()}`);
    expect(again.code).toBe(2);
    expect(again.err).toContain('is waiting; only a parked run');
  });
});

describe('fl next', () => {
  test('answers for the jobs of the working copy, without a ledger', async () => {
    const asked = 'next billing/send-invoices --from 2026-12-01 --count 2 --json';
    expect(JSON.parse((await fl(asked)).out)).toMatchObject({
      job: 'billing/send-invoices',
      timezone: 'Europe/Berlin',
      fires: ['2026-12-01T05:00:00Z', '2027-01-01T05:00:00Z'],
    });
  });

  test('names the job that is nearest to an unknown one', async () => {
    const { code, err } = await fl('next billing/send-invoice');
    expect(code).toBe(2);
    expect(err).toContain('did you mean billing/send-invoices?');
  });

  test('tries out an expression without a job', async () => {
    const asked =
      'next --expression 30_2_*_*_* --timezone Europe/Berlin --from 2027-03-27T12:00:00Z --count 1';
    expect(JSON.parse((await fl(`${asked} --json`)).out)).toMatchObject({
      expression: '30 2 * * *',
      schedule: 'At 02:30',
      timezone: 'Europe/Berlin',
      fires: ['2027-03-28T01:00:00Z'],
      details: [{ localTime: '2027-03-28T03:00:00+02:00', movedFrom: ['2027-03-28T02:30:00'] }],
      warnings: [expect.stringContaining('does not exist'), expect.stringContaining('comes twice')],
    });
    expect((await fl('next --expression rate(1_hour) --json')).code).toBe(0);
  });

  test.each([
    ['--expression 0_3_*_*_*', 'whose time is meant?'],
    ['--expression 0_3_*_* --timezone UTC', 'has 4 fields'],
    ['--expression 0_3_*_*_* --timezone IST', 'abbreviation'],
    ['billing/send-invoices --expression 0_3_*_*_*', 'stands instead of a job'],
    ['billing/send-invoices --timezone UTC', 'a job has a zone of its own'],
    ['billing/send-invoices --batch', 'stands instead of a job'],
    ['--batch --expression 0_3_*_*_*', 'cannot be used with option'],
  ])('asked wrongly, says why: %s', async (options, message) => {
    const { code, out, err } = await fl(`next ${options}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  test('refuses a folder that it can’t read', async () => {
    const { code, err } = await fl('next --jobs no-such-folder');
    expect(code).toBe(2);
    expect(err).toContain("the jobs folder can't be read");
  });
});

describe('fl next --batch', () => {
  const ask = async (...lines: string[]) =>
    (await fl('next --batch', lines.join('\n'))).out.trimEnd().split('\n');

  test('answers each line in order, and goes on after a bad one', async () => {
    const answers = await ask(
      '{"expression":"0 3 * * *","timezone":"Asia/Taipei","from":"2026-12-01T00:00:00Z","count":2}',
      'not json',
      '{"expression":"61 3 * * *","timezone":"UTC","from":"2026-12-01T00:00:00Z","count":1}',
      '{"expression":"cron(0 9 ? * 2 *)","timezone":"UTC","from":"2026-12-01T00:00:00Z","count":1,"dialect":"eventbridge"}',
    );
    expect(answers.map((answer) => JSON.parse(answer))).toEqual([
      { fires: ['2026-12-01T19:00:00Z', '2026-12-02T19:00:00Z'] },
      { error: expect.stringContaining('not JSON') },
      { error: expect.stringContaining('minute: "61" is out of range') },
      { fires: ['2026-12-07T09:00:00Z'] },
    ]);
  });

  test('follows the DST policy that a line asks for', async () => {
    const line = (gap: string) =>
      `{"expression":"30 2 * * *","timezone":"America/New_York","from":"2026-03-08T05:00:00Z","count":1,"dst":{"gap":"${gap}","repeat":"first"}}`;
    expect(await ask(line('next'), line('skip'))).toEqual([
      '{"fires":["2026-03-08T07:00:00Z"]}',
      '{"fires":["2026-03-09T06:30:00Z"]}',
    ]);
  });

  test('takes what EventBridge takes, and its six fields alone', async () => {
    const line = (expression: string) =>
      JSON.stringify({
        expression,
        timezone: 'UTC',
        from: '2026-12-01T00:00:00Z',
        count: 1,
        dialect: 'eventbridge',
      });
    const expressions = ['cron(0 9 ? * 2 *)', '0 9 ? * 2 *', 'rate(90 minutes)', 'at(2027-01-01T09:00:00)'];
    expect(await ask(...expressions.map(line))).toEqual([
      '{"fires":["2026-12-07T09:00:00Z"]}',
      '{"fires":["2026-12-07T09:00:00Z"]}',
      '{"fires":["2026-12-01T01:30:00Z"]}',
      '{"fires":["2027-01-01T09:00:00Z"]}',
    ]);
    expect(JSON.parse((await ask(line('0 9 * * 1')))[0] ?? '').error).toContain('has 5 fields');
  });

  test('only a line feed ends a line', async () => {
    const answers = await ask('{"expression":"0\u2028 3","timezone":"UTC"}\r', '', '{"count":\r1}');
    expect(answers).toHaveLength(3);
    for (const answer of answers) expect(JSON.parse(answer)).toHaveProperty('error');
  });

  test('answers with fewer fires when there are no more', async () => {
    const once =
      '{"expression":"at(2026-12-01T09:00:00)","timezone":"UTC","from":"2026-11-01T00:00:00Z","count":5}';
    expect(await ask(once)).toEqual(['{"fires":["2026-12-01T09:00:00Z"]}']);
  });

  test.each([
    ['[]', 'not a JSON object'],
    ['{"timezone":"UTC"}', 'expression: missing'],
    ['{"expression":"0 3 * * *"}', 'timezone: missing'],
    ['{"expression":"0 3 * * *","timezone":"IST"}', 'abbreviation'],
    ['{"expression":"0 3 * * *","timezone":"UTC","count":-1}', 'count: -1; allowed is a whole number'],
    ['{"expression":"0 3 * * *","timezone":"UTC","from":"2026-12-01T00:00"}', 'an ISO instant with its zone'],
    ['{"expression":"0 3 * * *","timezone":"UTC","dialect":"quartz"}', '"unix" or "eventbridge"'],
    ['{"expression":"0 3 * * *","timezone":"UTC","dst":"first"}', 'dst: "first"; allowed is'],
    ['{"expression":"0 3 * * *","timezone":"UTC","zone":"UTC"}', 'zone: not known'],
  ])('says what is wrong with %s', async (line, message) => {
    const [answer = ''] = await ask(line);
    expect(JSON.parse(answer).error).toContain(message);
  });
});

test('a misspelt command is answered with the nearest', async () => {
  const { code, err } = await fl('jbs');
  expect(code).toBe(2);
  expect(err).toContain('Did you mean jobs?');
});

test('a folder without a ledger is explained, and not created', async () => {
  const { code, err } = await fl(`jobs --data ${folder.dir}/none`);
  expect(code).toBe(2);
  expect(err).toMatchInlineSnapshot(`
    "fl: there is no ledger in DIR/none. Start the system on this machine with \`npm start\` and it writes one; name another folder with --data DIR, or read a deployed one with --stage NAME
    "
  `);
});

test('a stage that is not configured is refused with those that are', async () => {
  const { code, err } = await fl('audit --stage production');
  expect(code).toBe(2);
  expect(err).toContain('there is no stage "production"');
});
