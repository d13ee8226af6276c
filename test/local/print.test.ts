import { describe, expect, test } from 'vitest';
import { plainLook } from '../../functions/cli/render/look.ts';
import { newRun, type Run } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { hour, second } from '../../functions/domain/time.ts';
import type { CloudEvent } from '../../functions/local/events.ts';
import { eventLine, headerText } from '../../functions/local/print.ts';
import type { Handled } from '../../functions/runtime/runtime.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { attempt } from '../support/ran.ts';

const look = plainLook(80);
const job = manifestJob({ id: 'rates/pull-fx', timezone: 'Asia/Taipei' });
const run = 'rates/pull-fx#2026-12-01T03:00:00Z';
const now = at('03:00:02');

function line(event: CloudEvent, of: Partial<Run> = {}): string | null {
  const record = newRun({
    jobId: job.id,
    key: '2026-12-01T03:00:00Z',
    fireTime: at('03:00'),
    trigger: 'schedule',
    state: 'succeeded',
    specId: job.specId,
    token: 't',
    createdAt: now,
    ...of,
  });
  // The time on this machine's wall differs from machine to machine.
  return eventLine(event, { run: record, job, look, width: 13 })?.replace(/^\d\d:\d\d:\d\d /, '') ?? null;
}

function handled(outcome: Handled['outcome'], startedAt = now - 1_500): CloudEvent {
  return { kind: 'handled', at: now, jobId: job.id, startedAt, requestId: 'r', handled: { outcome, run } };
}

function log(fields: object): CloudEvent {
  return { kind: 'log', at: now, jobId: job.id, requestId: 'r', line: JSON.stringify(fields) };
}

describe('a line of the terminal', () => {
  test('shows a fire in its job’s zone, and how long it took', () => {
    expect(line(handled('succeeded'))).toBe('✓ rates/pull-fx  11:00  ran in 1.5 s');
  });

  test('shows the date of a fire of another day', () => {
    const late = { ...handled('succeeded'), at: now + 20 * hour, startedAt: now + 20 * hour - second };
    expect(line(late as CloudEvent)).toBe('✓ rates/pull-fx  12-01 11:00  ran in 1.0 s');
  });

  test('tells what a run was made up for, and what it stands for', () => {
    const covers = [at('02:50'), at('02:55')];
    expect(line(handled('succeeded'), { trigger: 'backfill', covers })).toBe(
      '✓ rates/pull-fx  11:00  ran in 1.5 s (made up for a missed fire, stands for 2 older fires)',
    );
  });

  test('tells who asked for a run, and not that it was missed', () => {
    const requested = { at: now, by: 'ops' };
    expect(line(handled('succeeded'), { trigger: 'backfill', requested })).toBe(
      '✓ rates/pull-fx  11:00  ran in 1.5 s (as ops asked)',
    );
  });

  test('tells why a run failed, once', () => {
    const error = { name: 'Error', message: 'the bank\nsays \u001b[31mno' };
    expect(line(handled('failed'), { error })).toMatch(
      /^✗ rates\/pull-fx {2}11:00 {2}failed in 1\.5 s: Error: the bank says /,
    );
    expect(line(handled('failed'), { error })).not.toContain('\u001b');
    expect(line(log({ level: 'ERROR', message: 'failed', error }))).toBeNull();
  });

  test('tells when a run that failed is tried again', () => {
    const error = { name: 'Error', message: 'no answer' };
    const retrying = { state: 'retrying', error, attentionAt: now + 40 * second } as const;
    expect(line(handled('failed'), retrying)).toBe(
      '✗ rates/pull-fx  11:00  failed in 1.5 s: Error: no answer; tried again in 40 s',
    );
    const warning = { level: 'WARN', message: 'failed, and is tried again', at: '2026-12-01T03:00:42Z' };
    expect(line(log(warning))).toBeNull();
  });

  test('tells that a run goes on, and how often it did when it ends', () => {
    expect(line(handled('continued'), { state: 'offered', unsent: true, hops: 1 })).toBe(
      '… rates/pull-fx  11:00  goes on',
    );
    const attempts = [1, 2, 3].map((number) =>
      attempt(0, 1, { number, outcome: number < 3 ? 'continued' : 'succeeded' }),
    );
    expect(line(handled('succeeded'), { hops: 2, attempts })).toBe(
      '✓ rates/pull-fx  11:00  ran in 1.5 s (after 2 hops)',
    );
  });

  test('tells that a run was canceled, once', () => {
    const error = { name: 'CanceledError', message: 'canceled by ops at 2026-12-01T03:00:01Z' };
    expect(line(handled('canceled'), { state: 'canceled', error })).toBe(
      '- rates/pull-fx  11:00  canceled in 1.5 s: CanceledError: canceled by ops at 2026-12-01T03:00:01Z',
    );
    expect(line(log({ level: 'WARN', message: 'canceled', error }))).toBeNull();
  });

  test('tells what a fire waits for', () => {
    const waiting = (of: Partial<Run>) => line(handled('waiting'), { state: 'waiting', ...of });
    expect(waiting({ reason: 'slot' })).toBe('… rates/pull-fx  11:00  waits for the run before it');
    expect(waiting({ reason: 'pool', waitsFor: { 'reports-db': 2, mail: 1 } })).toBe(
      '… rates/pull-fx  11:00  waits for reports-db, mail',
    );
  });

  test('tells several refused deliveries of a fire as one', () => {
    expect(line({ kind: 'duplicates', at: now, jobId: job.id, run, count: 2 })).toBe(
      '= rates/pull-fx  11:00  2 duplicates refused',
    );
  });

  test('tells a dead process from a refused payload', () => {
    const died = (error: string) => line({ kind: 'died', at: now, jobId: job.id, requestId: 'r', error });
    expect(died('Runtime.ExitError: RequestId: 1-2 Error: Runtime exited with error: exit status 7')).toBe(
      '☠ rates/pull-fx  Runtime.ExitError: Runtime exited with error: exit status 7; its run is suspected dead until its lease ends',
    );
    expect(died("ForeignPayload: a payload that isn't ours")).toBe(
      "☠ rates/pull-fx  ForeignPayload: a payload that isn't ours",
    );
  });

  test('tells each strike of chaos, of whom it is and of which fire', () => {
    const strike = (event: object) => line({ kind: 'chaos', at: now, ...event } as CloudEvent);
    const alarm = { of: 'alarm', jobId: job.id, run };
    expect(strike({ fault: 'drops', ...alarm })).toBe('~ rates/pull-fx  11:00  chaos: delivery is lost');
    expect(strike({ fault: 'delays', ms: 8_500, ...alarm })).toBe(
      '~ rates/pull-fx  11:00  chaos: delivery comes 8.5 s late',
    );
    expect(strike({ fault: 'duplicates', count: 2, ...alarm, of: 'offer' })).toBe(
      '~ rates/pull-fx  11:00  chaos: offer comes 2 more times',
    );
    expect(strike({ fault: 'kills', ms: 1_300, ...alarm })).toBe(
      '~ rates/pull-fx  11:00  chaos: its process is killed 1.3 s after its start',
    );
    expect(strike({ fault: 'kills', ms: 12, ...alarm })).toContain('killed 12 ms after');
    expect(strike({ fault: 'drops', of: 'message' })).toBe('~ reconciler     chaos: message to it is lost');
  });

  test('shows a job’s warning with its fields, and none of what stands in every line', () => {
    const every = { level: 'WARN', service: 'fireledger', stage: 'local', jobId: job.id, token: 't' };
    expect(line(log({ ...every, message: 'Endpoint down', status: 503 }))).toBe(
      '! rates/pull-fx  Endpoint down status=503',
    );
    expect(line(log({ ...every, level: 'INFO', message: 'started' }))).toBeNull();
  });

  test('shows what people are told, and below it the commands to run', () => {
    const text = `${job.id} failed for good: Error: no \u001b[31m\n\n  run  ${run}\n\nSee why:\n  npm run -s fl -- why ${run}\n`;
    expect(line({ kind: 'letter', at: now, subject: 's', text })).toBe(
      `!! rates/pull-fx failed for good: Error: no \\u{1b}[31m\n            npm run -s fl -- why ${run}`,
    );
  });

  test('shows instants as such, and fields in one order, whatever the order in which a record gives them', () => {
    const request = { reason: 'operator', by: 'ops', at: at('03:00:01'), note: 'too slow' };
    expect(line(log({ level: 'WARN', message: 'asked to end', ...request }))).toBe(
      '! rates/pull-fx  asked to end at=2026-12-01T03:00:01Z by=ops note=too slow reason=operator',
    );
    expect(line(log({ level: 'WARN', message: 'full', at: 3 }))).toBe('! rates/pull-fx  full at=3');
  });

  test('shows what a job prints as it is', () => {
    expect(line({ ...log({}), line: 'plain words' } as CloudEvent)).toBe('│ rates/pull-fx  plain words');
  });
});

test('the header tells where things are, and when each job is due next, in its own time', () => {
  const monthly = manifestJob({ schedule: cron('0 6 1 * *'), timezone: 'Europe/Berlin' });
  const header = {
    jobs: [monthly, job],
    dir: '.fireledger',
    engine: 'dynoxide',
    endpointUrl: 'http://127.0.0.1:4566',
    ...{ capacities: {}, poolsFile: 'functions/pools.ts', flOptions: '' },
    instances: 3,
    readyMs: 2_400,
    now,
  };
  expect(headerText(header, look)).toMatchInlineSnapshot(`
    "fireledger ready in 2.4 s
      ledger        .fireledger (dynoxide)
      AWS endpoint  http://127.0.0.1:4566
      schedulers    3: every fire is delivered 3 times

    JOB                    WHEN               ZONE           NEXT FIRE  IN
    billing/send-invoices  At 06:00, on day   Europe/Berlin  06:00      1 h 59 min
                           1 of the month
    rates/pull-fx          Every minute       Asia/Taipei    11:01      58 s

    Ctrl-C stops. In another terminal: npm run -s fl -- runs
    "
  `);
  const more = { capacities: { 'reports-db': 3, mail: 1 }, flOptions: '--data my-ledger' };
  const consoleUrl = 'http://127.0.0.1:4567';
  const told = headerText({ ...header, ...more, consoleUrl }, look);
  expect(told).toContain('\n  pools         reports-db 3, mail 1 (functions/pools.ts)\n');
  expect(told).toContain('\n  console       http://127.0.0.1:4567\n');
  expect(told).toContain('npm run -s fl -- runs --data my-ledger\n');
});
