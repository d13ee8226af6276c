import { pauseJson } from '../../cli/render/pause-json.ts';
import { collected } from '../../cli/runs-around.ts';
import type { JobState } from '../../domain/job-state.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { neverNeedsAttention, type Run } from '../../domain/run.ts';
import { timetable } from '../../domain/schedule/index.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { day, toIso } from '../../domain/time.ts';
import type { JobLine, JobsAnswer } from '../data.ts';
import { briefOf, nextFireOf } from './brief.ts';
import { inParallel } from './in-parallel.ts';
import { jobsById, knownOr, manifestOf, type View } from './view.ts';

/** So many of each job's newest runs are shown, none older than so many days. */
const shownRuns = 12;
const shownDays = 40;
const mostParked = 1_000;

/** Every job: when it is due, how it went lately, and what holds it up. */
export async function jobsAnswer({ place, now }: View): Promise<JobsAnswer> {
  const { ledger } = place;
  const manifest = await manifestOf(ledger);
  const range = { from: now - shownDays * day, to: now + day, order: 'newest-first' } as const;
  const [states, parked, newest] = await Promise.all([
    ledger.jobs(manifest.jobs.map(({ id }) => id)),
    parkedCounts(ledger),
    inParallel(manifest.jobs, ({ id }) => collected(ledger.history(id, { ...range, limit: shownRuns }))),
  ]);
  const known = jobsById(manifest);
  const lines = manifest.jobs.map((job, index) => {
    const strip = (newest[index] ?? []).toReversed().map((run) => briefOf(run, knownOr(known, job.id)));
    return { ...lineOf(job, states.get(job.id), now), parked: parked.get(job.id) ?? 0, strip };
  });
  return {
    now: toIso(now),
    jobs: lines.sort((a, b) => (a.id < b.id ? -1 : 1)),
    removed: (manifest.removed ?? []).map(({ id }) => id).sort(),
  };
}

function lineOf(
  { id, description, spec }: ManifestJob,
  state: JobState | undefined,
  now: number,
): Omit<JobLine, 'parked' | 'strip'> {
  const { timezone } = spec;
  const next = timetable(spec).next(now);
  return {
    ...{ id, description, schedule: inWords(spec), timezone },
    next: next === null ? null : nextFireOf({ id, timezone }, next, state),
    paused: pauseOf(state),
    failuresInARow: state?.failuresInARow ?? 0,
  };
}

function pauseOf(state: JobState | undefined): JobLine['paused'] {
  if (state?.paused === undefined) return null;
  const { by, note, until } = pauseJson(state.paused);
  return { by, note, until: until ?? null };
}

/** By job. The index is stale; the records tell. */
async function parkedCounts(ledger: Pick<Ledger, 'open' | 'runs'>): Promise<Map<string, number>> {
  const refs = await ledger.open(neverNeedsAttention, mostParked, neverNeedsAttention);
  const runs = await ledger.runs(refs, () => undefined);
  const counts = new Map<string, number>();
  for (const { jobId } of runs.filter(isParked)) counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
  return counts;
}

function isParked({ state }: Run): boolean {
  return state === 'parked';
}
