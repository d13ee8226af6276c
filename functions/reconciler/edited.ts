import { dropUnclaimed } from '../domain/attention.ts';
import { type CompiledSpec, dueFires, editDoubtMs, reignsOf } from '../domain/due.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { fireKey, runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import type { Compiled } from './observe.ts';
import type { ReconcilerPorts } from './ports.ts';
import { poolsOf, readableRuns } from './records.ts';
import type { Tally } from './tally.ts';

/**
 * Before an edited schedule takes force: fires of the doubtful hour that nobody has claimed and that it does not want run
 * are skipped, as those are that have no record yet. Else both versions of one intent would run. The records are asked for
 * by name: an index that is behind would hide the newest.
 *
 * @throws when one collided with other writes: the schedule takes force in a later turn
 */
export async function dropDoubtful(
  ports: ReconcilerPorts,
  { id, specId, spec }: ManifestJob,
  { compiled, now, tally }: { compiled: Compiled; now: number; tally: Tally },
): Promise<void> {
  const reigns = reignsOf(await ports.ledger.specs(id), compiled);
  const doubtful = dueFires(id, reigns, { from: now - editDoubtMs, to: now });
  const refs = doubtful.map(({ fire }) => ({ jobId: id, key: fireKey(fire.fireTime) }));
  const next = compiled(specId, spec);
  for (const run of await readableRuns(ports, refs, 'a doubtful fire'))
    await drop(ports, run, { next, now, tally });
}

async function drop(
  ports: ReconcilerPorts,
  run: Run,
  { next, now, tally }: { next: CompiledSpec; now: number; tally: Tally },
): Promise<void> {
  const { ledger, drawToken, log } = ports;
  const [state, pools] = await Promise.all([ledger.job(run.jobId), poolsOf(ports, [run])]);
  const dropped = state && dropUnclaimed(run, { next, state, pools, now, token: drawToken() });
  if (dropped === null || (await standsForOthers(ledger, run))) return;
  const { fence, change, effect } = dropped;
  const answer = await ledger.move(run, fence, change, Object.keys(effect).length > 0 ? { effect } : {});
  if (answer.kind === 'conflict') throw new Error(`dropping ${runId(run)} collided with other writes`);
  if (answer.kind === 'done') tally.add('skipped');
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
