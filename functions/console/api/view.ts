import { everyJob, type KnownJob, unknownJob } from '../../cli/known-jobs.ts';
import type { OpenLedger } from '../../cli/open-ledger.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob, PublishedManifest } from '../../domain/manifest.ts';
import type { Feeds } from './feeds.ts';

/** What an answer is worked out from. */
export interface View {
  readonly place: Pick<
    OpenLedger,
    'ledger' | 'reconciler' | 'retentionDays' | 'name' | 'isAlone' | 'stage' | 'deployed'
  >;
  readonly now: number;
  /** Absent: nothing is handed over by this process. */
  readonly feeds?: Pick<Feeds, 'isUnderWay' | 'problemOf'>;
}

/** It can't be answered as it was asked, and nothing was written; the message is for the person at the page. */
export class AskedWrongly extends Error {
  override readonly name = 'AskedWrongly';
  readonly status: 400 | 404;

  constructor(message: string, status: 400 | 404 = 400) {
    super(message);
    this.status = status;
  }
}

/** The jobs as they were last published; a ledger that no reconciler has swept yet has none. */
export async function manifestOf(ledger: Pick<Ledger, 'manifest'>): Promise<PublishedManifest> {
  return (await ledger.manifest()) ?? { version: 1, jobs: [] };
}

/** By id: also those that were removed, whose runs are still there. */
export function jobsById(manifest: PublishedManifest): ReadonlyMap<string, KnownJob> {
  return new Map(everyJob(manifest).map((job) => [job.id, job]));
}

/** How a run of a job is told of that nobody knows any more. */
export function knownOr(jobs: ReadonlyMap<string, KnownJob>, id: string): KnownJob {
  return jobs.get(id) ?? { id, timezone: 'UTC' };
}

/**
 * A job of which the ledger has a history.
 *
 * @throws AskedWrongly, with the nearest
 */
export function knownJobOf(manifest: PublishedManifest, id: string): KnownJob {
  const job = jobsById(manifest).get(id);
  if (job === undefined) throw new AskedWrongly(unknownJob(id, manifest.jobs).message, 404);
  return job;
}

/**
 * A job that is deployed.
 *
 * @throws AskedWrongly, with the nearest
 */
export function deployedJobOf(manifest: PublishedManifest, id: string): ManifestJob {
  const job = manifest.jobs.find((one) => one.id === id);
  if (job === undefined) throw new AskedWrongly(unknownJob(id, manifest.jobs).message, 404);
  return job;
}
