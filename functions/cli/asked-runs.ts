import type { Action } from '../domain/action.ts';
import type { Ledger } from '../domain/ledger.ts';
import { type RunRef, runId } from '../domain/names.ts';
import { isOpen, type Run } from '../domain/run.ts';
import { day, fromIso } from '../domain/time.ts';

/** How long before a range a person may have asked for a run that went on in it; open ones are found whatever they are. */
const lookBackMs = day;
/** So many lines of the log are read. */
const mostActions = 500;

/** Epoch milliseconds; `from` and `until` inclusive. */
interface Asked {
  readonly from: number;
  readonly until: number;
  /** Those due later are found by their time, and left out here. Absent: none is. */
  readonly dueBefore?: number;
  /** Of each backfill no more runs are read, the newest first. */
  readonly mostOfBackfill: number;
}

type Read = Pick<Ledger, 'actions' | 'history' | 'runs'>;

/**
 * The runs that persons asked for about a range, whenever they were due: a fire of last month that is made up today is not
 * found by its time.
 */
export async function askedRuns(ledger: Read, asked: Asked): Promise<Run[]> {
  const { from, until, dueBefore = Number.POSITIVE_INFINITY } = asked;
  const refs: RunRef[] = [];
  const backfilled: Promise<Run[]>[] = [];
  for await (const action of ledger.actions({ from: from - lookBackMs, to: until, limit: mostActions })) {
    if (action.verb === 'backfill') backfilled.push(backfilledRuns(ledger, action, asked));
    else if (action.jobId !== undefined && action.run !== undefined)
      refs.push({ jobId: action.jobId, key: action.run });
  }
  const named = await ledger.runs(unique(refs), () => undefined);
  const found = [...named, ...(await Promise.all(backfilled)).flat()];
  return unique(found).filter(({ fireTime }) => fireTime < dueBefore);
}

/** Those that a backfill has had made up, and that nobody has asked for since. */
async function backfilledRuns(
  ledger: Pick<Ledger, 'history'>,
  { at, by, jobId, details = {} }: Action,
  { dueBefore = Number.POSITIVE_INFINITY, mostOfBackfill }: Asked,
): Promise<Run[]> {
  const from = fromIso(String(details.from));
  const to = fromIso(String(details.to));
  if (jobId === undefined || from === null || to === null || from >= dueBefore) return [];
  const runs: Run[] = [];
  const range = { from, to, order: 'newest-first', limit: mostOfBackfill } as const;
  for await (const run of ledger.history(jobId, range))
    if (run.requested?.at === at && run.requested.by === by) runs.push(run);
  return runs;
}

/** When something became of a run last: a fire of last month that was made up today is of today. */
export function stirredAt(run: Run): number {
  if (isOpen(run.state)) return run.requested?.at ?? run.fireTime;
  return run.settledAt ?? run.fireTime;
}

function unique<Ref extends RunRef>(refs: readonly Ref[]): Ref[] {
  return [...new Map(refs.map((ref) => [runId(ref), ref])).values()];
}
