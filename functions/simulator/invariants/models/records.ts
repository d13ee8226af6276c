import { type Run, terminalStates } from '../../../domain/run.ts';
import type { MemoryLedger } from '../../../store/memory.ts';

/** Everything that there is of a job, oldest first. */
export async function recordsOf(ledger: MemoryLedger, jobId: string): Promise<Run[]> {
  const runs: Run[] = [];
  const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  for await (const run of ledger.history(jobId, all)) runs.push(run);
  return runs;
}

export function isTerminal({ state }: Pick<Run, 'state'>): boolean {
  return terminalStates.some((terminal) => terminal === state);
}

/** `skipped: paused`. */
export function stateText({ state, reason }: Pick<Run, 'state' | 'reason'>): string {
  return reason === undefined ? state : `${state}: ${reason}`;
}
