import type { KnownJob } from '../../cli/known-jobs.ts';
import { skippedSince } from '../../cli/make-up-skipped.ts';
import { nextFires } from '../../cli/next-fires.ts';
import { pauseJson } from '../../cli/render/pause-json.ts';
import { collected } from '../../cli/runs-around.ts';
import { medianOf, quantile, quantityOf } from '../../domain/contention/unusual.ts';
import type { JobState } from '../../domain/job-state.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { inWords } from '../../domain/schedule-words.ts';
import { day, toIso } from '../../domain/time.ts';
import { Refused } from '../../operator/ports.ts';
import type { JobAnswer, NextFire } from '../data.ts';
import { backfillOf } from './backfill-progress.ts';
import { briefOf, nextFireOf } from './brief.ts';
import { daysOf, shownDays } from './job-days.ts';
import { policiesOf } from './policies.ts';
import { type JobRuns, pastIn } from './runs-in.ts';
import { knownJobOf, manifestOf, type View } from './view.ts';

const mostDurations = 200;
const mostRecent = 30;
/** So many of its newest records are read for that. */
const mostRead = 300;
const shownFires = 10;

/** A job: what it is, when it is due, and how it went. One that was removed has only its past. */
export async function jobAnswer(view: View, id: string): Promise<JobAnswer> {
  const { place, now } = view;
  const { ledger } = place;
  const manifest = await manifestOf(ledger);
  const known = knownJobOf(manifest, id);
  const job = manifest.jobs.find((one) => one.id === id);
  const range = { from: now - (shownDays + 1) * day, until: now + day };
  const newest = { from: 0, to: range.until, order: 'newest-first', limit: mostRead } as const;
  const [state, runs, [past], backfill] = await Promise.all([
    ledger.job(id),
    collected(ledger.history(id, newest)),
    pastIn(ledger, [known], range),
    backfillOf(view, id),
  ]);
  return {
    ...{ id, timezone: known.timezone, isDeployed: job !== undefined },
    description: job?.description ?? 'It was removed; its runs are kept for a while.',
    schedule: job === undefined ? '' : inWords(job.spec),
    next: job === undefined ? [] : nextOf(job, state, now),
    paused: job === undefined ? null : await pauseOf(job, state, view),
    backfill,
    policies: job === undefined ? [] : policiesOf(job),
    days:
      past === undefined
        ? []
        : daysOf([...past.closed, ...past.runs], {
            timezone: known.timezone,
            now,
            countedFrom: countedFrom(past),
          }),
    ...durationsOf(runs, now),
    recent: runs.slice(0, mostRecent).map((run) => briefOf(run, known)),
  };
}

/** Null: all of its runs were read. */
function countedFrom({ unread, leftOut, closed }: JobRuns): number | null {
  const untils = unread.map(({ until }) => until);
  if (leftOut > 0) untils.push(closed[0]?.fireTime ?? 0);
  return untils.length === 0 ? null : Math.max(...untils);
}

function nextOf({ id, spec }: ManifestJob, state: JobState | null, now: number): NextFire[] {
  const job: KnownJob = { id, timezone: spec.timezone };
  return nextFires(spec, now, shownFires).map(({ at }) => nextFireOf(job, at, state));
}

async function pauseOf(
  job: ManifestJob,
  state: JobState | null,
  { place: { ledger }, now }: View,
): Promise<JobAnswer['paused']> {
  if (state?.paused === undefined) return null;
  const { until, ...paused } = pauseJson(state.paused);
  const since = { since: state.paused.at };
  const skipped = await skippedSince({ ledger, clock: () => now }, job, since).catch((error: unknown) => {
    if (error instanceof Refused) return null;
    throw error;
  });
  return { ...paused, until: until ?? null, skipped: skipped?.fires.length ?? null };
}

function durationsOf(
  newestFirst: readonly Run[],
  now: number,
): Pick<JobAnswer, 'durations' | 'medianMs' | 'p95Ms'> {
  const durations = newestFirst
    .filter(({ state }) => state === 'succeeded')
    .slice(0, mostDurations)
    .flatMap((run) => {
      const ms = quantityOf(run, { of: 'duration' }, now);
      return ms === null ? [] : [{ id: runId(run), fireTime: toIso(run.fireTime), ms }];
    });
  const sorted = durations.map(({ ms }) => ms).sort((a, b) => a - b);
  const p95Ms = sorted.length === 0 ? null : quantile(sorted, 0.95);
  return { durations: durations.toReversed(), medianMs: medianOf(sorted), p95Ms };
}
