import { cancelRemoved } from '../domain/attention.ts';
import type { DueFire } from '../domain/catch-up.ts';
import { dueFires, type Reign, reignsOf } from '../domain/due.ts';
import type { JobState } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { fireKey } from '../domain/names.ts';
import { neverNeedsAttention, newRun, type Run } from '../domain/run.ts';
import { skippedRun } from '../domain/start.ts';
import type { Interval } from '../domain/watermark.ts';
import type { Compiled } from './observe.ts';
import type { ReconcilerPorts } from './ports.ts';

/** Open runs looked through for those of removed jobs. */
const mostOpen = 10_000;

/** The fires of a removed job that were due and have no record: nothing is going to start them any more. */
export async function cancelDue(
  { ledger, drawToken, log }: ReconcilerPorts,
  job: ManifestJob,
  { now, unaccounted, compiled }: { now: number; unaccounted: readonly Interval[]; compiled: Compiled },
): Promise<void> {
  const versions = await ledger.specs(job.id);
  for (const { fire, reign } of due())
    await ledger.create(recordOf(fire, reign, { token: drawToken(), now }));

  function due() {
    try {
      const reigns = reignsOf(versions, compiled);
      return unaccounted.flatMap((gap) => dueFires(job.id, reigns, gap));
    } catch (error) {
      log.error('the fires of a removed job could not be worked out', { jobId: job.id, error });
      return [];
    }
  }
}

function recordOf(fire: DueFire, reign: Reign, { token, now }: { token: string; now: number }): Run {
  const { jobId, fireTime, specId } = fire;
  if (reign.isExcluded(fireTime))
    return skippedRun({ id: jobId, specId }, fireTime, { reason: 'excluded', token, now });
  return newRun({
    ...fire,
    key: fireKey(fireTime),
    trigger: 'schedule',
    state: 'canceled',
    reason: 'removed',
    token,
    createdAt: now,
    settledAt: now,
  });
}

/** What of removed jobs waits, is offered or parked. A running attempt ends by itself, or with its lease. */
export async function cancelUnfinished(
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
