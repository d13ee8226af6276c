import { describe, expect, test } from 'vitest';
import type { Telling } from '../../functions/domain/notices/due.ts';
import { type Message, messageOf } from '../../functions/domain/notices/message.ts';
import type { Notice } from '../../functions/domain/notices/notice.ts';
import { type Attempt, newRun, type Run } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { hour } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';

const job = manifestJob({ id: 'reports/daily', schedule: cron('0 7 * * *'), timezone: 'America/New_York' });
const around = { stage: 'prod', jobStacks: 1, jobs: new Map([[job.id, job]]), now: at('12:05') };
const id = 'reports/daily#2026-12-01T12:00:00Z';

function attempt(number: number, of: Partial<Attempt> = {}): Attempt {
  return { number, token: 't', requestId: `request-${number}`, pid: 1, startedAt: 0, leaseUntil: 0, ...of };
}

function run(of: Partial<Run> = {}): Run {
  return newRun({
    ...{ jobId: job.id, key: '2026-12-01T12:00:00Z', fireTime: at('12:00'), trigger: 'schedule' },
    ...{ state: 'failed', reason: 'error', specId: job.specId, token: 't', createdAt: at('12:00') },
    error: { name: 'TypeError', message: 'the bank said no' },
    attempts: [attempt(1, { outcome: 'crashed' }), attempt(2, { outcome: 'failed' })],
    ...of,
  });
}

function told(notice: Notice, of: Partial<Extract<Telling, { kind: 'one' }>> = {}): Message {
  return messageOf({ kind: 'one', notice, ...of }, around);
}

function failed(of: Partial<Run> = {}): Message {
  return told({ kind: 'failed', jobId: job.id, run: run(of) });
}

function parked(of: Partial<Run> = {}): Message {
  return told({ kind: 'parked', jobId: job.id, run: run({ state: 'parked', ...of }) });
}

describe('the letter about a run that failed', () => {
  test('tells what happened, to which run, due when in its zone, what happens next, and what to run', () => {
    expect(failed()).toEqual({
      subject: '[fireledger prod] failed: reports/daily',
      text: `reports/daily failed for good: TypeError: the bank said no

  run       reports/daily#2026-12-01T12:00:00Z
  due       2026-12-01 07:00 -05:00 (America/New_York)
  attempts  2: crashed, failed
  log       /aws/lambda/fireledger-prod-1-reports_daily, request request-2
  next      it is not tried again; its job is due again 2026-12-02 07:00 -05:00 (America/New_York)

See why, and all that is known of it; once it is mended, have it run once more:
  npm run -s fl -- why ${id} --stage prod
  npm run -s fl -- show ${id} --stage prod
  npm run -s fl -- retry ${id} --stage prod
`,
    });
  });

  test('tells a timeout and a process that keeps dying from an error', () => {
    const { error: _none, ...record } = run();
    const crashed = { ...record, reason: 'crashed', crashes: 3 } as const;
    expect(failed({ reason: 'timed-out' }).text).toMatch(
      /failed for good, past its timeout of 5 minutes: TypeError/,
    );
    expect(told({ kind: 'failed', jobId: job.id, run: crashed }).text).toMatch(
      /^reports\/daily crashed 3 times and is given up\n/,
    );
  });

  test('names the newest ten of many attempts', () => {
    const attempts = Array.from({ length: 30 }, (_, n) => attempt(n + 1, { outcome: 'continued' }));
    expect(failed({ attempts }).text).toMatch(/attempts {2}30: … (continued, ){9}continued\n/);
  });

  test('of a job that was removed has its time in UTC, and no next one', () => {
    const { text } = told({ kind: 'failed', jobId: 'gone', run: run({ jobId: 'gone' }) });
    expect(text).toMatch(/due +2026-12-01 12:00 UTC\n/);
    expect(text).toContain('its job was removed');
  });

  test('on this machine names no stage: fl finds the ledger of npm start by itself', () => {
    const telling = { kind: 'one', notice: { kind: 'failed', jobId: job.id, run: run() } } as const;
    const { text } = messageOf(telling, { ...around, stage: 'local' });
    expect(text).toContain(`\n  npm run -s fl -- why ${id}\n`);
  });
});

describe('what code threw', () => {
  test('is one line, without what a terminal or a mail program would obey', () => {
    const message = 'no\r\nBcc: all@example.com\u001b[2J\u202egnp\u0000 \u2028end';
    const [headline] = failed({ error: { name: 'Error', message } }).text.split('\n');
    expect(headline).toBe('reports/daily failed for good: Error: no Bcc: all@example.com [2J gnp end');
  });

  test('is cut when it is long, in whole characters', () => {
    const [headline = ''] = failed({ error: { name: 'E', message: '🧾'.repeat(10_000) } }).text.split('\n');
    expect(headline.length).toBeLessThan(350);
    expect(headline.isWellFormed()).toBe(true);
  });
});

describe('the subject', () => {
  test.each([
    ['a long job id', { kind: 'failed', jobId: 'x'.repeat(120), run: run({ jobId: 'x'.repeat(120) }) }],
    ['a message id of whatever kind', { kind: 'unreadable', messageId: '🧾\n'.repeat(99), bytes: 1 }],
  ] as const)('with %s is what SNS takes: less than 100 printable ASCII characters', (_what, notice) => {
    expect(told(notice).subject).toMatch(/^\[fireledger prod\] [ -~]{1,81}$/);
  });
});

describe('the letter about a parked run', () => {
  test('that crashed tells what was reported of its death, and each decision as a command', () => {
    const suspected = { at: 1, requestId: 'r', why: 'RetriesExhausted: Runtime.ExitError' };
    const { text } = parked({ reason: 'crashed', attempts: [attempt(1, { outcome: 'crashed', suspected })] });
    expect(text).toMatch(
      /^reports\/daily crashed, and is parked for a person to decide: RetriesExhausted: Runtime\.ExitError\n/,
    );
    expect(commandsOf(text)).toEqual([
      `why ${id} --stage prod`,
      `release ${id} --rerun --stage prod`,
      `release ${id} --resume --stage prod`,
      `release ${id} --fail --stage prod`,
    ]);
  });

  test('that crashed in the midst of a step names the step, and asks for it', () => {
    const { text } = parked({ reason: 'crashed', uncertain: 'pay cara' });
    expect(text).toMatch(
      /^reports\/daily crashed, and is parked: nobody knows whether its step "pay cara" was done\n/,
    );
    expect(commandsOf(text)).toEqual([
      `why ${id} --stage prod`,
      `release ${id} --resume --done --stage prod`,
      `release ${id} --resume --not-done --stage prod`,
      `release ${id} --fail --stage prod`,
    ]);
  });

  test('of which nobody knows whether a step was done names the step, and asks for it', () => {
    const { text } = parked({ reason: 'uncertain-step', uncertain: 'charge card' });
    expect(text).toMatch(/^reports\/daily is parked: nobody knows whether its step "charge card" was done/);
    expect(commandsOf(text)).toEqual([
      `why ${id} --stage prod`,
      `release ${id} --resume --done --stage prod`,
      `release ${id} --resume --not-done --stage prod`,
      `release ${id} --fail --stage prod`,
    ]);
  });
});

describe('the letter about', () => {
  test('a paused job tells why, and what becomes of its fires', () => {
    const note = '3 failures in a row, the last: x: TypeError: no';
    const { subject, text } = told({
      kind: 'paused',
      jobId: job.id,
      pause: { at: 1, by: 'fireledger', note },
    });
    expect(subject).toBe('[fireledger prod] paused: reports/daily');
    expect(text).toContain(`reports/daily is paused: ${note}\n`);
    expect(text).toContain('its fires are skipped');
    expect(commandsOf(text)).toEqual([
      'runs --job reports/daily --state failed --stage prod',
      'resume reports/daily --stage prod',
    ]);
  });

  test.each([
    [1_200, 0, '1,200 older than its maxAge of 7 days'],
    [0, 1_200, '1,200 beyond its limit of 100'],
    [1_000, 200, '1,000 older than its maxAge of 7 days, 200 beyond its limit of 100'],
  ])('missed fires (%i too old, %i too many) tells from when to when, and why', (tooOld, overLimit, why) => {
    const times = { oldest: at('06:00'), newest: at('12:00') };
    const { text } = told({ kind: 'missed', jobId: job.id, tooOld, overLimit, ...times });
    expect(text).toContain(`1,200 fires of reports/daily were missed, and will not be made up: ${why}\n`);
    expect(text).toContain('2026-12-01 01:00 -05:00 (America/New_York) to 2026-12-01 07:00 -05:00');
    expect(commandsOf(text)).toEqual([
      'runs --job reports/daily --state missed --stage prod',
      'backfill reports/daily --from 2026-12-01T06:00:00Z --to 2026-12-01T12:00:00Z --stage prod',
    ]);
  });

  test('an unreadable message shows nothing of what is in it', () => {
    const { text } = told({ kind: 'unreadable', messageId: 'm-1', bytes: 12 });
    expect(text).toMatch(/message {2}m-1\n {2}size {5}12 characters\n/);
    expect(commandsOf(text)).toEqual(['doctor --stage prod']);
  });

  test('a ledger gap tells since when, and of which jobs, the first ten by name', () => {
    const jobIds = Array.from({ length: 14 }, (_, n) => `j${n}`);
    const { text } = told({ kind: 'ledger-gap', fires: 20, jobIds, since: around.now - 150_000 });
    expect(text).toContain(
      'For 2 minutes no sweep could record all fires that are past their grace: 20 fires',
    );
    expect(text).toContain('j0, j1, j2, j3, j4, j5, j6, j7, j8, j9 and 4 others\n');
    expect(commandsOf(text)).toEqual(['audit --stage prod', 'doctor --stage prod']);
  });

  test('what was held back tells how many there were since when, and how to list them', () => {
    const held = { count: 11, since: around.now - hour };
    const { subject, text } = messageOf({ kind: 'held', of: 'failed', jobId: job.id, held }, around);
    expect(subject).toBe('[fireledger prod] failed: 11 more runs of reports/daily');
    expect(text).toContain(
      '11 more runs of reports/daily failed since 2026-12-01 06:05 -05:00 (America/New_York).\n',
    );
    expect(commandsOf(text)).toEqual(['runs --job reports/daily --state failed --stage prod']);
  });
});

describe('a letter among many', () => {
  test('tells how many there were before it, and that silence is not the end', () => {
    const notice = { kind: 'failed', jobId: job.id, run: run() } as const;
    const { text } = told(notice, { last: 'of-job', more: { count: 11, since: at('11:00') } });
    expect(text).toContain('\nAnd 11 more since 2026-12-01 11:00 UTC.\n');
    expect(text).toContain('\nMore of reports/daily are only counted for an hour, and told at its end.\n');
  });

  test('that is the last of its kind says that it is not about its job alone', () => {
    const { text } = told({ kind: 'failed', jobId: job.id, run: run() }, { last: 'of-kind' });
    expect(text).toContain('More like it, of whatever job, are only counted');
  });
});

/** What `fl` is given. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/^ {2}npm run -s fl -- (.*)$/gm)].map(([, words = '']) => words);
}
