import { oneLessWaits } from '../domain/catch-up.ts';
import { type CompiledSpec, droppedBy, isDoubtful } from '../domain/due.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import type { ReconcilerPorts } from './ports.ts';

/** Open runs looked through for those of an edited job. */
const mostOpen = 10_000;

/**
 * Before an edited schedule takes force: missed fires of the doubtful hour that still wait and that it does not want run
 * are skipped, as those are that have no record yet. Else both versions of one intent would run.
 */
export async function dropDoubtful(
  ports: ReconcilerPorts,
  job: ManifestJob,
  { next, now }: { next: CompiledSpec; now: number },
): Promise<void> {
  const refs = await ports.ledger.open(now, mostOpen);
  const runs = await ports.ledger.runs(refs.filter((ref) => ref.jobId === job.id));
  for (const run of runs) {
    const waits = run.state === 'waiting' && run.reason === 'catch-up';
    const reason = waits && isDoubtful(run.fireTime, now) ? droppedBy(next, run.fireTime) : null;
    if (reason !== null && !(await standsForOthers(ports, run, job))) await drop(ports, run, { reason, now });
  }
}

/** Under `latest` older missed fires, which stay owed, may have been left to this one. */
async function standsForOthers(
  { ledger }: ReconcilerPorts,
  run: Run,
  { missed }: ManifestJob,
): Promise<boolean> {
  if (missed.policy !== 'latest') return false;
  const range = {
    from: run.fireTime - missed.maxAgeMs,
    to: run.fireTime - 1,
    order: 'newest-first',
  } as const;
  for await (const older of ledger.history(run.jobId, range)) if (older.supersededBy === run.key) return true;
  return false;
}

async function drop(
  { ledger, drawToken, log }: ReconcilerPorts,
  run: Run,
  { reason, now }: { reason: 'edited' | 'excluded'; now: number },
): Promise<void> {
  const state = await ledger.job(run.jobId);
  if (state === null) return;
  const answer = await ledger.move(
    run,
    { state: run.state, token: run.token },
    { set: { state: 'skipped', reason, token: drawToken(), settledAt: now }, clear: ['attentionAt'] },
    { effect: { set: { catchUp: oneLessWaits(state.catchUp, run.key, null) } } },
  );
  log.info('a missed fire of the doubtful hour', {
    run: runId(run),
    reason,
    skipped: answer.kind === 'done',
  });
}
