import { cancelRemoved } from '../domain/attention.ts';
import type { DueFire } from '../domain/catch-up.ts';
import type { Reign } from '../domain/due.ts';
import type { RemovedJob } from '../domain/manifest.ts';
import { fireKey, type RunRef, runId } from '../domain/names.ts';
import { isOpen, neverNeedsAttention, newRun, type Run } from '../domain/run.ts';
import { skippedRun } from '../domain/start.ts';
import type { Leaving } from './observe.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Recorded } from './record-fires.ts';
import { poolsOf, readableRuns, statesOf } from './records.ts';
import type { Tally } from './tally.ts';

/** Open runs looked through for those of removed jobs. */
const mostOpen = 50_000;
/** So many of them are canceled in one turn, so that it ends within seconds. */
const mostCanceled = 500;

/** The fires of a removed job that were due and have no record: nothing is going to start them any more. */
export async function cancelDue(
  { ledger, drawToken, log }: ReconcilerPorts,
  { jobId, due, recorded }: Leaving,
  { now, tally }: { now: number; tally: Tally },
): Promise<Recorded> {
  const owed: number[] = [];
  for (const { fire, reign } of due) {
    if (recorded.has(fireKey(fire.fireTime))) continue;
    try {
      const run = recordOf(fire, reign, { token: drawToken(), now });
      const answer = await ledger.create(run);
      if (answer.kind === 'conflict') owed.push(fire.fireTime);
      if (answer.kind === 'done') tally.add(run.state === 'canceled' ? 'canceled' : 'skipped');
    } catch (error) {
      log.error('a fire of a removed job could not be recorded', { jobId, error });
      owed.push(fire.fireTime);
    }
  }
  return { jobId, owed, gap: owed.length };
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

/**
 * What of removed jobs waits, is offered, to be tried again or parked; the parked first, which nothing else would find. A running attempt
 * ends by itself, or with its lease. False: some may be left.
 */
export async function cancelUnfinished(
  ports: ReconcilerPorts,
  { removed, now, tally }: { removed: readonly RemovedJob[]; now: number; tally: Tally },
): Promise<boolean> {
  try {
    const ids = new Set(removed.map((job) => job.id));
    const refs = (await ports.ledger.open(neverNeedsAttention, mostOpen)).filter((ref) => ids.has(ref.jobId));
    const canceled = await cancelAll(ports, refs.slice(-mostCanceled), { now, tally });
    return canceled && refs.length <= mostCanceled;
  } catch (error) {
    ports.log.error('unfinished runs of removed jobs could not be canceled', { error });
    return false;
  }
}

async function cancelAll(
  ports: ReconcilerPorts,
  refs: readonly RunRef[],
  { now, tally }: { now: number; tally: Tally },
): Promise<boolean> {
  const { ledger, drawToken, log } = ports;
  const runs = (await readableRuns(ports, refs, 'an unfinished run')).filter(({ state }) =>
    isUnfinished(state),
  );
  const [states, pools] = await Promise.all([statesOf(ports, runs), poolsOf(ports, runs)]);
  let all = true;
  for (const run of runs) {
    const state = states.get(run.jobId) ?? null;
    const { fence, change, effect } = cancelRemoved(run, { state, pools, now, token: drawToken() });
    const answer = await ledger.move(run, fence, change, effect ? { effect } : {});
    log.info('an unfinished run of a removed job', { run: runId(run), canceled: answer.kind === 'done' });
    if (answer.kind === 'done') tally.add('canceled');
    else all = false;
  }
  return all;
}

/** The index may still name runs that have settled, or an attempt that goes on. */
function isUnfinished(state: Run['state']): boolean {
  return isOpen(state) && state !== 'running';
}
