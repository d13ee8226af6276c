import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadCatalog } from '../../functions/catalog/index.ts';
import type { Ledger, ReconcilerState } from '../../functions/domain/ledger.ts';
import { type ManifestJob, manifestIdOf, publicManifest } from '../../functions/domain/manifest.ts';
import { timetable } from '../../functions/domain/schedule/index.ts';
import { hour, second } from '../../functions/domain/time.ts';
import { databasePath, openDataFolder } from '../../functions/local/datafolder.ts';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { jobsFolder, jobText } from '../support/jobs-folder.ts';
import { runFl } from './run-fl.ts';
import { runOf } from './seeded.ts';

/** Half a minute after two o'clock; the job is due every 5 minutes since midnight. */
export const now = Date.parse('2026-12-01T02:00:30Z');
export const midnight = now - 2 * hour - 30 * second;
export const tzdata = process.versions.tz ?? '';

export interface Patient {
  readonly dir: string;
  readonly jobs: string;
  readonly ledger: Ledger;
  readonly endpoint: string;
  readonly job: ManifestJob;
  /** Replaces what the reconciler keeps. */
  sweep(state?: Partial<ReconcilerState>): Promise<void>;
  /** Ends the system: the folder is given back. */
  stop(): Promise<void>;
}

/** A data folder that a system runs on, in perfect health: its job is deployed, every fire has run, the last sweep was just now. */
export async function patient(table = 'fireledger-local'): Promise<Patient> {
  const jobs = jobsFolder({ 'pull-rates.ts': jobText({ more: "timeout: '1 minute'," }) });
  const catalog = await loadCatalog({ jobsDir: jobs, stage: 'local', now });
  const manifest = publicManifest(catalog.manifest);
  const [job] = manifest.jobs;
  if (job === undefined) throw new Error('a job expected');
  const { dir, ledger, endpoint, stop } = await runningFolder(table);
  await ledger.saveManifest(manifest);
  await ledger.publish({ jobId: job.id, from: midnight, specId: job.specId, spec: job.spec, tzdata }, null);
  await ledger.saveZones({ tzdata, recordedAt: midnight, zones: {} });
  for (const fire of timetable(job.spec).between(midnight, now)) await ledger.create(runOf(job, fire));
  const sweep = async (state: Partial<ReconcilerState> = {}) => {
    const sweptAt = now - 20 * second;
    const usual = { manifestId: manifestIdOf(manifest), sweptAt, watermark: { top: sweptAt, gaps: [] } };
    await ledger.acquire('sweep', now, now + second);
    await ledger.save('sweep', { ...usual, ...state });
    await ledger.releaseLease('sweep');
  };
  await sweep();
  return { dir, jobs, ledger, endpoint, job, sweep, stop };
}

async function runningFolder(table: string) {
  const dir = mkdtempSync(join(tmpdir(), 'fireledger-doctor-'));
  const folder = openDataFolder({ dir, holder: 'npm start', now: midnight });
  const database = await startDynamoDb({ file: databasePath(dir) });
  const client = ledgerClient({ endpoint: database.endpoint });
  await createLedgerTable(client, table);
  folder.announce({ endpoint: database.endpoint });
  let isRunning = true;
  const stop = async () => {
    if (!isRunning) return;
    isRunning = false;
    client.destroy();
    await database.close();
    folder.close();
  };
  onTestFinished(async () => {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  });
  const ledger = dynamoLedger({ client, table });
  return { dir, ledger, endpoint: database.endpoint, stop };
}

export interface CheckJson {
  readonly name: string;
  readonly verdict: string;
  readonly says: string;
  readonly items?: readonly string[];
  readonly todo?: string;
}

/** What the doctor says of it: its exit code, and every check that isn't fine, by name. */
export async function diagnose(
  { dir, jobs }: Pick<Patient, 'dir' | 'jobs'>,
  at = now,
): Promise<{ code: number; found: Record<string, CheckJson> }> {
  const { code, out } = await runFl(['doctor', '--json', '--data', dir, '--jobs', jobs], { now: at });
  const checks: CheckJson[] = JSON.parse(out).checks;
  const found = checks.filter(({ verdict }) => verdict !== 'fine');
  return { code, found: Object.fromEntries(found.map((check) => [check.name, check])) };
}
