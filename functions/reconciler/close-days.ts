import {
  type ClosedDay,
  type DayFence,
  type DayRef,
  judgeDay,
  lastOf,
  mayHaveDays,
  nextDayOf,
  openDaysOf,
} from '../domain/closed-days/index.ts';
import type { JobState, SpecVersion } from '../domain/job-state.ts';
import { Unwritable } from '../domain/ledger.ts';
import type { Run } from '../domain/run.ts';
import { day, hour, minute, toIso } from '../domain/time.ts';
import { settledOf, type Watermark } from '../domain/watermark.ts';
import type { ReconcilerPorts } from './ports.ts';

/** Each job is looked at once in so many minutes, in a minute of its own: they share the hours evenly. */
const everyMinutes = 60;
/** So many days of a job are looked at then, of those that are open and of those that are next each. */
const mostOfJob = 4;
/** And so many of all jobs after a turn: the others an hour later. */
const mostInAll = 64;

/** What a turn found of which days may be due. */
export interface Closing {
  /** Of every job that is in force. */
  readonly states: readonly JobState[];
  readonly mark: Watermark;
  /** The turn before, and this one. */
  readonly since: number;
  readonly now: number;
}

/**
 * Closes days of the jobs whose minute has come. Under no lease: each write requires what it was decided by. A job whose day
 * can't be closed is told, and stops no other. `mayGoOn`: there is time for another day.
 */
export async function closeDays(
  ports: ReconcilerPorts,
  closing: Closing,
  mayGoOn: () => boolean = () => true,
): Promise<void> {
  let left = mostInAll;
  const takesOne = () => {
    left -= 1;
    return left >= 0 && mayGoOn();
  };
  const jobs = [...itsMinute(closing), ...(await removedJobs(ports, closing))];
  for (const state of inTurn(jobs, closing.now)) {
    const settled = settledOf(state.jobId, closing.mark);
    if (left <= 0 || !mayHaveDays({ state, settled })) continue;
    try {
      await closeDaysOf(ports, { state, settled, now: closing.now, takesOne });
    } catch (error) {
      ports.log.error('a day of a job could not be closed', { jobId: state.jobId, error });
    }
  }
}

/** Others come first each hour, so that none hides another however long it takes. */
function inTurn<T>(all: readonly T[], now: number): T[] {
  const first = (Math.floor(now / hour) * mostOfJob) % Math.max(1, all.length);
  return [...all.slice(first), ...all.slice(0, first)];
}

function itsMinute({ states, ...turns }: Closing): JobState[] {
  return states.filter((_, place) => hasCome(place, turns));
}

/** Whether the minute of a place has passed since the turn before, were it even long ago. */
function hasCome(place: number, { since, now }: Pick<Closing, 'since' | 'now'>): boolean {
  const rounds = (instant: number) => Math.floor((Math.floor(instant / minute) + place) / everyMinutes);
  return rounds(since) < rounds(now);
}

/** They have days of before to be closed; all of them have one minute of the hour. */
async function removedJobs({ ledger, log }: ReconcilerPorts, turns: Closing): Promise<JobState[]> {
  if (!hasCome(0, turns)) return [];
  try {
    const { removed = [] } = (await ledger.manifest()) ?? {};
    return removed.length === 0 ? [] : [...(await ledger.jobs(removed.map(({ id }) => id))).values()];
  } catch (error) {
    log.error('the removed jobs could not be read; their days are closed later', { error });
    return [];
  }
}

async function closeDaysOf(
  ports: ReconcilerPorts,
  {
    state,
    settled,
    now,
    takesOne,
  }: { state: JobState; settled: number; now: number; takesOne: () => boolean },
): Promise<void> {
  const { jobId } = state;
  const versions = await ports.ledger.specs(jobId);
  const since = versions[0]?.from ?? settled;
  for (const open of inTurn(openDaysOf({ state, settled }), now).slice(0, mostOfJob)) {
    if (!takesOne()) return;
    await closeDay(ports, { jobId, day: open }, { versions });
  }
  let { closedUntil } = state;
  for (let count = 0; count < mostOfJob; count += 1) {
    const next = nextDayOf(
      { state: { ...state, ...(closedUntil !== undefined && { closedUntil }) }, settled },
      since,
    );
    if (next === null || !takesOne()) return;
    const progress = { before: closedUntil ?? null, after: next + day };
    if (!(await closeDay(ports, { jobId, day: next }, { versions, progress }))) return;
    closedUntil = progress.after;
  }
}

/** False: it was begun again meanwhile, or another reconciler was first. */
async function closeDay(
  ports: ReconcilerPorts,
  ref: DayRef,
  { versions, progress }: { versions: readonly SpecVersion[]; progress?: NonNullable<DayFence['progress']> },
): Promise<boolean> {
  const { ledger, log } = ports;
  // Before its runs: whoever begins one of them anew after that refuses what is decided by them.
  const record = await ledger.dayRecord(ref);
  const runs: Run[] = [];
  for await (const run of ledger.history(ref.jobId, { from: ref.day, to: lastOf(ref.day) })) runs.push(run);
  const verdict = judgeDay(ref, { versions, runs, before: record?.closed ?? null });
  const fence = { replaces: record?.reopened ?? null, ...(progress && { progress }) };
  const isListed = progress === undefined;
  if (verdict.kind === 'unfinished')
    return isListed || (await ledger.leaveDay(ref, fence, 'among-open')) === 'done';
  const answer = verdict.kind === 'closed' ? await put(ports, verdict.closed, fence) : 'left';
  if (answer !== 'left') return answer === 'done';
  log.warn('a day of a job is left unclosed: records of it are gone, or it has too many', {
    jobId: ref.jobId,
    day: toIso(ref.day).slice(0, 10),
  });
  return (await ledger.leaveDay(ref, fence, 'unlisted')) === 'done';
}

/** Left: it is too large. */
async function put(
  { ledger, log }: ReconcilerPorts,
  closed: ClosedDay,
  fence: DayFence,
): Promise<'done' | 'refused' | 'left'> {
  try {
    return await ledger.closeDay(closed, fence);
  } catch (error) {
    if (!(error instanceof Unwritable)) throw error;
    log.warn('a day can not be kept', { jobId: closed.jobId, error });
    return 'left';
  }
}
