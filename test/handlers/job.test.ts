import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleFunctions, loadCatalog } from '../../functions/catalog/index.ts';
import { alarmPayload, env, offerPayload } from '../../functions/contract.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { newRun } from '../../functions/domain/run.ts';
import { day, floorToMinute } from '../../functions/domain/time.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { newLedgerTable } from '../support/ledger-engines.ts';

const untilAborted = `await new Promise((_resolve, reject) => {
  ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
});`;

const code = {
  succeeds: `ctx.log.info('sent', { invoices: 3 }); return { sent: 3 };`,
  'uses-much': `
    const { GetCommand } = await import('@aws-sdk/lib-dynamodb');
    const Key = { pk: 'reconciler', sk: 'state' };
    await ctx.dynamo.send(new GetCommand({ TableName: process.env.FIRELEDGER_TABLE, Key, ConsistentRead: true }));
    ctx.meter('reports-db', { reads: 1200 });`,
  'leaves-a-rejection': `Promise.reject(new Error('nobody awaits me')); ${untilAborted}`,
  'throws-in-a-callback': `setTimeout(() => { throw new Error('in a callback'); }); ${untilAborted}`,
};

/** As Lambda's own runtime does: what nothing caught ends the process at once. */
const host = `
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => { console.error(error.message); process.exit(129); });
const [, bundle, event] = process.argv;
require(bundle).handler(JSON.parse(event), { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 330000 }).then(
  (handled) => { console.log(JSON.stringify({ handled })); setTimeout(() => Promise.reject(new Error('late')), 1); },
  (error) => { console.log(JSON.stringify({ rejected: error.message })); process.exit(3); },
);`;

const work = mkdtempSync(join(tmpdir(), 'fireledger-handlers-'));
let dynamo: DynamoDb;
let stage: Awaited<ReturnType<typeof deploy>>;

beforeAll(async () => {
  dynamo = await startDynamoDb();
  stage = await deploy();
});

afterAll(async () => {
  await dynamo.close();
  rmSync(work, { recursive: true, force: true });
});

/** The jobs bundled as deployed, their schedules in force, the table on the embedded DynamoDB. */
async function deploy() {
  for (const [name, body] of Object.entries(code)) writeFileSync(join(work, `${name}.ts`), jobFile(body));
  const catalog = await loadCatalog({ jobsDir: work });
  const { functions } = await bundleFunctions({ catalog, outDir: join(work, 'out') });
  const { client, table } = await newLedgerTable(dynamo.endpoint);
  const ledger = dynamoLedger({ client, table });
  for (const { id, spec, specId } of catalog.manifest.jobs)
    await ledger.publish({ jobId: id, from: 0, spec, specId }, null);
  return { functions, ledger, table };
}

function jobFile(body: string): string {
  return `import { defineJob, every } from '#job';
export default defineJob({
  description: 'A job of a test',
  schedule: every('1 minute'),
  missed: 'latest',
  crashed: 'rerun',
  async run(fire, ctx) { ${body} },
});`;
}

interface Ended {
  readonly code: number;
  readonly lines: readonly Record<string, unknown>[];
  readonly text: string;
}

/** Invokes a bundled handler in a process of its own. */
function invoke(jobId: string, event: unknown, environment: Record<string, string> = {}): Promise<Ended> {
  const bundle = join(stage.functions[jobId]?.dir ?? '', 'index.js');
  const deployed = {
    [env.table]: stage.table,
    [env.stage]: 'test',
    [env.controlQueueUrl]: 'http://127.0.0.1:1/000000000000/control',
    [env.retentionDays]: '400',
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    ...environment,
  };
  const args = ['-e', host, bundle, JSON.stringify(event)];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env: deployed }, (_error, stdout, stderr) => {
      const text = stdout + stderr;
      const lines = text.split('\n').filter((line) => line.startsWith('{'));
      resolve({ code: child.exitCode ?? -1, lines: lines.map((line) => JSON.parse(line)), text });
    });
  });
}

function delivery(jobId: string) {
  const fireTime = floorToMinute(Date.now());
  const event = { ...alarmPayload(jobId), scheduledTime: new Date(fireTime).toISOString() };
  return { event, ref: { jobId, key: fireKey(fireTime) } };
}

const stray = { ...alarmPayload('succeeds'), scheduledTime: '2020-01-01T00:00:00Z' };

describe('a deployed handler', () => {
  it('runs a delivered fire against the ledger, and leaves what nobody caught between runs to Lambda', async () => {
    const { event, ref } = delivery('succeeds');
    const { lines, code: exit } = await invoke('succeeds', event);
    expect(lines).toContainEqual({ handled: { outcome: 'succeeded', run: `succeeds#${ref.key}` } });
    expect(exit).toBe(129);
    const run = await stage.ledger.run(ref);
    expect(run).toMatchObject({ state: 'succeeded', result: { sent: 3 } });
    expect(run?.token).toMatch(/^[0-9a-f]{24}$/);
    expect(lines.find(({ message }) => message === 'sent')).toMatchObject({
      ...{ level: 'INFO', stage: 'test', jobId: 'succeeds', fireTime: ref.key, attempt: 1, invoices: 3 },
      ...{ requestId: 'request-1', token: run?.token.slice(0, 8) },
    });
    expect(JSON.stringify(lines)).not.toContain(run?.token);
  });

  it('publishes its metrics once, with the stage as their only dimension', async () => {
    const { lines } = await invoke('succeeds', stray);
    const published = lines.filter((line) => '_aws' in line);
    expect(published).toMatchObject([
      {
        stage: 'test',
        Strays: 1,
        _aws: { CloudWatchMetrics: [{ Namespace: 'fireledger', Dimensions: [['stage']] }] },
      },
    ]);
  });

  it('measures what an attempt used: on its record, in its log, and in two metrics', async () => {
    const { event, ref } = delivery('uses-much');
    const { lines, text } = await invoke('uses-much', event);
    const run = await stage.ledger.run(ref);
    expect(run, text).toMatchObject({ state: 'succeeded' });
    const bill = run?.attempts[0]?.bill;
    expect(bill).toMatchObject({
      cpuUserMs: expect.any(Number),
      cpuSystemMs: expect.any(Number),
      dynamo: { readUnits: 1, writeUnits: 0 },
      metered: { 'reports-db': { reads: 1200 } },
    });
    expect(bill?.receivedBytes).toBeGreaterThan(0);
    expect(bill?.sentBytes).toBeGreaterThan(0);
    expect(bill?.peakMemoryMb).toBeGreaterThan(20);
    expect(lines.find(({ message }) => message === 'succeeded')).toMatchObject({ bill });
    const cpuMs = (bill?.cpuUserMs ?? 0) + (bill?.cpuSystemMs ?? 0);
    expect(lines.filter((line) => '_aws' in line)).toMatchObject([
      { stage: 'test', Succeeded: 1, WallMs: bill?.wallMs, CpuMs: cpuMs },
    ]);
  });

  it('tells in a metric how long its run had waited for pools, the longest where it waited for several', async () => {
    const { ref } = delivery('succeeds');
    const fireTime = Date.parse(ref.key) - day;
    const [from, until] = [fireTime, fireTime + 42_000];
    const waits = [
      { reason: 'pool', from, until: from + 2_000, pools: { 'reports-db': 1 } },
      { reason: 'pool', from: from + 2_000, until, pools: { 'reports-db': 1, mail: 1 } },
    ] as const;
    const run = newRun({
      ...{ jobId: ref.jobId, key: fireKey(fireTime), fireTime, createdAt: fireTime, specId: 'any' },
      ...{ trigger: 'schedule', state: 'offered', token: 'offer', waits },
    });
    await stage.ledger.create(run);
    const { lines, text } = await invoke('succeeds', offerPayload(run));
    expect((await stage.ledger.run(run))?.attempts[0]?.bill?.waitedMs, text).toEqual({
      ...{ 'reports-db': 42_000, mail: 40_000 },
    });
    expect(lines.filter((line) => '_aws' in line)).toMatchObject([{ Succeeded: 1, WaitedMs: 42_000 }]);
  });

  it.each([
    ['leaves-a-rejection', 'nobody awaits me'],
    ['throws-in-a-callback', 'in a callback'],
  ])('whose code %s fails the run with that error, then ends its process', async (jobId, message) => {
    const { event, ref } = delivery(jobId);
    const { code: exit } = await invoke(jobId, event);
    expect(exit).toBe(1);
    expect(await stage.ledger.run(ref)).toMatchObject({
      state: 'failed',
      reason: 'error',
      error: { message },
    });
    expect(await stage.ledger.job(jobId)).not.toHaveProperty('slot');
  });

  it('whose nudge is lost says so, and ends as it would have', async () => {
    const { lines } = await invoke('succeeds', stray);
    expect(lines).toContainEqual({ handled: { outcome: 'stray' } });
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'WARN', why: 'stray delivery of succeeds: late' }),
    );
  });

  it("refuses a payload that isn't ours without repeating its values", async () => {
    const { code: exit, text } = await invoke('succeeds', { password: 'hunter2' });
    expect(exit).toBe(3);
    expect(text).toContain(`a payload that isn't ours`);
    expect(text).not.toContain('hunter2');
  });

  it('fails closed when the ledger can’t be reached', async () => {
    const { event } = delivery('succeeds');
    const nowhere = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
    const { code: exit, lines } = await invoke('succeeds', event, nowhere);
    expect(exit).toBe(3);
    expect(lines.find(({ message }) => message === 'sent')).toBeUndefined();
  });

  it('without what the template sets does not start, and names it', async () => {
    const { code: exit, text } = await invoke('succeeds', {}, { [env.table]: '', [env.retentionDays]: '' });
    expect(exit).not.toBe(0);
    expect(text).toContain('missing environment: FIRELEDGER_TABLE, FIRELEDGER_RETENTION_DAYS');
  });
});
