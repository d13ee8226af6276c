import { collected, everyOpenRef } from '../../cli/runs-around.ts';
import type { JobState } from '../../domain/job-state.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { isOpen, type Run, type RunState, waitsSince } from '../../domain/run.ts';
import { timetable } from '../../domain/schedule/index.ts';
import { day, toIso } from '../../domain/time.ts';
import type { NextFire, NowAnswer } from '../data.ts';
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
    inParallel(manifest.jobs, ({ id }) => newestOf(ledger, id, now)),
  ]);
  const known = jobsById(manifest);
  const briefs = (runs: readonly Run[]) =>
    runs.slice(0, mostShown).map((run) => briefOf(run, knownOr(known, run.jobId)));
  const inState = (...of: readonly RunState[]) => open.filter(({ state }) => of.includes(state));
  const waiting = inState('waiting').sort((a, b) => waitsSince(a) - waitsSince(b));
  const parked = inState('parked').sort((a, b) => b.fireTime - a.fireTime);
  const failing = newest.flatMap(failedSince);
  const isAlone = place.isAlone === true;
  return {
    ...{ now: toIso(now), place: place.name, jobs: manifest.jobs.length },
    health: healthOf({ standing, failing, parked, waiting, now, isAlone }),
    running: briefs(inState('running', 'offered', 'retrying').sort((a, b) => a.fireTime - b.fireTime)),
    waiting: briefs(waiting),
    parked: briefs(parked),
    recent: briefs(
      newest
        .flat()
        .filter(({ state }) => !isOpen(state))
        .sort((a, b) => (b.settledAt ?? b.fireTime) - (a.settledAt ?? a.fireTime)),
    ),
    next: nextOf(manifest.jobs, states, now),
  };
}

/** The index of open runs is stale; the records tell. One that can't be read is for `fl doctor` to tell of. */
async function openRuns(ledger: Pick<Ledger, 'open' | 'runs'>): Promise<Run[]> {
  const runs = await ledger.runs(await everyOpenRef(ledger, mostOpen), () => undefined);
  return runs.filter(({ state }) => isOpen(state));
}

function newestOf(ledger: Pick<Ledger, 'history'>, id: string, now: number): Promise<Run[]> {
  const range = { from: now - day, to: now + day, order: 'newest-first', limit: mostOfJob } as const;
  return collected(ledger.history(id, range));
}

/** Of a job's newest runs, the newest that failed, provided that none has succeeded since. */
function failedSince(newestFirst: readonly Run[]): Run[] {
  const decided = newestFirst.find(({ state }) => state === 'succeeded' || state === 'failed');
  return decided?.state === 'failed' ? [decided] : [];
}

/** The soonest first. */
function nextOf(
  jobs: readonly ManifestJob[],
  states: ReadonlyMap<string, JobState>,
  now: number,
): NextFire[] {
  const due = jobs.flatMap(({ id, spec }) => {
    const at = timetable(spec).next(now);
    return at === null ? [] : [{ at, id, timezone: spec.timezone }];
  });
  const soonest = due.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).slice(0, mostShown);
  return soonest.map(({ at, ...job }) => nextFireOf(job, at, states.get(job.id)));
}
