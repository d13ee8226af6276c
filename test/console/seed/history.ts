import type { SpecVersion } from '../../../functions/domain/job-state.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { timetable } from '../../../functions/domain/schedule/index.ts';
import { day, hour } from '../../../functions/domain/time.ts';
import { Random } from '../../../functions/simulator/random.ts';
import { type SeedJob, seedJobs } from './jobs.ts';
import { livesOf, type SeedFire } from './lives.ts';

/** A stage's ledger, as its reconciler and its jobs would have left it. */
export interface History {
  readonly jobs: readonly SeedJob[];
  /** Of each job, oldest first. */
  readonly versions: readonly (readonly SpecVersion[])[];
  /** Oldest first; every fire since the first version has one. */
  readonly runs: readonly Run[];
  readonly from: number;
  readonly now: number;
}

export interface HistorySize {
  readonly jobs: number;
  readonly runs: number;
  readonly seed: number;
  readonly now: number;
}

const atMostDays = 33;

/** So many jobs and just so many runs, over the 30 days before `now` or a little more. The same whenever it is asked for. */
export function seedHistory({ jobs: count, runs, seed, now }: HistorySize): History {
  const edits = [now - 3 * day, now - 16 * day - 5 * hour];
  const jobs = seedJobs(count, { isDense: runs / count > 200, edits });
  const fires = jobs.flatMap((job) => firesOf(job, now)).sort((a, b) => a.at - b.at);
  if (fires.length < runs) throw new Error(`${count} jobs were due ${fires.length} times, not ${runs}.`);
  const kept = fires.slice(-runs);
  const from = (kept[0]?.at ?? now) - 1;
  const lives = livesOf(kept, new Random(seed), now);
  return { jobs, versions: jobs.map((job) => versionsOf(job, from)), runs: lives, from, now };
}

function firesOf(job: SeedJob, now: number): SeedFire[] {
  return versionsOf(job, now - atMostDays * day).flatMap(({ spec, specId, from }, index, versions) => {
    const until = (versions[index + 1]?.from ?? now + 1) - 1;
    const due = spec === null ? [] : timetable(spec).between(from, until);
    return [...due].map((at) => ({ job, specId, at }));
  });
}

function versionsOf({ entry: { id: jobId, spec, specId }, before }: SeedJob, from: number): SpecVersion[] {
  if (before === undefined) return [{ jobId, from, specId, spec }];
  return [
    { jobId, from, specId: before.specId, spec: before.spec },
    { jobId, from: before.until, specId, spec },
  ];
}
