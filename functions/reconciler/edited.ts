import { dropUnclaimed } from '../domain/attention.ts';
import type { CompiledSpec } from '../domain/due.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { runId } from '../domain/names.ts';
import { neverNeedsAttention, type Run } from '../domain/run.ts';
import type { ReconcilerPorts } from './ports.ts';

/** Open runs looked through for those of an edited job. */
const mostOpen = 10_000;

/**
 * Before an edited schedule takes force: fires of the doubtful hour that nobody has claimed and that it does not want run
 * are skipped, as those are that have no record yet. Else both versions of one intent would run.
 */
export async function dropDoubtful(
  ports: ReconcilerPorts,
  job: ManifestJob,
  { next, now }: { next: CompiledSpec; now: number },
): Promise<void> {
  const refs = await ports.ledger.open(neverNeedsAttention, mostOpen);
  for (const run of await ports.ledger.runs(refs.filter((ref) => ref.jobId === job.id)))
    await drop(ports, run, { next, now });
}

async function drop(
  { ledger, drawToken, log }: ReconcilerPorts,
  run: Run,
  { next, now }: { next: CompiledSpec; now: number },
): Promise<void> {
  const state = await ledger.job(run.jobId);
  const dropped = state && dropUnclaimed(run, { next, state, now, token: drawToken() });
  if (dropped === null || (await standsForOthers(ledger, run))) return;
  const { fence, change, effect } = dropped;
  const answer = await ledger.move(run, fence, change, Object.keys(effect).length > 0 ? { effect } : {});
  log.info('a fire of the doubtful hour that nobody had claimed', {
    run: runId(run),
    reason: change.set.reason,
    skipped: answer.kind === 'done',
  });
}

/** Older missed fires, which stay owed, may have been left to this one. */
async function standsForOthers(ledger: ReconcilerPorts['ledger'], run: Run): Promise<boolean> {
  if (run.coversFrom === undefined) return false;
  const range = { from: run.coversFrom, to: run.fireTime - 1, order: 'newest-first' } as const;
  for await (const older of ledger.history(run.jobId, range)) if (older.supersededBy === run.key) return true;
  return false;
}
