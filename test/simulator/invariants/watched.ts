import type { JobState } from '../../../functions/domain/job-state.ts';
import type { ManifestJob } from '../../../functions/domain/manifest.ts';
import { fireKey, type RunRef, runId } from '../../../functions/domain/names.ts';
import type { PoolState } from '../../../functions/domain/pools.ts';
import { type Attempt, newRun, type Run } from '../../../functions/domain/run.ts';
import { day, hour, minute } from '../../../functions/domain/time.ts';
import type { SweepCounts } from '../../../functions/reconciler/ports.ts';
import { Tally } from '../../../functions/reconciler/tally.ts';
import { combined } from '../../../functions/simulator/combined.ts';
import type { Body, Invariant, Observer, Swept, WorldView } from '../../../functions/simulator/observe.ts';
import { at, jobState, manifestJob } from '../../support/jobs.ts';

/** The fire that the histories are about: 03:00 of a job that is due each minute. */
export const due = at('03:00');
export const job = manifestJob();
const dayBegins = at('00:00');

type Told = Required<Observer>;

/** An invariant's observer, and what it has told so far: `run: what`. */
export interface Watched extends Told {
  readonly broken: readonly string[];
}

export function watched(invariant: Invariant, world: WorldView = worldOf([job])): Watched {
  const broken: string[] = [];
  const violate = (what: string, ref?: RunRef) => {
    broken.push(ref === undefined ? what : `${runId(ref)}: ${what}`);
  };
  const observer = combined([invariant.watch(violate, world)]);
  return { ...nothing, ...observer, broken };
}

const nothing: Told = {
  wroteRun() {},
  wroteStep() {},
  wroteJob() {},
  wrotePool() {},
  wroteDay() {},
  bodyBegan() {},
  bodyEnded() {},
  atStep() {},
  wroteItem() {},
  finished() {},
  swept() {},
  handled() {},
  acted() {},
  atRest() {},
};

/** A world of one deploy for each list of jobs, three hours apart, the first at the day's beginning. */
export function worldOf(...deploys: readonly (readonly ManifestJob[])[]): WorldView {
  return {
    deploys: deploys.map((jobs, index) => {
      const at = dayBegins + index * 3 * hour - 1;
      return { reconcilerAt: at, functionsAt: at, manifest: { version: 1, jobs } };
    }),
    from: dayBegins,
    calmAt: dayBegins + day,
    isUndisturbed: false,
  };
}

/** A run of the job, at rest unless more is said. */
export function run(more: Partial<Run> = {}): Run {
  const { fireTime = due } = more;
  return newRun({
    jobId: job.id,
    key: fireKey(fireTime),
    fireTime,
    trigger: 'schedule',
    state: 'missed',
    specId: job.specId,
    token: 'created',
    createdAt: fireTime,
    ...more,
  });
}

export function attempt(number: number, more: Partial<Attempt> = {}): Attempt {
  const startedAt = more.startedAt ?? due;
  return {
    number,
    token: `attempt-${number}`,
    requestId: `request-${number}`,
    pid: 1,
    startedAt,
    leaseUntil: startedAt + 7 * minute,
    ...more,
  };
}

/** Running its newest attempt, after those before crashed. */
export function running(number = 1, more: Partial<Run> = {}): Run {
  const crashed = Array.from({ length: number - 1 }, (_, index) =>
    attempt(index + 1, { outcome: 'crashed' }),
  );
  const attempts = [...crashed, attempt(number)];
  return run({ state: 'running', token: `attempt-${number}`, attempts, crashes: number - 1, ...more });
}

export function succeeded(more: Partial<Run> = {}): Run {
  const attempts = [attempt(1, { outcome: 'succeeded', settledAt: due + minute })];
  return run({ state: 'succeeded', token: 'attempt-1', settledAt: due + minute, attempts, ...more });
}

export function state(more: Partial<JobState> = {}): JobState {
  return jobState(job, { specSince: dayBegins, ...more });
}

/** The pool `db`, of which all is free unless more is said. */
export function pool(more: Partial<PoolState> = {}): PoolState {
  const { capacity = 3, holds = {} } = more;
  const held = Object.values(holds).reduce((sum, weight) => sum + weight, 0);
  return { name: 'db', capacity, free: capacity - held, waiting: 0, holds, ...more };
}

/** A world with that pool, of which the job takes two. */
export const poolJob = manifestJob({ pools: { db: 2 } });

export function poolWorld(...jobs: readonly ManifestJob[]): WorldView {
  const { deploys, ...world } = worldOf(jobs.length === 0 ? [poolJob] : jobs);
  const pools = { db: { capacity: 3, describe: 'a database' } };
  return {
    ...world,
    deploys: deploys.map((deploy) => ({ ...deploy, manifest: { ...deploy.manifest, pools } })),
  };
}

let bodies = 0;

export function body(more: Partial<Body> = {}): Body {
  bodies += 1;
  const { fireTime = due } = more;
  return {
    number: bodies,
    jobId: job.id,
    key: fireKey(fireTime),
    fireTime,
    trigger: 'schedule',
    attempt: 1,
    token: `attempt-${more.attempt ?? 1}`,
    restarts: 0,
    tries: more.attempt ?? 1,
    cursor: undefined,
    covers: [],
    job,
    beganAt: fireTime,
    skewMs: 0,
    byOffer: false,
    ...more,
  };
}

/** A sweep of these jobs that told nothing but what is said. */
export function sweep(
  beganAt: number,
  counts: Partial<SweepCounts>,
  jobs: readonly ManifestJob[] = [job],
): Swept {
  return {
    counts: { ...noCounts, ...counts },
    beganAt,
    skewMs: 0,
    manifest: { version: 1, jobs },
  };
}

const noCounts = new Tally().counts({ gap: 0, unaccountedMs: 0, parkedNow: 0, oldestWaitMs: 0 });
