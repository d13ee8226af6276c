import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { type Attempt, neverNeedsAttention, newRun, type Run } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { hour, minute, second } from '../../functions/domain/time.ts';
import { databasePath, openDataFolder } from '../../functions/local/datafolder.ts';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { manifestJob } from '../support/jobs.ts';

export const invoices = manifestJob({
  id: 'billing/send-invoices',
  schedule: cron('0 * * * *'),
  timezone: 'Asia/Taipei',
  crashed: 'park',
});
export const inventory = manifestJob({
  id: 'reports/inventory',
  schedule: cron('0 19 1,15 * MON'),
  timezone: 'America/New_York',
});

/** The run of a job's fire; `more` says what became of it. */
export function runOf(job: ManifestJob, fireTime: number, more: Partial<Run> = {}): Run {
  return newRun({
    jobId: job.id,
    key: fireKey(fireTime),
    fireTime,
    trigger: 'schedule',
    state: 'succeeded',
    specId: job.specId,
    token: 'token',
    createdAt: fireTime + second,
    ...more,
  });
}

export function attemptOf(number: number, startedAt: number, more: Partial<Attempt> = {}): Attempt {
  return {
    number,
    token: `token-${number}`,
    requestId: `request-${number}`,
    pid: 4242,
    startedAt,
    leaseUntil: startedAt + 6 * minute,
    ...more,
  };
}

/** Of a crash in an attempt that began 1.2 s late and was settled when its lease had ended. */
export function parkedRun(fireTime: number): Run {
  const started = fireTime + 1_200;
  return runOf(invoices, fireTime, {
    state: 'parked',
    reason: 'crashed',
    attentionAt: neverNeedsAttention,
    crashes: 1,
    attempts: [attemptOf(1, started, { settledAt: started + 7 * minute, outcome: 'crashed' })],
  });
}

/**
 * Four hours of `billing/send-invoices` from `start` (an hour): succeeded with two duplicates refused, parked, no record
 * at all, made up for. `reports/inventory` is paused, and was skipped.
 */
export async function seed(ledger: Ledger, start: number): Promise<void> {
  for (const job of [invoices, inventory])
    await ledger.publish({ jobId: job.id, from: start - 1, specId: job.specId, spec: job.spec }, null);
  await ledger.saveManifest({ version: 1, jobs: [invoices, inventory] });
  await ledger.setPause(inventory.id, { at: start, by: 'ops', note: 'stock is being counted' });
  const success = (at: number) => attemptOf(1, at, { settledAt: at + 4 * second, outcome: 'succeeded' });
  const skipped = { state: 'skipped', reason: 'paused', settledAt: start + minute } as const;
  const backfill = start + 3 * hour;
  for (const run of [
    runOf(invoices, start, { duplicates: 2, attempts: [success(start + 800)], settledAt: start + 4_800 }),
    runOf(inventory, start, skipped),
    parkedRun(start + hour),
    runOf(invoices, backfill, {
      trigger: 'backfill',
      createdAt: backfill + 4 * minute,
      attempts: [success(backfill + 5 * minute)],
      settledAt: backfill + 5 * minute + 4 * second,
    }),
  ])
    await ledger.create(run);
}

export interface SeededFolder {
  readonly dir: string;
  readonly ledger: Ledger;
  /** Ends the engine and gives the folder free, its data in it. */
  stop(): Promise<void>;
  remove(): void;
}

/** A data folder with an engine that runs on it and is announced, as by a running system. */
export async function seededFolder(
  start: number,
  fill = seed,
  where: { readonly controlQueueUrl?: string } = {},
): Promise<SeededFolder> {
  const dir = mkdtempSync(join(tmpdir(), 'fireledger-cli-'));
  const folder = openDataFolder({ dir, holder: 'npm start' });
  const database = await startDynamoDb({ file: databasePath(dir) });
  const client = ledgerClient({ endpoint: database.endpoint });
  await createLedgerTable(client, 'fireledger-local');
  const ledger = dynamoLedger({ client, table: 'fireledger-local' });
  await fill(ledger, start);
  folder.announce({ endpoint: database.endpoint, ...where });
  let running = true;
  const stop = async () => {
    if (!running) return;
    running = false;
    client.destroy();
    await database.close();
    folder.close();
  };
  return { dir, ledger, stop, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
