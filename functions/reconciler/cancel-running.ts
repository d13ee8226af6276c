import { cancelRun } from '../domain/cancel.ts';
import type { JobState } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import { isQueued } from '../domain/queue.ts';
import type { Run } from '../domain/run.ts';
import { inherit } from '../domain/waiting.ts';
import type { ReconcilerPorts } from './ports.ts';

/** What a newer fire does to the run before it. */
export interface Replaced {
  /** The newest that waits for the slot, as it is now. */
  readonly newer: Run;
  /** The run that had the slot and has ended at once, since no attempt of it was alive; null: it goes on, or there is none. */
  readonly ended: Run | null;
}

/**
 * Under `cancel-running` the run that has the slot is asked to end once a newer fire waits for it. The newer one takes over
 * for how long the others have waited for pools. Null: none waits. `waiting`: also those that this turn has dropped.
 */
export async function cancelForNewer(
  ports: ReconcilerPorts,
  { job, state, waiting }: { job: ManifestJob; state: JobState; waiting: readonly Run[] },
  now: number,
): Promise<Replaced | null> {
  const newest = newestQueued(waiting);
  if (newest === null) return null;
  const owner = state.slot === undefined ? null : await ports.ledger.run({ jobId: job.id, key: state.slot });
  const older = owner !== null && owner.fireTime < newest.fireTime ? owner : null;
  const newer = await inheriting(ports, newest, [...waiting, ...(older ? [older] : [])]);
  const ended = older !== null && (await cancel(ports, older, { newer, state, now }));
  return { newer, ended: ended ? older : null };
}

function newestQueued(waiting: readonly Run[]): Run | null {
  const fires = waiting.filter((run) => isQueued(run) && run.trigger === 'schedule');
  return fires.reduce<Run | null>((newest, run) => (newest && newest.key > run.key ? newest : run), null);
}

async function inheriting({ ledger }: ReconcilerPorts, heir: Run, gaveWay: readonly Run[]): Promise<Run> {
  const move = inherit(
    heir,
    gaveWay.filter((run) => run.key < heir.key),
  );
  if (move === null) return heir;
  const answer = await ledger.move(heir, move.fence, move.change);
  return answer.kind === 'done' ? { ...heir, ...move.change.set } : heir;
}

/** True: it has ended. */
async function cancel(
  { ledger, drawToken, log }: ReconcilerPorts,
  owner: Run,
  { newer, state, now }: { newer: Run; state: JobState; now: number },
): Promise<boolean> {
  const request = { at: now, by: newer.key, reason: 'superseded' } as const;
  const decided = cancelRun(owner, request, { state, token: drawToken() });
  if (decided.kind === 'refused') return false;
  const { kind, fence, change, effect } = decided;
  const answer = await ledger.move(owner, fence, change, effect ? { effect } : {});
  if (answer.kind !== 'done') return false;
  const what = kind === 'requested' ? 'a run is asked to end' : 'a run that nobody executes is canceled';
  log.warn(what, { run: runId(owner), by: runId(newer) });
  return kind === 'canceled';
}
