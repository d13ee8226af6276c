import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AlarmPayload } from '../../functions/contract.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { defineJob, manual } from '../../functions/job.ts';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { loadJob } from '../../functions/runtime/load.ts';
import { handleEvent } from '../../functions/runtime/runtime.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { createPeerTable, locked, powertools } from './claim-peers.ts';
import { quietPorts } from './quiet-ports.ts';
import { type BenchRow, median, row } from './row.ts';

const warmUps = 200;
const fires = 500;
const firstFire = at('03:00');

/** One way to guard a fire: `guard(n)` handles the n-th one. Each has a client of its own, all made alike. */
interface Contender {
  readonly guard: (n: number) => Promise<unknown>;
  readonly requests: () => number;
  readonly walls: number[];
}

/**
 * What a fire costs around an empty handler, from the event to the answer: our whole wrapper (judge, claim, slot, finish)
 * against Powertools' idempotency, alone and with a lock, so that it too keeps a job's runs from overlapping. One after
 * the other on one embedded DynamoDB that is kept in a file, as `npm start` keeps it; log and metrics are left out.
 */
export async function benchClaim(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fireledger-bench-'));
  const database = await startDynamoDb({ file: join(folder, 'dynamodb.sqlite') });
  const clients: DynamoDBClient[] = [];
  const connect = () => {
    const client = ledgerClient({ endpoint: database.endpoint });
    clients.push(client);
    return client;
  };
  try {
    await createPeerTable(connect());
    const ours = await fireledger(connect());
    const alone = powertoolsAlone(connect());
    const withLock = powertoolsWithLock(connect());
    await takeTurns([ours, alone, withLock]);
    return [
      ...compare(ours, alone, { peerName: 'powertools idempotency', target: 1.5 }),
      ...compare(ours, withLock, { peerName: 'powertools idempotency + lock', target: 1 }),
    ];
  } finally {
    for (const client of clients) client.destroy();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function takeTurns(contenders: readonly Contender[]): Promise<void> {
  for (let n = 0; n < warmUps + fires; n += 1) {
    const first = n % contenders.length;
    for (const { guard, walls } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const began = performance.now();
      await guard(n);
      if (n >= warmUps) walls.push(performance.now() - began);
    }
  }
}

/** `target`: of the time. */
function compare(
  ours: Contender,
  peer: Contender,
  { peerName, target }: { peerName: string; target: number },
): BenchRow[] {
  const perFire = ({ requests }: Contender) => requests() / (warmUps + fires);
  const of = { name: 'claim', peerName };
  return [
    row({ ...of, metric: 'requests per fire', ours: perFire(ours), peer: perFire(peer) }),
    row({ ...of, metric: 'median ms per fire', ours: median(ours.walls), peer: median(peer.walls), target }),
  ];
}

function contender(client: DynamoDBClient, guard: Contender['guard']): Contender {
  let requests = 0;
  client.middlewareStack.add(
    (send) => (args) => {
      requests += 1;
      return send(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return { guard, requests: () => requests, walls: [] };
}

const nothing = async () => {};

/** What EventBridge sends for the n-th fire. */
function delivery(jobId: string, n: number): AlarmPayload {
  return { fireledger: 'alarm', jobId, scheduledTime: toIso(firstFire + n * minute), attemptNumber: '1' };
}

async function fireledger(client: DynamoDBClient): Promise<Contender> {
  const table = 'ledger';
  await createLedgerTable(client, table);
  const ledger = dynamoLedger({ client, table });
  const entry = manifestJob();
  await ledger.publish({ jobId: entry.id, from: 0, spec: entry.spec, specId: entry.specId }, null);
  const job = loadJob(
    entry,
    defineJob({
      description: entry.description,
      schedule: manual(),
      missed: 'skip',
      crashed: 'park',
      run: nothing,
    }),
  );
  let now = 0;
  const ports = quietPorts(ledger, () => now);
  return contender(client, async (n) => {
    now = firstFire + n * minute + 2_000;
    const { outcome } = await handleEvent(
      delivery(entry.id, n),
      { requestId: `${n}`, remainingMs: () => 330_000 },
      job,
      ports,
    );
    if (outcome !== 'succeeded') throw new Error(`Fire ${n} came to "${outcome}".`);
  });
}

function powertoolsAlone(client: DynamoDBClient): Contender {
  const handle = powertools(client, nothing);
  return contender(client, (n) => handle(delivery('alone', n)));
}

function powertoolsWithLock(client: DynamoDBClient): Contender {
  const handle = powertools(client, locked(client, 'lock#billing/send-invoices', nothing));
  return contender(client, (n) => handle(delivery('locked', n)));
}
