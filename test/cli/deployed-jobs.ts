import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadCatalog } from '../../functions/catalog/index.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { type ManifestJob, publicManifest } from '../../functions/domain/manifest.ts';
import { seededFolder } from './seeded.ts';

/** The text of a job file, its options as an author writes them. */
export function jobFile(options: string): string {
  return `
import { at, cron, defineJob, every, manual } from '#job';

export default defineJob({
  missed: 'all',
  crashed: 'park',
  ${options}
  async run() {},
});
`;
}

export interface DeployedJobs {
  /** The data folder, and the folder of the job files. */
  readonly dir: string;
  readonly jobs: string;
  readonly ledger: Ledger;
  /** As it was deployed. */
  job(id: string): ManifestJob;
  /** Writes a job file, or with null takes it away; '../pools.ts' are the pools. */
  write(file: string, text: string | null): void;
  /** Replaces a text that is there in a file. */
  edit(file: string, from: string, to: string): void;
  /** Ends the system: the ledger is given back. */
  stop(): Promise<void>;
}

/** A system on which these job files were deployed at `since`, and a working copy of them to edit. */
export async function deployedJobs(
  files: Readonly<Record<string, string>>,
  since: number,
): Promise<DeployedJobs> {
  const root = mkdtempSync(join(tmpdir(), 'fireledger-plan-'));
  const jobs = join(root, 'jobs');
  const write = (file: string, text: string | null) => {
    const path = join(jobs, file);
    mkdirSync(dirname(path), { recursive: true });
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const catalog = await loadCatalog({ jobsDir: jobs, stage: 'local', now: since });
  const manifest = publicManifest(catalog.manifest);
  const { dir, ledger, stop, remove } = await seededFolder(since, (empty) => deploy(empty, manifest, since));
  onTestFinished(async () => {
    await stop();
    remove();
    rmSync(root, { recursive: true, force: true });
  });
  const job = (id: string) => {
    const found = manifest.jobs.find((one) => one.id === id);
    if (found === undefined) throw new Error(`${id} was not deployed`);
    return found;
  };
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(join(jobs, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    write(file, text.replace(from, to));
  };
  return { dir, jobs, ledger, job, write, edit, stop };
}

/** As the reconciler does on its first sweep. */
async function deploy(
  ledger: Ledger,
  manifest: ReturnType<typeof publicManifest>,
  since: number,
): Promise<void> {
  for (const [name, { capacity }] of Object.entries(manifest.pools ?? {}))
    await ledger.publishPool({ name, capacity }, null);
  for (const { id, specId, spec } of manifest.jobs)
    await ledger.publish({ jobId: id, from: since, specId, spec }, null);
  await ledger.saveManifest(manifest);
}
