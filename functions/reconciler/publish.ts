import type { JobState } from '../domain/job-state.ts';
import {
  type Manifest,
  type ManifestJob,
  manifestIdOf,
  type PublishedManifest,
  type RemovedJob,
} from '../domain/manifest.ts';
import type { PoolState, PublishedPool } from '../domain/pools.ts';
import { minute } from '../domain/time.ts';
import { dropDoubtful } from './edited.ts';
import type { Compiled } from './observe.ts';
import type { ReconcilerPorts } from './ports.ts';
import { cancelUnfinished } from './removed.ts';
import type { Tally } from './tally.ts';

/** The index of open runs may be behind: for so long after a removal it is asked again. */
const indexLagMs = 2 * minute;

export interface Publication {
  /** Nothing of it is left to do. Else it is gone through again in the next turn, which does the rest. */
  readonly isComplete: boolean;
  /** Ids of removed jobs whose history reaches into what is not accounted for. */
  readonly leaving: readonly string[];
}

/** A capacity that was written late, after another, is put right. */
export async function keepPublished(ports: ReconcilerPorts, manifest: Manifest): Promise<Publication> {
  try {
    await putPoolsInForce(ports, manifest);
  } catch (error) {
    ports.log.error('the capacities of pools could not be compared', { error });
  }
  return { isComplete: true, leaving: [] };
}

/**
 * Puts the schedules of a new manifest in force, as of now: a new job is owed nothing from before, an edited one is owed
 * the fires of its old schedule up to now. Jobs that are gone leave force, and their unfinished runs are canceled; their
 * due fires are left to the slices of this turn and the next ones, however many they are. `settled`: up to here every fire
 * has its record. A part that fails is told and stops no other.
 */
export async function publish(
  ports: ReconcilerPorts,
  manifest: Manifest,
  { now, settled, compiled, tally }: { now: number; settled: number; compiled: Compiled; tally: Tally },
): Promise<Publication> {
  const before = await ports.ledger.manifest();
  const removed = removedJobs(before, manifest);
  const states = await ports.ledger.jobs([...manifest.jobs, ...removed].map((job) => job.id));
  const done = [await putPoolsInForce(ports, manifest)];
  for (const job of manifest.jobs)
    done.push(await putInForce(ports, job, { state: states.get(job.id), now, compiled, tally }));
  for (const { id } of removed) done.push(await takeOutOfForce(ports, { id, state: states.get(id), now }));
  if (removed.length > 0) done.push(await cancelUnfinished(ports, { removed, now, tally }));
  done.push(await keep(ports, { ...manifest, removed }, before));
  const isLeaving = (state: JobState | undefined) =>
    state && (state.specId !== undefined || state.specSince > Math.min(settled, now - indexLagMs));
  const leaving = removed.map(({ id }) => id).filter((id) => isLeaving(states.get(id)));
  return { isComplete: leaving.length === 0 && done.every(Boolean), leaving };
}

function removedJobs(before: PublishedManifest | null, manifest: Manifest): RemovedJob[] {
  const kept = new Set(manifest.jobs.map((job) => job.id));
  const were = (before?.jobs ?? []).map(({ id, spec }) => ({ id, timezone: spec.timezone }));
  const all = new Map([...(before?.removed ?? []), ...were].map((job) => [job.id, job]));
  return [...all.values()].filter((job) => !kept.has(job.id));
}

/** Until it is kept, the manifest before it tells which jobs were removed. */
async function keep(
  { ledger, log }: ReconcilerPorts,
  manifest: PublishedManifest,
  before: PublishedManifest | null,
): Promise<boolean> {
  if (before !== null && manifestIdOf(before) === manifestIdOf(manifest)) return true;
  try {
    await ledger.saveManifest(manifest);
    return true;
  } catch (error) {
    log.error('the manifest could not be saved', { error });
    return false;
  }
}

/**
 * Before the schedules, whose runs take of them. A pool that is not declared any more keeps its item: nobody takes of it, and
 * runs that hold some give it back.
 */
async function putPoolsInForce(ports: ReconcilerPorts, { pools = {} }: Manifest): Promise<boolean> {
  if (Object.keys(pools).length === 0) return true;
  const before = await ports.ledger.pools(Object.keys(pools));
  const done: boolean[] = [];
  for (const [name, { capacity }] of Object.entries(pools))
    done.push(await putPoolInForce(ports, { name, capacity }, before.get(name)));
  return done.every(Boolean);
}

/** One that can't be published is told, and stops no other pool, and no job. */
async function putPoolInForce(
  { ledger, log }: ReconcilerPorts,
  pool: PublishedPool,
  before: PoolState | undefined,
): Promise<boolean> {
  if (before?.capacity === pool.capacity) return true;
  try {
    const answer = await ledger.publishPool(pool, before?.capacity ?? null);
    const what = answer === 'done' ? 'a pool has its capacity' : 'a pool got another capacity first';
    log.info(what, { pool: pool.name, capacity: pool.capacity, before: before?.capacity });
    return answer === 'done';
  } catch (error) {
    log.error('a pool could not be given its capacity', { pool: pool.name, error });
    return false;
  }
}

/** One that can't be published is told, and stops no other job. */
async function putInForce(
  ports: ReconcilerPorts,
  job: ManifestJob,
  {
    state,
    now,
    compiled,
    tally,
  }: { state: JobState | undefined; now: number; compiled: Compiled; tally: Tally },
): Promise<boolean> {
  const { id: jobId, specId, spec } = job;
  const { ledger, log, tzdata } = ports;
  if (state?.specId === specId) return true;
  try {
    if (state?.specId !== undefined) await dropDoubtful(ports, job, { compiled, now, tally });
    const version = { jobId, from: nextAfter(state, now), specId, spec, tzdata };
    const answer = await ledger.publish(version, state?.specId ?? null);
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
  { id: jobId, state, now }: { id: string; state: JobState | undefined; now: number },
): Promise<boolean> {
  if (state?.specId === undefined) return true;
  try {
    const version = { jobId, from: nextAfter(state, now), specId: '', spec: null };
    const answer = await ledger.publish(version, state.specId);
    log.info(answer === 'done' ? 'a job was removed' : 'another schedule came into force first', { jobId });
    return answer === 'done';
  } catch (error) {
    log.error('a job could not be taken out of force', { jobId, error });
    return false;
  }
}

/** Versions follow each other by their instants, whatever the clock says that publishes. */
function nextAfter(state: JobState | undefined, now: number): number {
  return Math.max(now, (state?.specSince ?? 0) + 1);
}
