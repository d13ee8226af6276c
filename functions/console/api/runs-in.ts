import { collected } from '../../cli/runs-around.ts';
import type { Span } from '../../domain/contention/span.ts';
import type { Ledger } from '../../domain/ledger.ts';
import { runId } from '../../domain/names.ts';
import { type Run, waitingBand } from '../../domain/run.ts';
import { hour, minute } from '../../domain/time.ts';
import { inParallel } from './in-parallel.ts';

/** How long before a range a run that went on in it may have been due; open ones are found whenever they were. */
const lookBackMs = 2 * hour;
const mostOpen = 1_000;
/** So many records are read for one answer, as many of each job; of one no more than can be shown. */
const mostRead = 100_000;
const mostOfJob = 20_000;
const leastOfJob = 100;

/** A job's runs about a range. */
export interface JobRuns {
  readonly id: string;
  readonly runs: readonly Run[];
  /** Older ones than this were left out, since there are too many; null: all were read. */
  readonly readFrom: number | null;
}

/** The runs of jobs that may have gone on within a range; of each job the newest, when there are too many. */
export async function runsIn(
  ledger: Pick<Ledger, 'history' | 'open' | 'runs'>,
  jobs: readonly { readonly id: string }[],
  { from, until }: Span,
): Promise<JobRuns[]> {
  const each = Math.floor(mostRead / Math.max(1, jobs.length));
  const limit = Math.min(mostOfJob, Math.max(leastOfJob, each));
  const range = { from: from - lookBackMs, to: until + minute, order: 'newest-first', limit } as const;
  const [open, histories] = await Promise.all([
    openByJob(ledger),
    inParallel(jobs, ({ id }) => collected(ledger.history(id, range))),
  ]);
  return jobs.map(({ id }, index) => {
    const found = histories[index] ?? [];
    const all = new Map([...(open.get(id) ?? []), ...found].map((run) => [runId(run), run]));
    const oldest = found.at(-1);
    const isCut = found.length === limit && oldest !== undefined && oldest.fireTime > from;
    return { id, runs: [...all.values()], readFrom: isCut ? oldest.fireTime : null };
  });
}

/** Without those that only a person can move. */
async function openByJob(ledger: Pick<Ledger, 'open' | 'runs'>): Promise<Map<string, Run[]>> {
  const refs = await ledger.open(waitingBand.until, mostOpen);
  const runs = await ledger.runs(refs, () => undefined);
  const byJob = new Map<string, Run[]>();
  for (const run of runs) byJob.set(run.jobId, [...(byJob.get(run.jobId) ?? []), run]);
  return byJob;
}
