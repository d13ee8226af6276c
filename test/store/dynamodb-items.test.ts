import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { table as names } from '../../functions/contract.ts';
import type { Bill } from '../../functions/domain/bill.ts';
import { type ClosedDay, closedRunOf } from '../../functions/domain/closed-days/index.ts';
import { decideFinish } from '../../functions/domain/finish.ts';
import { Unwritable } from '../../functions/domain/ledger.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { attemptsOf } from '../../functions/store/dynamodb/attempt-log.ts';
import { createLedgerTable, dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { openShardOf } from '../../functions/store/dynamodb/items.ts';
import { type LedgerTable, newLedgerTable } from '../support/ledger-engines.ts';
import { claim, entry, fireTime, jobId, publishFirst, record, removal } from '../support/ledger-records.ts';

let database: DynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database?.close());

async function open(options: { retentionMs?: number } = {}) {
  const place = await newLedgerTable(database.endpoint);
  onTestFinished(() => place.client.destroy());
  return { ...place, ledger: dynamoLedger({ ...place, ...options }) };
}

async function items({ client, table }: LedgerTable, index?: string): Promise<Record<string, unknown>[]> {
  const which = index === undefined ? {} : { IndexName: index };
  const { Items: found = [] } = await client.send(new ScanCommand({ TableName: table, ...which }));
  return found.map((item) => unmarshall(item));
}

describe('a run whose item can’t be read', () => {
  it('is told by its key, and keeps nobody from the other runs', async () => {
    const place = await open();
    const { ledger, client, table } = place;
    const [odd, fine] = [record(fireTime), record(fireTime + 60_000)];
    for (const run of [odd, fine]) await ledger.create(run);
    const key = { [names.partitionKey]: { S: `job#${jobId}` }, [names.sortKey]: { S: `fire#${odd.key}` } };
    const Item = { ...key, state: { S: 'running' }, attempts: { L: [{ M: { number: { N: '1' } } }] } };
    await client.send(new PutItemCommand({ TableName: table, Item }));
    const told: unknown[] = [];
    expect(await ledger.runs([odd, fine], (ref) => told.push(ref))).toEqual([fine]);
    expect(told).toEqual([{ jobId, key: odd.key }]);
    await expect(ledger.runs([odd, fine])).rejects.toThrow();
  });
});

describe('the attempts of a run', () => {
  it('are read whatever lines there are of them: none of its use, or more than one', () => {
    const started = { number: 1, token: 'a', requestId: 'r', pid: 1, startedAt: 1, leaseUntil: 9 };
    const ended = { number: 1, settledAt: 5, outcome: 'succeeded' };
    const lines = (parts: readonly object[]) => parts.map((part) => JSON.stringify(part));
    expect(attemptsOf(lines([started, ended]))).toEqual([{ ...started, ...ended }]);
    const used = { number: 1, bill: { wallMs: 3 } };
    expect(attemptsOf(lines([started, used, ended]))).toEqual([{ ...started, ...ended, ...used }]);
  });

  it('cost no more units for their bills: with all that is measured, a run of a schedule is below 1 KB', async () => {
    const place = await open();
    await publishFirst(place.ledger);
    const { run, effect } = claim('of-24-hex-digits-0000000');
    await place.ledger.create({ ...run, attempts: run.attempts.map(asLambdaNames) }, effect);
    const finish = decideFinish(run, {
      outcome: { kind: 'succeeded' },
      attempt: 1,
      now: run.createdAt + 899_999,
    });
    const change = { ...finish.change, measured: { number: 1, bill: fullBill } };
    await place.ledger.move(run, { state: 'running', token: run.token }, change, { effect: finish.effect });
    const [item = {}] = (await items(place)).filter(({ sk }) => sk === `fire#${run.key}`);
    expect(JSON.stringify(item)).toContain(JSON.stringify(JSON.stringify({ number: 1, bill: fullBill })));
    expect(JSON.stringify(item).length).toBeLessThan(1024);
  });
});

function asLambdaNames<T extends object>(attempt: T): T {
  return { ...attempt, requestId: '5f0b8a1e-2c1d-4b7e-9a55-d0f7c7f1f0aa', pid: 32_767 };
}

/** All that is measured, in long numbers. */
const fullBill: Bill = {
  wallMs: 899_999.9,
  cpuUserMs: 899_999.9,
  cpuSystemMs: 99_999.9,
  readBytes: 123_456_789_012,
  writtenBytes: 123_456_789_012,
  receivedBytes: 123_456_789_012,
  sentBytes: 123_456_789_012,
  peakMemoryMb: 10_239.9,
  eventLoopDelayMs: 99_999.9,
  dynamo: { readUnits: 123_456.5, writeUnits: 123_456.5 },
};

describe('the items of the table', () => {
  it('lie under the keys that the design names', async () => {
    const place = await open();
    const { ledger } = place;
    await publishFirst(ledger);
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    await ledger.create({ ...record(fireTime, { trigger: 'manual' }), key: `${run.key}~manual-a1` });
    await ledger.publishPool({ name: 'reports-db', capacity: 3 }, null);
    await ledger.acquire('t', 1, 2);
    await ledger.saveManifest({ version: 1, jobs: [] });
    const keys = (await items(place)).map(({ pk, sk }) => `${pk} ${sk}`);
    expect(keys.sort()).toEqual([
      'job#billing/send-invoices fire#2026-11-30T19:00:00Z',
      'job#billing/send-invoices fire#2026-11-30T19:00:00Z~manual-a1',
      'job#billing/send-invoices spec#2026-11-29T19:00:00.000Z',
      'job#billing/send-invoices state',
      'pool#reports-db state',
      'reconciler manifest',
      'reconciler state',
    ]);
  });

  it('keep of a pool each hold as an attribute of its own', async () => {
    const place = await open();
    await publishFirst(place.ledger);
    await place.ledger.publishPool({ name: 'reports-db', capacity: 3 }, null);
    const { run, effect } = claim('a', { pools: { 'reports-db': 2 } });
    await place.ledger.create(run, effect);
    const [pool] = (await items(place)).filter(({ pk }) => pk === 'pool#reports-db');
    expect(pool).toEqual({
      ...{ pk: 'pool#reports-db', sk: 'state', capacity: 3, free: 1 },
      'hold#billing/send-invoices#2026-11-30T19:00:00Z': 2,
    });
  });

  it('expire, if they are runs, in seconds from their creation; nothing else ever does', async () => {
    const place = await open({ retentionMs: 86_400_000 });
    const { ledger } = place;
    await publishFirst(ledger);
    await ledger.publish(removal(fireTime), 'spec-1');
    await ledger.setPause(jobId, { at: 1, by: 'ops', note: '' });
    await ledger.publishPool({ name: 'reports-db', capacity: 3 }, null);
    await ledger.create(record(fireTime, { createdAt: Date.parse('2026-12-01T00:00:59.999Z') }));
    await ledger.acquire('t', 1, 2);
    await ledger.saveManifest({ version: 1, jobs: [] });
    const expiring = (await items(place)).filter((item) => names.ttl in item);
    expect(expiring).toEqual([
      expect.objectContaining({
        sk: 'fire#2026-11-30T19:00:00Z',
        ttl: Date.parse('2026-12-02T00:00:59Z') / 1_000,
      }),
    ]);
  });

  it('expire, if they are steps, no earlier than their run; they are small, and their result is text', async () => {
    const place = await open({ retentionMs: 86_400_000 });
    const { ledger } = place;
    const run = record(fireTime, { state: 'running', token: 'a' });
    await ledger.create(run);
    const step = { name: 'pay', kind: 'step', state: 'done', at: fireTime + 90_999, restarts: 0 } as const;
    const write = { step: { ...step, token: 'a', result: { sum: 1e21 } }, replaces: null };
    expect(await ledger.writeStep(run, { state: 'running', token: 'a' }, write)).toEqual({ kind: 'done' });
    expect((await items(place)).filter(({ sk }) => sk === 'step#pay')).toEqual([
      {
        ...{ pk: `run#${jobId}#2026-11-30T19:00:00Z`, sk: 'step#pay', state: 'done', token: 'a' },
        ...{ at: fireTime + 90_999, result: '{"sum":1e+21}', ttl: (fireTime + 90_000 + 86_400_000) / 1_000 },
      },
    ]);
  });

  it('keep runs 400 days unless told otherwise', async () => {
    const place = await open();
    await place.ledger.create(record(fireTime));
    expect(await items(place)).toMatchObject([{ ttl: Date.parse('2028-01-04T19:00:00Z') / 1_000 }]);
  });

  it('are on the open index while a run is open, with both of its attributes or none', async () => {
    const place = await open();
    const { ledger } = place;
    await publishFirst(ledger);
    await ledger.create(record(fireTime - 60_000));
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    const { sortKey, partitionKey, name } = names.openIndex;
    const attributes = { [partitionKey]: openShardOf(run), [sortKey]: run.attentionAt };
    const keys = { pk: `job#${jobId}`, sk: `fire#${run.key}` };
    expect(await items(place, name)).toEqual([{ ...keys, ...attributes }]);
    const { change, effect: last } = decideFinish(run, {
      outcome: { kind: 'succeeded' },
      attempt: 1,
      now: entry('a').now,
    });
    await ledger.move(run, { state: 'running', token: 'a' }, change, { effect: last });
    expect(await items(place, name)).toEqual([]);
    const settled = (await items(place)).filter((item) => partitionKey in item || sortKey in item);
    expect(settled).toEqual([]);
  });

  it('spread over all shards of the open index', () => {
    const shards = Array.from({ length: 400 }, (_, n) => openShardOf(record(fireTime + n * 60_000)));
    const sizes = Array.from(
      { length: names.openIndex.shards },
      (_, shard) => shards.filter((one) => one === shard).length,
    );
    expect(Math.min(...sizes)).toBeGreaterThan(25);
    expect(Math.max(...sizes)).toBeLessThan(90);
  });

  it('stay when the table is created once more', async () => {
    const place = await open();
    await place.ledger.create(record(fireTime));
    await createLedgerTable(place.client, place.table);
    expect(await items(place)).toHaveLength(1);
  });
});

describe('a manifest', () => {
  it('that does not fit is refused with its size, and the one before stays', async () => {
    const { ledger } = await open();
    await ledger.saveManifest({ version: 1, jobs: [] });
    const noise = Array.from({ length: 60_000 }, (_, n) => Math.sin(n).toString(36)).join('');
    const manifest = { version: 1, jobs: [{ description: noise }] } as never;
    await expect(ledger.saveManifest(manifest)).rejects.toThrow(
      /^The manifest of 1 jobs has \d+ KB compressed; at most 390 KB fit in the ledger\. Shorten/,
    );
    expect(await ledger.manifest()).toEqual({ version: 1, jobs: [] });
  });
});

describe('a closed day', () => {
  const first = Date.parse('2026-11-30T00:00:00Z');

  function closedDay(count: number, stays: number): ClosedDay {
    const runs = Array.from({ length: count }, (_, number) => {
      const at = first + number * 60_000;
      const run = closedRunOf(record(at, { state: 'succeeded' }));
      const [a, b] = [(number * 7_919) % 9_973, (number * 104_729) % 29_989];
      const of = (stay: number) => ({
        from: at + a + stay * (b + 1_000),
        until: at + a + b + stay * (b + 1_000),
      });
      const held = {
        weights: { 'billing-db': 1 },
        stays: Array.from({ length: stays }, (_, stay) => of(stay)),
      };
      return { ...run, attempts: stays, startedAt: at + a, endedAt: at + a + b, held };
    });
    const states = { succeeded: count } as ClosedDay['counts']['states'];
    const counts = {
      expected: count,
      recorded: count,
      manual: 0,
      extra: [],
      duplicates: 0,
      doubleRuns: 0,
      states,
    };
    return { jobId, day: first, counts, runs };
  }

  it('of a job that is due every minute takes less than 40 KB, and outlives the records', async () => {
    const place = await open();
    await publishFirst(place.ledger);
    await place.ledger.closeDay(closedDay(1_440, 1), { replaces: null });
    const item = (await items(place)).find(({ sk }) => sk === 'day#2026-11-30');
    const { byteLength = 0 } = (item?.body ?? {}) as Partial<Uint8Array>;
    expect(byteLength).toBeGreaterThan(1_024);
    expect(byteLength).toBeLessThan(40 * 1_024);
    expect(item).not.toHaveProperty(names.ttl);
    expect(item).toMatchObject({ counts: { expected: 1_440 } });
  });

  it('that is larger than an item can be is refused for good, with what it has', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const closing = ledger.closeDay(closedDay(1_440, 100), { replaces: null });
    await expect(closing).rejects.toThrow(Unwritable);
    await expect(closing).rejects.toThrow(
      /2026-11-30 of .* has 1440 runs, which take \d+ KB .* at most 390 KB/,
    );
  });
});
