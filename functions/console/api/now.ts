import { askedRuns, stirredAt } from '../../cli/asked-runs.ts';
import { collected, everyOpenRef } from '../../cli/runs-around.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { isOpen, type Run, type RunState, waitsSince } from '../../domain/run.ts';
import { timetable } from '../../domain/schedule/index.ts';
import { day, toIso } from '../../domain/time.ts';
import type { NowAnswer, Wrong } from '../data.ts';
import { briefOf, nextFireOf } from './brief.ts';
import { healthOf } from './health.ts';
import { inParallel } from './in-parallel.ts';
import { jobsById, knownOr, manifestOf, type View } from './view.ts';

const mostOpen = 1_000;
/** Of each job so many newest runs are looked at: whether it fails, and for the list of what was. */
const mostOfJob = 20;
const mostShown = 50;

/** How things stand: what is wrong, what runs, what was, and what is next. */
export async function nowAnswer({ place, now }: View): Promise<NowAnswer> {
  const { ledger } = place;
  const manifest = await manifestOf(ledger);
  const [standing, states, open, newest] = await Promise.all([
    place.reconciler(),
    ledger.jobs(manifest.jobs.map(({ id }) => id)),
    openRuns(ledger),
    newestOf(ledger, manifest.jobs, now),
  ]);
  const known = jobsById(manifest);
  const briefs = (runs: readonly Run[]) =>
    runs.slice(0, mostShown).map((run) => briefOf(run, knownOr(known, run.jobId)));
  const inState = (...of: readonly RunState[]) => open.filter(({ state }) => of.includes(state));
  const waiting = inState('waiting').sort((a, b) => waitsSince(a) - waitsSince(b));
  const parked = inState('parked').sort((a, b) => b.fireTime - a.fireTime);
  const failing = newest.flatMap(failedSince);
  const wrong = newest.flatMap(wrongOf).sort(goesOnFirst);
  const running = inState('running', 'offered', 'retrying').sort((a, b) => a.fireTime - b.fireTime);
  const due = dueOf(manifest.jobs, now);
  const isAlone = place.isAlone === true;
  return {
    ...{ now: toIso(now), place: place.name, jobs: manifest.jobs.length },
    health: healthOf({ standing, failing, parked, waiting, now, isAlone }),
    running: briefs(running),
    waiting: briefs(waiting),
    parked: briefs(parked),
    wrong: wrong
      .slice(0, mostShown)
      .map(({ run, ...one }) => ({ run: briefOf(run, knownOr(known, run.jobId)), ...one })),
    recent: briefs(
      newest
        .flat()
        .filter(({ state }) => !isOpen(state))
        .sort((a, b) => stirredAt(b) - stirredAt(a)),
    ),
    next: due.slice(0, mostShown).map(({ at, ...job }) => nextFireOf(job, at, states.get(job.id))),
    counts: {
      ...{ running: running.length, waiting: waiting.length, parked: parked.length },
      ...{ wrong: wrong.length, next: due.length },
    },
  };
}

/** The index of open runs is stale; the records tell. One that can't be read is for `fl doctor` to tell of. */
async function openRuns(ledger: Pick<Ledger, 'open' | 'runs'>): Promise<Run[]> {
  const runs = await ledger.runs(await everyOpenRef(ledger, mostOpen), () => undefined);
  return runs.filter(({ state }) => isOpen(state));
}

/** Of each job, those with which something happened last first. */
async function newestOf(
  ledger: Pick<Ledger, 'history' | 'actions' | 'runs'>,
  jobs: readonly { readonly id: string }[],
  now: number,
): Promise<Run[][]> {
  const range = { from: now - day, to: now + day, order: 'newest-first', limit: mostOfJob } as const;
  const [asked, histories] = await Promise.all([
    askedRuns(ledger, { from: now, until: now, mostOfBackfill: mostOfJob }),
    inParallel(jobs, async ({ id }) => ({ id, runs: await collected(ledger.history(id, range)) })),
  ]);
  return histories.map(({ id, runs }) => {
    const own = asked.filter(({ jobId }) => jobId === id);
    const all = new Map([...own, ...runs].map((run) => [run.key, run]));
    return [...all.values()].sort((a, b) => stirredAt(b) - stirredAt(a));
  });
}

/** Of a job's newest runs, the newest that failed, provided that none has succeeded since. */
function failedSince(newestFirst: readonly Run[]): Run[] {
  const decided = newestFirst.find(({ state }) => state === 'succeeded' || state === 'failed');
  return decided?.state === 'failed' ? [decided] : [];
}

type WrongRun = Omit<Wrong, 'run'> & { readonly run: Run };

/** Of a job's newest runs, those that did not do what they were due for. */
function wrongOf(newestFirst: readonly Run[]): WrongRun[] {
  const wrong = newestFirst.filter(wentWrong);
  const [run] = wrong;
  if (run === undefined) return [];
  const isOver = newestFirst.some((one) => one.state === 'succeeded' && isAfter(one, run));
  return [{ run, count: wrong.length, isMore: newestFirst.length >= mostOfJob, isOver }];
}

/** Of what never started it tells when it was due, not when that was recorded. */
function isAfter(one: Run, other: Run): boolean {
  return other.attempts.length === 0 ? one.fireTime > other.fireTime : stirredAt(one) > stirredAt(other);
}

function wentWrong({ state, reason }: Run): boolean {
  return state === 'failed' || state === 'missed' || reason === 'waited-too-long';
}

function goesOnFirst(a: WrongRun, b: WrongRun): number {
  return Number(a.isOver) - Number(b.isOver) || stirredAt(b.run) - stirredAt(a.run);
}

/** When each job is due next, the soonest first. */
function dueOf(jobs: readonly ManifestJob[], now: number) {
  const due = jobs.flatMap(({ id, spec }) => {
    const at = timetable(spec).next(now);
    return at === null ? [] : [{ at, id, timezone: spec.timezone }];
  });
  return due.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}
