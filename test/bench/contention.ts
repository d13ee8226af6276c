import { setTimeout as delay } from 'node:timers/promises';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { createLedgerTable, dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { createLockTable, underLock } from './lock-and-retry.ts';
import { type Consumed, type MeteredClient, meteredClient } from './metered-client.ts';
import { PooledRuns } from './pooled-runs.ts';
import { type BenchRow, row } from './row.ts';

const runs = 200;
const capacity = 5;
const shortestMs = 50;
const longestMs = 200;
/** On demand, us-east-1, dollars for a million units. */
const prices = { readUnits: 0.125, writeUnits: 0.625 };

interface Measured {
  readonly consumed: Consumed;
  /** Besides requests to DynamoDB: messages to the reconciler, and invocations by it. */
  readonly messages: number;
  /** From the delivery of each run to the start of its code, in milliseconds. */
  readonly waits: readonly number[];
}

/**
 * What it costs, and how long it takes, when many runs that are due at once contend for one pool: the real runtime and the
 * real reconciler, against runs that try to get one of as many locks until they have it. One after the other on one
 * embedded DynamoDB.
 */
export async function benchContention(): Promise<BenchRow[]> {
  const database = await startDynamoDb();
  const clients = [meteredClient(database.endpoint), meteredClient(database.endpoint)] as const;
  try {
    const ours = await inPool(clients[0]);
    const peer = await underLocks(clients[1]);
    return compare(ours, peer);
  } finally {
    for (const { client } of clients) client.destroy();
    await database.close();
  }
}

function compare(ours: Measured, peer: Measured): BenchRow[] {
  const rows: readonly (readonly [string, (of: Measured) => number, number?])[] = [
    ['requests to DynamoDB per run', ({ consumed }) => consumed.requests / runs, 1],
    ['requests, messages and invocations per run', (of) => (of.consumed.requests + of.messages) / runs, 1],
    ['write units per run', ({ consumed }) => consumed.writeUnits / runs],
    ['dollars of DynamoDB for a million runs', dollars],
    ['p99 wait in ms', ({ waits }) => percentile(waits, 0.99), 1],
  ];
  return rows.map(([metric, of, target]) =>
    row({
      name: 'admission',
      metric: `${runs} runs at a pool of ${capacity}: ${metric}`,
      ours: of(ours),
      peer: of(peer),
      peerName: 'lock and retry each second',
      ...(target === undefined ? {} : { target }),
    }),
  );
}

function dollars({ consumed }: Measured): number {
  const { readUnits, writeUnits } = consumed;
  return (readUnits * prices.readUnits + writeUnits * prices.writeUnits) / runs;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

async function inPool({ client, consumed }: MeteredClient): Promise<Measured> {
  await createLedgerTable(client, 'ledger');
  const waits = new Waits();
  const pooled = new PooledRuns(dynamoLedger({ client, table: 'ledger' }), { runs, capacity }, waits.work);
  await pooled.deploy();
  const before = consumed();
  waits.begin();
  await Promise.all(Array.from({ length: runs }, (_, n) => pooled.deliver(n)));
  await pooled.end();
  return { consumed: since(before, consumed()), messages: pooled.messages, waits: waits.all };
}

async function underLocks({ client, consumed }: MeteredClient): Promise<Measured> {
  await createLockTable(client);
  const locks = Array.from({ length: capacity }, (_, n) => `reports-db-${n + 1}`);
  const waits = new Waits();
  const before = consumed();
  waits.begin();
  await Promise.all(Array.from({ length: runs }, (_, n) => underLock(client, locks, () => waits.work(n))));
  return { consumed: since(before, consumed()), messages: 0, waits: waits.all };
}

/** The work of the runs, which all are delivered when it begins. */
class Waits {
  readonly all: number[] = [];
  #began = 0;

  begin(): void {
    this.#began = performance.now();
  }

  /** The n-th run's: its length is anything between the shortest and the longest, and the same for all contenders. */
  readonly work = async (n: number): Promise<void> => {
    this.all.push(performance.now() - this.#began);
    await delay(shortestMs + ((n * 37) % runs) * ((longestMs - shortestMs) / runs));
  };
}

function since(before: Consumed, after: Consumed): Consumed {
  return {
    requests: after.requests - before.requests,
    readUnits: after.readUnits - before.readUnits,
    writeUnits: after.writeUnits - before.writeUnits,
  };
}
