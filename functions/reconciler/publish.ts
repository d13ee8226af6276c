import type { JobState } from '../domain/job-state.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import type { Interval } from '../domain/watermark.ts';
import { dropDoubtful } from './edited.ts';
import type { Compiled } from './observe.ts';
import type { ReconcilerPorts } from './ports.ts';
import { cancelDue, cancelUnfinished } from './removed.ts';

/**
 * Puts the schedules of a new manifest in force, as of now: a new job is owed nothing from before, an edited one is owed
 * the fires of its old schedule up to now. Jobs that are gone leave force, and their unfinished runs are canceled.
 * Done again after a failure half-way, it does the rest. False: a schedule could not be put in force yet; the one before
 * stays.
 */
export async function publish(
  ports: ReconcilerPorts,
  manifest: Manifest,
  { now, unaccounted, compiled }: { now: number; unaccounted: readonly Interval[]; compiled: Compiled },
): Promise<boolean> {
  const before = await ports.ledger.manifest();
  const kept = new Set(manifest.jobs.map((job) => job.id));
  const gone = (before?.jobs ?? []).filter((job) => !kept.has(job.id));
  const removed = [
    ...(before?.removed ?? []),
    ...gone.map(({ id, spec }) => ({ id, timezone: spec.timezone })),
  ];
  const states = await ports.ledger.jobs([...manifest.jobs, ...gone].map((job) => job.id));
  const published: boolean[] = [];
  for (const job of manifest.jobs)
    published.push(await putInForce(ports, job, { state: states.get(job.id), now, compiled }));
  for (const job of gone) {
    await takeOutOfForce(ports, job, { state: states.get(job.id), now });
    await cancelDue(ports, job, { now, unaccounted, compiled });
  }
  if (gone.length > 0) await cancelUnfinished(ports, { gone, states, now });
  await ports.ledger.saveManifest({ ...manifest, removed: removed.filter((job) => !kept.has(job.id)) });
  return published.every(Boolean);
}

/** One that can't be published is told, and stops no other job. */
async function putInForce(
  ports: ReconcilerPorts,
  job: ManifestJob,
  { state, now, compiled }: { state: JobState | undefined; now: number; compiled: Compiled },
): Promise<boolean> {
  const { id: jobId, specId, spec } = job;
  const { ledger, log, tzdata } = ports;
  if (state?.specId === specId) return true;
  try {
    if (state?.specId !== undefined) await dropDoubtful(ports, job, { next: compiled(specId, spec), now });
    const answer = await ledger.publish({ jobId, from: now, specId, spec, tzdata }, state?.specId ?? null);
    log.info(answer === 'done' ? 'a schedule is in force' : 'another schedule came into force first', {
      jobId,
      specId,
    });
    return answer === 'done';
  } catch (error) {
    log.error('a schedule could not be put in force', { jobId, specId, error });
    return false;
  }
}

async function takeOutOfForce(
  { ledger, log }: ReconcilerPorts,
  job: ManifestJob,
  { state, now }: { state: JobState | undefined; now: number },
): Promise<void> {
  if (state?.specId === undefined) return;
  await ledger.publish({ jobId: job.id, from: now, specId: '', spec: null }, state.specId);
  log.info('a job was removed', { jobId: job.id });
}
