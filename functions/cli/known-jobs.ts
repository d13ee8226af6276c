import { nearest } from '../catalog/nearest.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { Manifest, ManifestJob, PublishedManifest } from '../domain/manifest.ts';
import { oneLine } from './render/text.ts';
import { UserError } from './user-error.ts';

/** A job of which the ledger has a history, deployed or removed. */
export interface KnownJob {
  readonly id: string;
  readonly timezone: string;
  /** How many attempts a run of it has. Absent: one, or nobody knows any more. */
  readonly attempts?: number;
}

/** The jobs that are deployed. */
export async function deployedJobs(ledger: Ledger, name: string): Promise<PublishedManifest> {
  const manifest = await ledger.manifest();
  if (manifest !== null) return manifest;
  throw new UserError(
    `the ledger in ${name} knows no jobs yet: the reconciler writes them on its first sweep. Wait a minute while the system runs`,
  );
}

/**
 * A job that is deployed.
 *
 * @throws UserError for one that was removed, and for any other with the nearest
 */
export async function deployedJob(ledger: Ledger, name: string, id: string): Promise<ManifestJob> {
  const { jobs } = await deployedJobs(ledger, name);
  const job = jobs.find((one) => one.id === id);
  if (job !== undefined) return job;
  if ((await ledger.specs(id)).length === 0) throw unknownJob(id, jobs);
  throw new UserError(
    `${oneLine(id)} was removed, and nothing is there to run it; what it did: fl runs --job ${oneLine(id)}`,
  );
}

/** Every job of which the ledger has a history, by id. */
export function everyJob({ jobs, removed = [] }: PublishedManifest): KnownJob[] {
  const deployed = jobs.map(knownOf);
  return [...deployed, ...removed].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A job by its id. One that was removed is known by its schedule's history. */
export async function knownJob(ledger: Ledger, manifest: Manifest, id: string): Promise<KnownJob> {
  const deployed = manifest.jobs.find((job) => job.id === id);
  if (deployed !== undefined) return knownOf(deployed);
  const versions = await ledger.specs(id);
  const last = versions.findLast((version) => version.spec !== null)?.spec;
  if (last) return { id, timezone: last.timezone };
  throw unknownJob(id, manifest.jobs);
}

function knownOf({ id, spec, retry }: ManifestJob): KnownJob {
  return { id, timezone: spec.timezone, ...(retry && { attempts: retry.attempts }) };
}

export function unknownJob(id: string, jobs: readonly Pick<ManifestJob, 'id'>[]): UserError {
  const known = jobs.map((job) => job.id);
  const near = known.find((candidate) => candidate.endsWith(`/${id}`)) ?? nearest(id, known);
  const hint = near === null ? `the jobs are ${known.join(', ') || 'none'}` : `did you mean ${near}?`;
  return new UserError(`there is no job "${oneLine(id)}"; ${hint}`);
}
