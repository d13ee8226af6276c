import { askedRuns } from '../../cli/asked-runs.ts';
import { collected } from '../../cli/runs-around.ts';
import type { ClosedRun } from '../../domain/closed-days/index.ts';
import type { Span } from '../../domain/contention/span.ts';
import type { Ledger } from '../../domain/ledger.ts';
import { runId } from '../../domain/names.ts';
import { isOpen, type Run, waitingBand } from '../../domain/run.ts';
import { hour, minute } from '../../domain/time.ts';
import { pastParts } from '../../store/past-parts.ts';
import { inParallel } from './in-parallel.ts';

/** How long before a range a run that went on in it may have been due; open ones, and those that persons asked for, are found whenever they were. */
const lookBackMs = 2 * hour;
const mostOpen = 1_000;
const mostOfBackfill = 2_000;
/** So many runs are read for one answer, as many of each job; of one no more than can be shown. */
const mostRead = 100_000;
const mostOfJob = 20_000;
const leastOfJob = 100;
/** Of closed days more, which are small. */
const mostClosed = 300_000;

/** A job's runs about a range. */
export interface JobRuns {
  readonly id: string;
  readonly runs: readonly Run[];
  /** Those of days that are closed, where these were asked for: oldest first. */
  readonly closed: readonly ClosedRun[];
  /** Stretches whose runs were left out, since there are too many; of those of closed days, how many there were. */
  readonly unread: readonly Span[];
  readonly leftOut: number;
}

type Read = Pick<Ledger, 'history' | 'open' | 'runs' | 'actions'>;
type Asked = readonly { readonly id: string }[];

/** The records of runs of jobs that may have gone on within a range; of each job the newest, when there are too many. */
export async function runsIn(ledger: Read, jobs: Asked, range: Span): Promise<JobRuns[]> {
  const limit = limitFor(jobs);
  return found(ledger, jobs, range, (id) =>
    recordsOf(ledger, id, { ...about(range), limit, oldest: range.from }),
  );
}

/** The same, but for days that are closed what these say. */
export async function pastIn(
  ledger: Read & Pick<Ledger, 'closedDays'>,
  jobs: Asked,
  range: Span,
): Promise<JobRuns[]> {
  const limit = limitFor(jobs);
  const mostOfClosed = Math.max(leastOfJob, Math.floor(mostClosed / Math.max(1, jobs.length)));
  return found(ledger, jobs, range, async (id) => {
    const parts: Past[] = [];
    let closed: ClosedRun[] = [];
    let leftOut = 0;
    for await (const part of pastParts(ledger, id, about(range))) {
      if (part.closed === null)
        parts.push(await recordsOf(ledger, id, { ...part, limit, oldest: range.from }));
      else closed.push(...part.closed.runs);
      leftOut += Math.max(0, closed.length - mostOfClosed);
      if (closed.length > mostOfClosed) closed = closed.slice(-mostOfClosed);
    }
    return {
      runs: parts.flatMap(({ runs }) => runs),
      closed,
      unread: parts.flatMap(({ unread }) => unread),
      leftOut,
    };
  });
}

type Past = Omit<JobRuns, 'id'>;

function about({ from, until }: Span): { readonly from: number; readonly to: number } {
  return { from: from - lookBackMs, to: until + minute };
}

function limitFor(jobs: Asked): number {
  const each = Math.floor(mostRead / Math.max(1, jobs.length));
  return Math.min(mostOfJob, Math.max(leastOfJob, each));
}

async function recordsOf(
  ledger: Read,
  id: string,
  { from, to, limit, oldest }: { from: number; to: number; limit: number; oldest: number },
): Promise<Past> {
  const runs = await collected(ledger.history(id, { from, to, order: 'newest-first', limit }));
  const last = runs.at(-1);
  const isCut = runs.length === limit && last !== undefined && last.fireTime > Math.max(from, oldest);
  const unread = isCut ? [{ from: Math.max(from, oldest), until: last.fireTime }] : [];
  return { runs, closed: [], unread, leftOut: 0 };
}

/** What is open besides is told by the index, and what persons asked for by the log. */
async function found(
  ledger: Read,
  jobs: Asked,
  range: Span,
  read: (id: string) => Promise<Past>,
): Promise<JobRuns[]> {
  const [others, pasts] = await Promise.all([
    othersByJob(ledger, range),
    inParallel(jobs, async ({ id }) => ({ id, ...(await read(id)) })),
  ]);
  return pasts.map((past) => {
    const all = new Map([...(others.get(past.id) ?? []), ...past.runs].map((run) => [runId(run), run]));
    return { ...past, runs: [...all.values()] };
  });
}

async function othersByJob(ledger: Read, range: Span): Promise<Map<string, Run[]>> {
  const dueBefore = about(range).from;
  const [open, asked] = await Promise.all([
    openRuns(ledger),
    askedRuns(ledger, { ...range, dueBefore, mostOfBackfill }),
  ]);
  const byJob = new Map<string, Run[]>();
  for (const run of [...open, ...asked]) byJob.set(run.jobId, [...(byJob.get(run.jobId) ?? []), run]);
  return byJob;
}

/** Without those that only a person can move. The index may be behind: one that is over is found where it was due. */
async function openRuns(ledger: Pick<Ledger, 'open' | 'runs'>): Promise<Run[]> {
  const runs = await ledger.runs(await ledger.open(waitingBand.until, mostOpen), () => undefined);
  return runs.filter(({ state }) => isOpen(state));
}
