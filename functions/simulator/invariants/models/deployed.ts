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
  return deployedAt(world, 'reconcilerAt', { jobId, at });
}

/** The versions of a job that its function may be of at an instant: a stack of jobs is deployed at a moment of its own. */
export function functionsAt(world: WorldView, jobId: string, at: number): (ManifestJob | null)[] {
  return deployedAt(world, 'functionsAt', { jobId, at });
}

/** The manifests that a reconciler may have gone by at some instant of a stretch. */
export function manifestsSince({ deploys }: WorldView, from: number, to: number): Manifest[] {
  return deploys
    .filter(({ reconcilerAt }, index) => {
      const next = deploys[index + 1];
      return reconcilerAt <= to && (next === undefined || from <= next.reconcilerAt + oldCodeMs);
    })
    .map(({ manifest }) => manifest);
}

function deployedAt(
  { deploys }: WorldView,
  moment: 'reconcilerAt' | 'functionsAt',
  { jobId, at }: { jobId: string; at: number },
): (ManifestJob | null)[] {
  return deploys
    .filter((deploy, index) => {
      const next = deploys[index + 1];
      return deploy[moment] <= at && (next === undefined || at <= next[moment] + oldCodeMs);
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
