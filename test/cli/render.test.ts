import { describe, expect, test } from 'vitest';
import { billText } from '../../functions/cli/render/bill-words.ts';
import { lookOf, plainLook } from '../../functions/cli/render/look.ts';
import { runJson } from '../../functions/cli/render/run-json.ts';
import { progressText, why } from '../../functions/cli/render/run-words.ts';
import { tableText } from '../../functions/cli/render/table.ts';
import { oneLine } from '../../functions/cli/render/text.ts';
import { agoText, localText, preciseText, spanText, wallText } from '../../functions/cli/render/times.ts';
import { jobsText } from '../../functions/cli/verbs/jobs.ts';
import { showText } from '../../functions/cli/verbs/show.ts';
import type { Bill } from '../../functions/domain/bill.ts';
import { noCatchUp } from '../../functions/domain/catch-up.ts';
import type { JobState } from '../../functions/domain/job-state.ts';
import { fireKey } from '../../functions/domain/names.ts';
import type { Reason, Run, RunState } from '../../functions/domain/run.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { attemptOf, invoices, runOf } from './seeded.ts';

const look = plainLook(100);
const due = Date.parse('2026-11-30T19:00:00Z');
const now = due + 10 * minute;

test('progress is told with its share, where there is one', () => {
  expect(progressText({ done: 1_200, total: 5_000, note: 'a\u001b[2J', at: 0 })).toBe(
    '1,200 of 5,000 (24 %), a\\u{1b}[2J',
  );
  expect(progressText({ done: 7, at: 0 })).toBe('7');
  expect(progressText({ done: 0, total: 0, at: 0 })).toBe('0 of 0');
});

describe('times', () => {
  test('are local with their offset, seconds only where there are some', () => {
    expect(localText(due, 'Asia/Taipei')).toBe('2026-12-01 03:00 +08:00');
    expect(localText(due + 5 * second, 'America/St_Johns')).toBe('2026-11-30 15:30:05 -03:30');
    expect(localText(due, 'UTC')).toBe('2026-11-30 19:00 UTC');
    expect(preciseText(due, 'Asia/Taipei')).toBe('2026-12-01 03:00:00.0 +08:00');
    expect(preciseText(due + 5 * second + 290, 'UTC')).toBe('2026-11-30 19:00:05.2 UTC');
    expect(wallText(due, 'Asia/Taipei')).toBe('2026-12-01 03:00');
  });

  test.each([
    [0, '0.0 s'],
    [1_234, '1.2 s'],
    [-1_234, '-1.2 s'],
    [-3, '0.0 s'],
    [59_999, '59 s'],
    [5 * minute, '5 min'],
    [125 * second, '2 min 5 s'],
    [26 * hour + minute, '1 d 2 h'],
  ])('a length of %d ms is %s', (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });

  test('past is told in its largest unit', () => {
    expect(agoText(due, due + 999)).toBe('just now');
    expect(agoText(due, due + 119 * minute)).toBe('1 h ago');
  });
});

describe('a table', () => {
  const head = ['ID', 'TEXT'];
  const long = 'many words that have to go on the next line when there is no room';

  test('fits the terminal: columns that may wrap do, and the others stay whole', () => {
    const rows = [{ cells: ['billing/send-invoices', long] }];
    const text = tableText(head, rows, { look: plainLook(50), wraps: ['TEXT'] });
    expect(text).toMatchInlineSnapshot(`
      "ID                     TEXT
      billing/send-invoices  many words that have to
                             go on the next line when
                             there is no room"
    `);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50);
  });

  test('gives notes the whole width', () => {
    const rows = [{ cells: ['a', 'b'], note: long }];
    expect(tableText(head, rows, { look: plainLook(80) })).toMatchInlineSnapshot(`
      "ID  TEXT
      a   b
        many words that have to go on the next line when there is no room"
    `);
  });

  test('aligns wide characters', () => {
    const rows = [{ cells: ['帳單', 'x'] }, { cells: ['ab', 'x'] }];
    expect(tableText(head, rows, { look })).toMatchInlineSnapshot(`
      "ID    TEXT
      帳單  x
      ab    x"
    `);
  });
});

test('text from records can’t steer the terminal', () => {
  expect(oneLine('a\u001b[2Jb\nc\u0007\u202ed')).toBe('a\\u{1b}[2Jb c\\u{7}\\u{202e}d');
});

test('output that goes to no terminal is as wide as COLUMNS says, else 120 columns', () => {
  expect(lookOf(undefined).width).toBe(120);
  expect(lookOf(undefined, '200').width).toBe(200);
  expect(lookOf(80, '200').width).toBe(80);
  for (const wrong of ['', '0', '-5', '1e3', 'wide']) expect(lookOf(undefined, wrong).width).toBe(120);
});

describe('why a run is what it is', () => {
  const because = (state: RunState, more: Partial<Run> = {}) =>
    why(runOf(invoices, due, { state, ...more }), { timezone: 'Asia/Taipei', attempts: 3 });

  test.each<[RunState, Reason, string]>([
    ['skipped', 'overlap', 'overlap: the run before it had not ended'],
    ['missed', 'policy', 'policy: its job makes up no missed fires'],
    ['waiting', 'catch-up', 'catch-up: missed; waits for its turn to be made up'],
    ['waiting', 'slot', 'slot: waits until no other run of its job is going'],
    ['canceled', 'removed', 'removed: its job was removed'],
  ])('%s, %s', (state, reason, said) => {
    expect(because(state, { reason })).toBe(said);
  });

  test.each([
    [{ reason: 'slot' } as const, 'the slot of its job'],
    [{ reason: 'pool', pools: { db: 2 } } as const, 'db (2)'],
  ])('one that waited too long names what for: %j', (last, said) => {
    const waits = [{ reason: 'slot', from: due, until: now } as const, { ...last, from: due, until: now }];
    expect(because('skipped', { reason: 'waited-too-long', waits })).toBe(
      `waited-too-long: waited longer for ${said} than its job lets it`,
    );
  });

  test('one that waits for pools names them, how much of each, and since when', () => {
    const waiting = { reason: 'pool', waitsFor: { db: 2, mail: 1 }, waitingSince: due + minute } as const;
    expect(because('waiting', waiting)).toBe(
      'pool: it has its slot, and waits for db (2), mail (1) since 2026-12-01 03:01 +08:00',
    );
  });

  test('one that a person canceled names who, and what was said', () => {
    const cancelRequested = { at: due, by: 'ops\u001b[2J', reason: 'operator', note: 'not tonight' } as const;
    expect(because('canceled', { reason: 'operator', cancelRequested })).toBe(
      'operator: ops\\u{1b}[2J canceled it: not tonight',
    );
  });

  test('a plain success needs no words', () => {
    expect(because('succeeded')).toBe('');
  });

  test('a missed fire that was made up says so, and for whom it stands', () => {
    const more = { trigger: 'backfill', attempts: [attemptOf(1, now)], covers: [due - hour] } as const;
    expect(because('succeeded', more)).toBe(
      'missed: nothing started it within its grace; then made up; stands for 1 older missed fire',
    );
  });

  test('a superseded fire names the one that stands for it, in local time', () => {
    expect(because('skipped', { reason: 'superseded', supersededBy: fireKey(due + hour) })).toBe(
      'superseded: a newer missed fire stands for it; it is that of 2026-12-01 04:00 +08:00',
    );
  });

  test('a fire that gave way in its queue says so, and names none', () => {
    expect(because('skipped', { reason: 'superseded' })).toBe(
      'superseded: so many newer fires wait in its queue that it gave way',
    );
  });

  test('a run that is tried again says when, and how often it may be', () => {
    const error = { name: 'Error', message: 'the bank did not answer' };
    const more = { reason: 'error', error, failures: 1, attentionAt: due + 4 * minute } as const;
    expect(because('retrying', more)).toBe(
      'error: its handler threw Error: the bank did not answer; tried again at 2026-12-01 03:04 +08:00, attempt 2 of 3',
    );
    expect(why(runOf(invoices, due, { state: 'retrying', ...more }), { timezone: 'UTC' })).toMatch(
      /; tried again at 2026-11-30 19:04 UTC, attempt 2$/,
    );
  });

  test('one that goes on and was not sent yet says so', () => {
    expect(because('offered', { unsent: true, hops: 3 })).toBe('goes on in another attempt, after 3 hops');
  });

  test('one that is parked for a step names it, and what to say', () => {
    expect(because('parked', { reason: 'uncertain-step', uncertain: 'pay "all"' })).toBe(
      'uncertain-step: nobody knows whether a step of it was done; a person must say whether its step "pay \\"all\\"" was done: fl release --resume, with --done or --not-done',
    );
  });

  test('an error is quoted on one line', () => {
    const error = { name: 'TypeError', message: 'no\nsuch account' };
    expect(because('failed', { reason: 'error', error })).toBe(
      'error: its handler threw TypeError: no such account',
    );
  });
});

test('a run that is suspected to have died shows its lease, pid and the suspicion', () => {
  const run = runOf(invoices, due, {
    state: 'running',
    attentionAt: due + 6 * minute,
    attempts: [attemptOf(1, due + 400)],
    suspected: { at: due + 30 * second, requestId: 'request-1', why: 'its process was killed by SIGKILL' },
  });
  const at = due + minute;
  expect(showText(run, { timezone: 'Asia/Taipei' }, { look, now: at })).toMatchInlineSnapshot(`
    "billing/send-invoices#2026-11-30T19:00:00Z
      state         running
      why           suspected dead: its process was killed by SIGKILL
      due           2026-12-01 03:00 +08:00 (Asia/Taipei)
      trigger       schedule
      late by       0.4 s
      lease         until 2026-12-01 03:06 +08:00 (5 min left): until then its process may be alive
      duplicates    0 refused

    ATTEMPT  STARTED                       TOOK  OUTCOME      PID   REQUEST
    1        2026-12-01 03:00:00.4 +08:00  -     not settled  4242  request-1

    TIME                          WHAT HAPPENED
    2026-12-01 03:00:00.0 +08:00  due
    2026-12-01 03:00:00.4 +08:00  attempt 1 started
    2026-12-01 03:00:01.0 +08:00  recorded
    2026-12-01 03:00:30.0 +08:00  suspected dead: its process was killed by SIGKILL"
  `);
});

test('a failed run shows its error with the stack, and each attempt', () => {
  const run = runOf(invoices, due, {
    state: 'failed',
    reason: 'timed-out',
    settledAt: due + 7 * minute,
    timedOutAt: due + 5 * minute,
    error: {
      name: 'TimeoutError',
      message: 'over 5 minutes',
      stack: 'TimeoutError: over\n    at run (job.ts:3:1)',
    },
    attempts: [
      attemptOf(1, due + 400, { settledAt: due + 6 * minute + 400, outcome: 'crashed' }),
      attemptOf(2, due + 6 * minute + 500, { settledAt: due + 7 * minute, outcome: 'timed-out' }),
    ],
    crashes: 1,
    resultTrimmed: { bytes: 400_000, text: '[1,2' },
  });
  expect(showText(run, { timezone: 'Asia/Taipei' }, { look, now })).toMatchInlineSnapshot(`
    "billing/send-invoices#2026-11-30T19:00:00Z
      state         failed
      why           timed-out: its handler took longer than its timeout; TimeoutError: over 5 minutes
      due           2026-12-01 03:00 +08:00 (Asia/Taipei)
      trigger       schedule
      late by       0.4 s
      duplicates    0 refused
      crashes       1
      result        [1,2… (trimmed: 400,000 bytes)

    ATTEMPT  STARTED                       TOOK           OUTCOME    PID   REQUEST
    1        2026-12-01 03:00:00.4 +08:00  at most 6 min  crashed    4242  request-1
    2        2026-12-01 03:06:00.5 +08:00  59 s           timed-out  4242  request-2

    TIME                          WHAT HAPPENED
    2026-12-01 03:00:00.0 +08:00  due
    2026-12-01 03:00:00.4 +08:00  attempt 1 started
    2026-12-01 03:00:01.0 +08:00  recorded
    2026-12-01 03:05:00.0 +08:00  over its timeout, and did not stop
    2026-12-01 03:06:00.4 +08:00  attempt 1 crashed: its lease ended, and it had not settled
    2026-12-01 03:06:00.5 +08:00  attempt 2 started
    2026-12-01 03:07:00.0 +08:00  attempt 2 timed-out
    2026-12-01 03:07:00.0 +08:00  failed

      TimeoutError: over
          at run (job.ts:3:1)"
  `);
});

test('of an error’s stack it shows the lines that its author can mend, and no stack without such', () => {
  const shown = (stack: string) => {
    const error = { name: 'CanceledError', message: 'canceled by ops', stack };
    const run = runOf(invoices, due, { state: 'canceled', reason: 'operator', error });
    return showText(run, { timezone: 'UTC' }, { look, now }).split('WHAT HAPPENED')[1] ?? '';
  };
  const ours = [
    '    at abortSignal (node:internal/abort_controller:370:10)',
    '    at async H3 (/var/task/functions/runtime/attempt.ts:108:12)',
  ];
  expect(shown(['AbortError: The operation was aborted', ...ours].join('\n'))).not.toContain('AbortError');
  const theirs = '    at send (/var/task/functions/jobs/billing/send-invoices.ts:31:9)';
  expect(shown(['Error: half-way', theirs, ...ours].join('\n'))).toMatch(
    /\n\n {2}Error: half-way\n {6}at send \([^\n]*send-invoices.ts:31:9\)$/,
  );
});

test('a long run is one record: how far it is, its hops, and each attempt', () => {
  const hop = (number: number, from: number) =>
    attemptOf(number, due + from, { settledAt: due + from + 2 * minute, outcome: 'continued' });
  const run = runOf(invoices, due, {
    state: 'running',
    attempts: [hop(1, 400), hop(2, 3 * minute), attemptOf(3, due + 6 * minute)],
    ...{ hops: 2, cursor: { page: 7 }, failures: 1, restarts: 1 },
    progress: { done: 1_200, total: 5_000, note: 'invoices', at: now - 5 * second },
  });
  expect(showText(run, { timezone: 'UTC' }, { look, now })).toMatchInlineSnapshot(`
    "billing/send-invoices#2026-11-30T19:00:00Z
      state         running
      due           2026-11-30 19:00 UTC (UTC)
      trigger       schedule
      late by       0.4 s
      lease         until 2026-11-30 19:12 UTC (2 min left): until then its process may be alive
      duplicates    0 refused
      progress      1,200 of 5,000 (24 %), invoices; said 5 s ago
      failures      1 attempt
      begun anew    1x
      hops          2, the last from {"page":7}

    ATTEMPT  STARTED                    TOOK   OUTCOME      PID   REQUEST
    1        2026-11-30 19:00:00.4 UTC  2 min  continued    4242  request-1
    2        2026-11-30 19:03:00.0 UTC  2 min  continued    4242  request-2
    3        2026-11-30 19:06:00.0 UTC  -      not settled  4242  request-3

    TIME                       WHAT HAPPENED
    2026-11-30 19:00:00.0 UTC  due
    2026-11-30 19:00:00.4 UTC  attempt 1 started
    2026-11-30 19:00:01.0 UTC  recorded
    2026-11-30 19:02:00.4 UTC  attempt 1 ended, to go on in another one
    2026-11-30 19:03:00.0 UTC  attempt 2 started
    2026-11-30 19:05:00.0 UTC  attempt 2 ended, to go on in another one
    2026-11-30 19:06:00.0 UTC  attempt 3 started"
  `);
});

test('a run shows its waits on its timeline, and for what it waited, while it runs too; a waiting one where to ask', () => {
  const waits = [{ reason: 'pool', pools: { db: 2 }, from: due + second, until: due + minute } as const];
  const shown = (more: Partial<Run>) =>
    showText(runOf(invoices, due, more), { timezone: 'UTC' }, { look, now });
  const running = shown({ state: 'running', waits, attempts: [attemptOf(1, due + minute + second)] });
  expect(running).toContain('  waited        59 s for db (2)\n');
  expect(running.slice(running.indexOf('TIME  '))).toMatchInlineSnapshot(`
    "TIME                       WHAT HAPPENED
    2026-11-30 19:00:00.0 UTC  due
    2026-11-30 19:00:01.0 UTC  recorded
    2026-11-30 19:00:01.0 UTC  waits for db (2)
    2026-11-30 19:01:00.0 UTC  has waited 59 s for db (2)
    2026-11-30 19:01:01.0 UTC  attempt 1 started"
  `);
  const waiting = shown({ state: 'waiting', reason: 'slot', waitingSince: due + 2 * minute });
  expect(waiting).toContain(
    '  see           fl why billing/send-invoices#2026-11-30T19:00:00Z tells behind whom\n',
  );
  expect(waiting).toContain('2026-11-30 19:02:00.0 UTC  waits for the slot of its job');
});

describe('what an attempt used', () => {
  test('is a line below it', () => {
    const bill = {
      wallMs: 2_300,
      cpuUserMs: 1_100,
      cpuSystemMs: 98,
      peakMemoryMb: 83.2,
      readBytes: 3_144_000,
      sentBytes: 0,
      dynamo: { readUnits: 12, writeUnits: 0 },
      metered: { 'reports-db': { reads: 1_200 } },
    };
    const attempts = [attemptOf(1, due + 400, { settledAt: due + 2_700, outcome: 'succeeded', bill })];
    expect(showText(runOf(invoices, due, { attempts }), { timezone: 'UTC' }, { look, now })).toContain(
      `
1        2026-11-30 19:00:00.4 UTC  2.3 s  succeeded  4242  request-1
  used 1.2 s CPU, 84 MB at most, 3.1 MB read from disk, 12 read units; reports-db: 1,200 reads
`,
    );
  });

  test.each<[Omit<Bill, 'wallMs'>, string]>([
    [{}, ''],
    [{ cpuUserMs: 4, cpuSystemMs: 1, eventLoopDelayMs: 99 }, 'used 0.0 s CPU'],
    [{ cpuUserMs: 4 }, ''],
    [
      { waitedMs: { 'reports-db': 42_000, mail: 1_200 }, peakMemoryMb: 3 },
      'waited 42 s for reports-db; waited 1.2 s for mail; used 3 MB at most',
    ],
    [{ eventLoopDelayMs: 2_400 }, 'held up its event loop for 2.4 s'],
    [
      { writtenBytes: 1, receivedBytes: 999, sentBytes: 1_000 },
      'used 1 byte written to disk, 999 bytes received, 1.0 KB sent',
    ],
    [{ receivedBytes: 2.5e9, dynamo: { readUnits: 0, writeUnits: 1 } }, 'used 2.5 GB received, 1 write unit'],
    [
      { metered: { mail: { messages: 1, bounced: 0.5 }, log: {} } },
      'mail: 1 messages, 0.5 bounced; log: nothing',
    ],
    [{ metered: { '\u001b[2J': { reads: 1 } } }, '\\u{1b}[2J: 1 reads'],
  ])('%j is told: %s', (bill, said) => {
    expect(billText({ wallMs: 5, ...bill })).toBe(said);
  });
});

test('what a person decided about a run stays on its timeline, with who and when', () => {
  const attempts = [attemptOf(1, due + 400, { settledAt: due + 6 * minute, outcome: 'crashed' })];
  const released = { at: due + 9 * minute, by: 'ops\u001b[2J', as: 'fail' } as const;
  const run = runOf(invoices, due, {
    state: 'failed',
    reason: 'crashed',
    attempts,
    released,
    note: 'sent twice',
  });
  expect(showText(run, { timezone: 'UTC' }, { look, now })).toContain(
    '2026-11-30 19:09:00.0 UTC  released as failed by ops\\u{1b}[2J: sent twice',
  );
});

test('what was said of a step stays with the decision, and so does a request to end', () => {
  const run = runOf(invoices, due, {
    state: 'waiting',
    cancelRequested: { at: due + minute, by: 'ops', reason: 'operator', note: 'wrong file' },
    released: { at: due + 9 * minute, by: 'ops', as: 'resume', step: { name: 'pay', done: true } },
  });
  const text = showText(run, { timezone: 'UTC' }, { look, now });
  expect(text).toContain('asked to end by ops: wrong file');
  expect(text).toContain('released to go on after what it had done, its step "pay" done, by ops');
});

test('the record for scripts has its instants as texts', () => {
  const run = runOf(invoices, due, {
    state: 'waiting',
    waitingSince: due,
    waits: [{ reason: 'pool', from: due, until: now, pools: { mail: 1 } }],
    cancelRequested: { at: now, by: 'ops', reason: 'operator' },
    progress: { done: 1, at: now },
    released: { at: now, by: 'ops', as: 'resume' },
  });
  const [from, until] = ['2026-11-30T19:00:00Z', '2026-11-30T19:10:00Z'];
  expect(runJson(run)).toMatchObject({
    waitingSince: from,
    waits: [{ reason: 'pool', from, until, pools: { mail: 1 } }],
    cancelRequested: { at: until, by: 'ops', reason: 'operator' },
    progress: { done: 1, at: until },
    released: { at: until, by: 'ops', as: 'resume' },
  });
});

describe('a run that somebody wants ended', () => {
  const attempts = [attemptOf(1, due + 400)];
  const request = { at: due + 2 * minute, by: 'ops\u001b[2J', reason: 'operator', note: 'too slow' } as const;
  const running = runOf(invoices, due, { state: 'running', attempts, cancelRequested: request });

  test('says so while it runs, with who and why', () => {
    expect(why(running, { timezone: 'UTC' })).toBe('asked to end; its code is reached within 15 s');
    expect(showText(running, { timezone: 'UTC' }, { look, now })).toContain(
      '2026-11-30 19:02:00.0 UTC  asked to end by ops\\u{1b}[2J: too slow',
    );
  });

  test('says so too when it did not stop', () => {
    const marked = { ...running, timedOutAt: due + 3 * minute };
    expect(why(marked, { timezone: 'UTC' })).toBe('asked to end; settled when its lease ends');
    expect(showText(marked, { timezone: 'UTC' }, { look, now })).toContain(
      '2026-11-30 19:03:00.0 UTC  asked to end, and did not stop',
    );
  });

  test('names the newer fire that takes its place', () => {
    const by = fireKey(due + hour);
    const superseded = { at: due + hour, by, reason: 'superseded' } as const;
    const run = runOf(invoices, due, {
      ...{ state: 'canceled', reason: 'superseded', supersededBy: by, settledAt: due + hour },
      ...{ attempts, cancelRequested: superseded },
    });
    expect(why(run, { timezone: 'UTC' })).toBe(
      'superseded: a newer fire takes its place; it is that of 2026-11-30 20:00 UTC',
    );
    expect(showText(run, { timezone: 'UTC' }, { look, now })).toContain(
      `asked to end: the fire of ${by} takes its place`,
    );
  });
});

describe('the state of a job', () => {
  const state: JobState = {
    jobId: invoices.id,
    specSince: 0,
    specChanged: false,
    catchUp: noCatchUp,
    failuresInARow: 0,
    strays: 0,
    queued: 0,
  };
  const last = runOf(invoices, due);

  test.each<[Partial<JobState>, number, string]>([
    [{}, 0, 'ready'],
    [{ failuresInARow: 1 }, 0, '1 failure in a row'],
    [{ failuresInARow: 8, slot: 'key' }, 0, 'running, 8 failures in a row'],
    [{ slot: 'key' }, 2, '2 parked, running'],
    [{ catchUp: { ...noCatchUp, waiting: 3 } }, 1, '1 parked, 3 to make up'],
  ])('%j with %i parked runs is told: %s', (more, parked, said) => {
    const line = { job: invoices, state: { ...state, ...more }, next: due + hour, last, owner: null, parked };
    const [, row] = jobsText([line], { look: plainLook(200), now }).split('\n');
    expect(row?.split(/ {2,}/).at(-1)).toBe(said);
  });

  test.each<[string | undefined, RunState, Reason | undefined, string]>([
    ['key', 'waiting', 'pool', 'waiting'],
    ['key', 'running', undefined, 'running'],
    [undefined, 'waiting', 'pool', 'waiting'],
    [undefined, 'waiting', 'catch-up', 'ready'],
  ])('with slot %s, of which the run is %s (%s), is %s', (slot, runState, reason, said) => {
    const run = runOf(invoices, due, { state: runState, ...(reason && { reason }) });
    const line = {
      ...{ job: invoices, state: { ...state, ...(slot && { slot }) }, next: due + hour },
      ...{ last: run, owner: slot === undefined ? null : run, parked: 0 },
    };
    expect(jobsText([line], { look: plainLook(200), now })).toMatch(new RegExp(`  ${said}$`));
  });
});
