import { leavePools } from '../domain/holds.ts';
import type { JobState } from '../domain/job-state.ts';
import { type RunRef, runId } from '../domain/names.ts';
import type { PoolState } from '../domain/pools.ts';
import type { Run } from '../domain/run.ts';
import type { ReconcilerPorts } from './ports.ts';

/** The records of these runs. One that can't be read is told, left as it is, and stops no other; `what`: `a waiting run`. */
export function readableRuns(
  { ledger, log }: ReconcilerPorts,
  refs: readonly RunRef[],
  what: string,
): Promise<Run[]> {
  return ledger.runs(refs, (ref, error) =>
    log.error(`the record of ${what} can not be read; it is left as it is`, { run: runId(ref), error }),
  );
}

/** Where these runs hold or wait, as they are now; nothing is asked for where they don't. */
export async function poolsOf(
  { ledger }: ReconcilerPorts,
  runs: readonly Run[],
): Promise<Map<string, PoolState>> {
  const names = runs.flatMap((run) => leavePools(run).map(({ pool }) => pool));
  return names.length === 0 ? new Map() : ledger.pools([...new Set(names)]);
}

/** As they are now, after the runs: one of them may have taken its job's slot in the midst of this sweep. */
export async function statesOf(
  { ledger }: ReconcilerPorts,
  runs: readonly Run[],
): Promise<Map<string, JobState>> {
  return runs.length === 0 ? new Map() : ledger.jobs([...new Set(runs.map((run) => run.jobId))]);
}
