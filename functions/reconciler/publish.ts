import { cancelRemoved } from '../domain/attention.ts';
import { dueFires, reignsOf } from '../domain/due.ts';
import type { JobState } from '../domain/job-state.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import { fireKey } from '../domain/names.ts';
import { neverNeedsAttention, newRun } from '../domain/run.ts';
import type { Interval } from '../domain/watermark.ts';
import type { Compiled } from './observe.ts';
import type { ReconcilerPorts } from './ports.ts';

/** Open runs looked through for those of removed jobs. */
const mostOpen = 10_000;

/**
 * Puts the schedules of a new manifest in force, as of now: a new job is owed nothing from before, an edited one is owed
 * the fires of its old schedule up to now. Jobs that are gone leave force, and their unfinished runs are canceled.
 * Done again after a failure half-way, it does the rest.
 */
export async function publish(
  ports: ReconcilerPorts,
  manifest: Manifest,
  { now, unaccounted, compiled }: { now: number; unaccounted: readonly Interval[]; compiled: Compiled },
): Promise<void> {
  const before = await ports.ledger.manifest();
  const kept = new Set(manifest.jobs.map((job) => job.id));
  const gone = (before?.jobs ?? []).filter((job) => !kept.has(job.id));
  const states = await ports.ledger.jobs([...manifest.jobs, ...gone].map((job) => job.id));
  for (const job of manifest.jobs) await putInForce(ports, job, { state: states.get(job.id), now });
  for (const job of gone) {
    await takeOutOfForce(ports, job, { state: states.get(job.id), now });
    await cancelDue(ports, job, { now, unaccounted, compiled });
  }
  if (gone.length > 0) await cancelUnfinished(ports, { gone, states, now });
  await ports.ledger.saveManifest(manifest);
}

async function putInForce(
  { ledger, log }: ReconcilerPorts,
  job: ManifestJob,
  { state, now }: { state: JobState | undefined; now: number },
): Promise<void> {
  if (state?.specId === job.specId) return;
  const version = { jobId: job.id, from: now, specId: job.specId, spec: job.spec };
  const answer = await ledger.publish(version, state?.specId ?? null);
  log.info(answer === 'done' ? 'a schedule is in force' : 'another schedule came into force first', {
    jobId: job.id,
    specId: job.specId,
  });
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

/** The fires of a removed job that were due and have no record: nothing is going to start them any more. */
async function cancelDue(
  { ledger, drawToken }: ReconcilerPorts,
  job: ManifestJob,
  { now, unaccounted, compiled }: { now: number; unaccounted: readonly Interval[]; compiled: Compiled },
): Promise<void> {
  const reigns = reignsOf(await ledger.specs(job.id), compiled);
  const due = unaccounted.flatMap((gap) => dueFires(job.id, reigns, gap));
  for (const { fire } of due)
    await ledger.create(
      newRun({
        ...fire,
        key: fireKey(fire.fireTime),
        trigger: 'schedule',
        state: 'canceled',
        reason: 'removed',
        token: drawToken(),
        createdAt: now,
        settledAt: now,
      }),
    );
}

async function cancelUnfinished(
  { ledger, drawToken, log }: ReconcilerPorts,
  { gone, states, now }: { gone: readonly ManifestJob[]; states: ReadonlyMap<string, JobState>; now: number },
): Promise<void> {
  const ids = new Set(gone.map((job) => job.id));
  const refs = await ledger.open(neverNeedsAttention, mostOpen);
  const runs = await ledger.runs(refs.filter((ref) => ids.has(ref.jobId)));
  for (const run of runs.filter((run) => run.state !== 'running' && run.state !== 'retrying')) {
    const { fence, change, effect } = cancelRemoved(run, {
      state: states.get(run.jobId) ?? null,
      now,
      token: drawToken(),
    });
    const answer = await ledger.move(run, fence, change, effect ? { effect } : {});
    log.info('an unfinished run of a removed job', {
      jobId: run.jobId,
      run: run.key,
      canceled: answer.kind === 'done',
    });
  }
}
