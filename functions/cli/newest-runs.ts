import type { Ledger } from '../domain/ledger.ts';
import type { Run, RunState } from '../domain/run.ts';
import { day } from '../domain/time.ts';
import { askedRuns, stirredAt } from './asked-runs.ts';

const mostOfBackfill = 100;

/** The runs that persons asked for lately, whenever they were due. */
export function askedLately(
  ledger: Pick<Ledger, 'actions' | 'history' | 'runs'>,
  now: number,
): Promise<Run[]> {
  return askedRuns(ledger, { from: now, until: now, mostOfBackfill });
}

/**
 * A job's newest run, those of manual runs a little ahead included, or one of `asked` if something became of it later; null
 * when it has none.
 */
export async function newestRun(
  ledger: Pick<Ledger, 'history'>,
  jobId: string,
  { now, asked }: { readonly now: number; readonly asked: readonly Run[] },
): Promise<Run | null> {
  const range = { from: 0, to: now + day, order: 'newest-first', limit: 1 } as const;
  const runs = asked.filter((run) => run.jobId === jobId);
  for await (const run of ledger.history(jobId, range)) runs.push(run);
  return runs.sort((a, b) => stirredAt(b) - stirredAt(a) || b.fireTime - a.fireTime)[0] ?? null;
}

export interface RunsWanted {
  /** Both inclusive, epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly state?: RunState;
  readonly limit: number;
}

/** The newest runs of several jobs, merged by fire time; of each job only as many pages are read as that takes. */
export async function newestRuns(
  ledger: Pick<Ledger, 'history'>,
  jobs: readonly { readonly id: string }[],
  wanted: RunsWanted,
): Promise<Run[]> {
  const histories = jobs.map((job) => fitting(ledger, job.id, wanted));
  const heads = await Promise.all(histories.map((history) => history.next()));
  const found: Run[] = [];
  while (found.length < wanted.limit) {
    const newest = newestHead(heads);
    const head = heads[newest];
    const history = histories[newest];
    if (head === undefined || head.done || history === undefined) break;
    found.push(head.value);
    heads[newest] = await history.next();
  }
  return found;
}

async function* fitting(
  ledger: Pick<Ledger, 'history'>,
  jobId: string,
  { from, to, state, limit }: RunsWanted,
): AsyncGenerator<Run, undefined> {
  // Only without a filter is it known how many records give that many runs.
  const most = state === undefined ? { limit } : {};
  for await (const run of ledger.history(jobId, { from, to, order: 'newest-first', ...most }))
    if (state === undefined || run.state === state) yield run;
}

/** The index of the head with the newest run; -1 when all are at their end. */
function newestHead(heads: readonly IteratorResult<Run, undefined>[]): number {
  let newest = -1;
  let fireTime = Number.NEGATIVE_INFINITY;
  for (const [index, head] of heads.entries())
    if (!head.done && head.value.fireTime > fireTime) {
      newest = index;
      fireTime = head.value.fireTime;
    }
  return newest;
}
