import type { ManifestJob } from '../../../functions/domain/manifest.ts';
import type { Weights } from '../../../functions/domain/pools.ts';
import { minute, second } from '../../../functions/domain/time.ts';
import type { Random } from '../../../functions/simulator/random.ts';
import { at, manifestJob } from '../../support/jobs.ts';

/** A fire and what becomes of its run once it may start. No two fires are due at one instant. */
export interface PlannedRun {
  readonly jobId: string;
  /** Epoch milliseconds: it is due, and delivered or, a missed one, recorded. */
  readonly at: number;
  /** It was missed, and is made up. */
  readonly isMissed: boolean;
  readonly durationMs: number;
  /** Its first attempt dies, and its lease has to end. */
  readonly crashes: boolean;
  /** Its first offer reaches nobody, and has to expire. */
  readonly isOfferLost: boolean;
  /** Its finish tells nobody, so that those who wait are found by the next sweep. */
  readonly isNudgeLost: boolean;
  /** Somebody cancels it then, if it is not over. */
  readonly cancelAt?: number;
}

/** From then on pools have these capacities, and jobs these needs: never more than there is. */
export interface Deploy {
  readonly at: number;
  readonly capacities: Weights;
  readonly jobs: readonly PooledJob[];
}

export type PooledJob = ManifestJob & { readonly pools: Weights };

/** Jobs and fires of one world. The first deploy is its beginning. */
export interface Plan {
  readonly deploys: readonly [Deploy, ...Deploy[]];
  readonly runs: readonly PlannedRun[];
  /** The time that the reconciler takes for one write. */
  readonly writeMs: number;
}

export const beginning = at('00:00');
export const names = ['reports-db', 'payments-db', 'mail', 'search'] as const;

const anyJob = manifestJob({ overlap: 'allow', graceMs: minute });

/** Either a few jobs of all kinds, or a heavy run in a flood of light ones that would starve it. */
export function drawPlan(random: Random): Plan {
  return random.chance(0.03) ? drawFlood(random) : drawMixture(random);
}

function drawMixture(random: Random): Plan {
  const capacities = drawCapacities(random, names.slice(0, random.whole(1, names.length)));
  const jobs = times(random.whole(1, 5), (n) => drawJob(random, `job-${n}`, capacities));
  const first = { at: beginning, capacities, jobs };
  const others = times(random.whole(0, 2), () => random.whole(1, 12) * minute + beginning);
  const runs = times(random.whole(3, 9), () =>
    drawRun(random, random.pick(jobs), random.whole(0, 8 * 60) * second),
  );
  const deploys = others.sort((a, b) => a - b).map((instant) => drawDeploy(random, first, instant));
  return { deploys: [first, ...deploys], runs: oneByOne(runs), writeMs: random.whole(0, 300) };
}

function drawFlood(random: Random): Plan {
  const pool = names[0];
  const capacities = { [pool]: random.whole(2, 3), [names[1]]: 1 };
  const heavyNeeds = { [pool]: capacities[pool] ?? 0, ...(random.chance(0.5) && { [names[1]]: 1 }) };
  const job = (id: string, pools: Weights, priority: number) => ({ ...anyJob, id, pools, priority });
  const heavy = job('heavy', heavyNeeds, -random.whole(0, 1));
  const light = job('light', { [pool]: 1 }, random.whole(0, 2));
  const everyMs = (random.whole(70, 110) / 100) * (minute / (capacities[pool] ?? 1));
  const flood = times(Math.ceil((14 * minute) / everyMs), (n) => ({
    ...drawRun(random, light, n * everyMs),
    ...calm,
    durationMs: minute,
  }));
  const few = times(random.whole(1, 2), () => ({
    ...drawRun(random, heavy, random.whole(30, 90) * second),
    ...calm,
  }));
  return {
    deploys: [{ at: beginning, capacities, jobs: [heavy, light] }],
    runs: oneByOne([...few, ...flood]),
    writeMs: random.whole(0, 100),
  };
}

/** Nothing that lets a run hold its pools for long. */
const calm = { crashes: false, isOfferLost: false } as const;

function drawCapacities(random: Random, pools: readonly string[]): Weights {
  return Object.fromEntries(pools.map((pool) => [pool, random.whole(1, 8)]));
}

function drawJob(random: Random, id: string, capacities: Weights): PooledJob {
  const crashed = random.pick(['rerun', 'park'] as const);
  return { ...anyJob, id, pools: drawNeeds(random, capacities), crashed, priority: random.whole(-1, 1) };
}

function drawNeeds(random: Random, capacities: Weights): Weights {
  const all = Object.entries(capacities);
  const first = random.pick(all);
  const needed = all.filter((one) => one === first || random.chance(0.3));
  return Object.fromEntries(needed.map(([pool, capacity]) => [pool, random.whole(1, capacity)]));
}

function drawRun(random: Random, job: PooledJob, offset: number): PlannedRun {
  const due = beginning + Math.round(offset / second) * second;
  return {
    jobId: job.id,
    at: due,
    isMissed: random.chance(0.15),
    durationMs: random.whole(5, 180) * second,
    crashes: random.chance(0.1),
    isOfferLost: random.chance(0.1),
    isNudgeLost: random.chance(0.1),
    ...(random.chance(0.1) && { cancelAt: due + random.whole(0, 600) * second }),
  };
}

/** Capacities are raised and lowered, and some jobs come to need other pools; none needs more than is left. */
function drawDeploy(random: Random, { capacities: before, jobs }: Deploy, instant: number): Deploy {
  const capacities = {
    ...before,
    ...drawCapacities(random, Object.keys(before).slice(0, random.whole(1, 4))),
  };
  const fitting = ([pool, weight]: [string, number]) => [pool, Math.min(weight, capacities[pool] ?? 0)];
  const needs = ({ pools }: PooledJob) =>
    random.chance(0.3)
      ? drawNeeds(random, capacities)
      : Object.fromEntries(Object.entries(pools).map(fitting));
  return { at: instant, capacities, jobs: jobs.map((job) => ({ ...job, pools: needs(job) })) };
}

/** In order, and at instants of their own: a run's key is its instant. */
function oneByOne(runs: readonly PlannedRun[]): PlannedRun[] {
  let last = 0;
  return [...runs]
    .sort((a, b) => a.at - b.at)
    .map((run) => {
      last = Math.max(run.at, last + second);
      return { ...run, at: last };
    });
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
