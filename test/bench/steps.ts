import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { minute, toIso } from '../../functions/domain/time.ts';
import { after } from '../../functions/handlers/machine.ts';
import { type Context, defineJob, manual } from '../../functions/job.ts';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { loadJob } from '../../functions/runtime/load.ts';
import type { After } from '../../functions/runtime/ports.ts';
import { lookEveryMs } from '../../functions/runtime/record-watch.ts';
import { handleEvent } from '../../functions/runtime/runtime.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { createPeerTable, powertools } from './claim-peers.ts';
import { countRequests } from './count-requests.ts';
import { quietPorts } from './quiet-ports.ts';
import { type BenchRow, median, row } from './row.ts';

const warmUps = 200;
const steps = 500;
const mapped = 1_000;
const concurrency = 10;
const fireTime = at('03:00');

/** Something that is done for step n, and what it cost. */
interface Contender {
  readonly requests: () => number;
  readonly walls: number[];
  readonly step: (n: number) => Promise<unknown>;
  readonly map: (numbers: readonly number[]) => Promise<unknown>;
}

/**
 * What it costs to keep the result of a small piece of work, so that it is not done again: a step of a run against Powertools'
 * idempotency around the same function, one after the other on one embedded DynamoDB that is kept in a file.
 */
export async function benchSteps(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fireledger-bench-'));
  const database = await startDynamoDb({ file: join(folder, 'dynamodb.sqlite') });
  const [ours, peers] = [1, 2].map(() => ledgerClient({ endpoint: database.endpoint }));
  if (ours === undefined || peers === undefined) throw new Error('two clients were to be made');
  try {
    await createPeerTable(peers);
    const peer = powertoolsAround(peers);
    const rows: BenchRow[] = [];
    await withinRun(ours, async (ctx, requests) => {
      rows.push(...(await compare(fireledger(ctx, requests), peer)));
    });
    return rows;
  } finally {
    for (const client of [ours, peers]) client.destroy();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const work = async (n: number) => ({ invoice: n, sent: true });

function fireledger(ctx: Context, requests: () => number): Contender {
  return {
    requests,
    walls: [],
    step: (n) => ctx.step(`step ${n}`, () => work(n)),
    map: (numbers) => ctx.map('items', numbers, { key: String, concurrency }, work),
  };
}

function powertoolsAround(client: DynamoDBClient): Contender {
  let current = 0;
  const handle = powertools(client, () => work(current));
  const step = (n: number) => {
    current = n;
    return handle({ ...alarm, scheduledTime: `${n}` });
  };
  const map = async (numbers: readonly number[]) => {
    const left = numbers.values();
    const worker = async () => {
      for (const n of left) await step(n);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  };
  return { requests: countRequests(client), walls: [], step, map };
}

const alarm = { fireledger: 'alarm', jobId: 'bench/steps', attemptNumber: '1' } as const;

async function compare(ours: Contender, peer: Contender): Promise<BenchRow[]> {
  const of = { name: 'steps', peerName: 'powertools idempotency' };
  const [oursPerStep, peersPerStep] = await requestsOf([ours, peer], () => takeTurns([ours, peer]));
  const walls = new Map<Contender, number>();
  const mapAll = async () => {
    for (const one of [ours, peer]) walls.set(one, await wallOf(() => one.map(numbersFrom(1_000_000))));
  };
  const [oursMapped, peersMapped] = await requestsOf([ours, peer], mapAll);
  const perStep = (requests = Number.NaN) => requests / (warmUps + steps);
  return [
    row({ ...of, metric: 'requests per step', ours: perStep(oursPerStep), peer: perStep(peersPerStep) }),
    row({
      ...of,
      metric: 'median ms per step',
      ours: median(ours.walls),
      peer: median(peer.walls),
      target: 1,
    }),
    row({
      ...of,
      metric: `requests per ${mapped} map items`,
      ours: oursMapped ?? Number.NaN,
      peer: peersMapped ?? Number.NaN,
    }),
    row({
      ...of,
      metric: `ms per ${mapped} map items`,
      ours: walls.get(ours) ?? Number.NaN,
      peer: walls.get(peer) ?? Number.NaN,
    }),
  ];
}

function numbersFrom(first: number): number[] {
  return Array.from({ length: mapped }, (_, index) => first + index);
}

async function takeTurns(contenders: readonly Contender[]): Promise<void> {
  for (let n = 0; n < warmUps + steps; n += 1) {
    const first = n % contenders.length;
    for (const { step, walls } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const wall = await wallOf(() => step(n));
      if (n >= warmUps) walls.push(wall);
    }
  }
}

async function wallOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function requestsOf(contenders: readonly Contender[], act: () => Promise<void>): Promise<number[]> {
  const before = contenders.map(({ requests }) => requests());
  await act();
  return contenders.map(({ requests }, index) => requests() - (before[index] ?? 0));
}

/** A run that lasts looks at its own record every 10 s; that is no cost of its steps. */
const withoutLooks: After = (ms, onOver) => (ms === lookEveryMs ? () => {} : after(ms, onOver));

/** Has `code` run as a job's, whose time is not over while it measures. */
async function withinRun(
  client: DynamoDBClient,
  code: (ctx: Context, requests: () => number) => Promise<void>,
): Promise<void> {
  const table = 'ledger';
  await createLedgerTable(client, table);
  const requests = countRequests(client);
  const ledger = dynamoLedger({ client, table });
  const entry = { ...manifestJob(), timeoutMs: 60 * minute };
  await ledger.publish({ jobId: entry.id, from: 0, spec: entry.spec, specId: entry.specId }, null);
  const options = {
    description: entry.description,
    schedule: manual(),
    missed: 'skip',
    crashed: 'resume',
  } as const;
  const job = loadJob(entry, defineJob({ ...options, run: (_fire, ctx) => code(ctx, requests) }));
  const event = { ...alarm, jobId: entry.id, scheduledTime: toIso(fireTime) };
  const invocation = { requestId: 'bench', remainingMs: () => 61 * minute };
  const ports = { ...quietPorts(ledger, () => fireTime + 2_000), after: withoutLooks };
  const handled = await handleEvent(event, invocation, job, ports);
  if (handled.outcome !== 'succeeded') throw new Error(`The run came to "${handled.outcome}".`);
}
