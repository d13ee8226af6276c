import type { Manifest, ManifestJob } from '../../../domain/manifest.ts';
import { minute } from '../../../domain/time.ts';
import type { WorldView } from '../../observe.ts';

/** For so long after a deploy a reconciler may go by the manifest before it: Lambda's old code, and a sweep that was on. */
export const oldCodeMs = 3 * minute;

/**
 * The versions of a job that a reconciler may go by at an instant (true time); null: a manifest without the job. More
 * than one only around a deploy.
 */
export function versionsAt(world: WorldView, jobId: string, at: number): (ManifestJob | null)[] {
  return world.deploys
    .filter(({ reconcilerAt }, index) => {
      const next = world.deploys[index + 1];
      return reconcilerAt <= at && (next === undefined || at <= next.reconcilerAt + oldCodeMs);
    })
    .map(({ manifest }) => jobOf(manifest, jobId));
}

/** Every version of a job that was ever deployed, as often as it was. */
export function everDeployed(world: WorldView, jobId: string): ManifestJob[] {
  return world.deploys.flatMap(({ manifest }) => jobOf(manifest, jobId) ?? []);
}

/** The ids of all jobs that were ever deployed. */
export function allJobIds(world: WorldView): string[] {
  return [...new Set(world.deploys.flatMap(({ manifest }) => manifest.jobs.map((job) => job.id)))];
}

const known = new WeakMap<Manifest, ReadonlyMap<string, ManifestJob>>();

function jobOf(manifest: Manifest, jobId: string): ManifestJob | null {
  const jobs = known.get(manifest) ?? new Map(manifest.jobs.map((job) => [job.id, job]));
  known.set(manifest, jobs);
  return jobs.get(jobId) ?? null;
}
