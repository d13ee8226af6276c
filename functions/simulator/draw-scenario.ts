import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import { cron } from '../domain/schedule/index.ts';
import { day, hour, minute, second } from '../domain/time.ts';
import { busyJobId, drawJob, drawJobs, editedJob, withOtherPolicies } from './draw-jobs.ts';
import { drawPools, editedPools, fitted, type Pools, withWeights } from './draw-pools.ts';
import type { Faults } from './faults.ts';
import type { Random } from './random.ts';
import type { Deploy, PlannedAct, Scenario, Span } from './scenario.ts';

/** Days on whose morning or the next one's the clocks of some zone change. */
const clockChangeEves = ['2026-03-07', '2026-03-28', '2026-04-04', '2026-10-03', '2026-10-24', '2026-10-31'];

/** Lays out a world: its jobs, when they are deployed, what stands still, what people do. */
export function drawScenario(days: number, random: Random, faults: Faults): Scenario {
  const from = drawBeginning(random);
  const until = from + days * day;
  return drawAround((draw) => drawDeploys(from, draw), { from, until }, { random, faults });
}

/** Lays out what stands still and what people do, around deploys. */
export function drawAround(
  deploysOf: (draw: Draw) => readonly Deploy[],
  { from, until }: Pick<Scenario, 'from' | 'until'>,
  { random, faults }: Pick<Draw, 'random' | 'faults'>,
): Scenario {
  const instant = () => random.whole(from + hour, Math.max(from + hour, until - hour));
  const draw: Draw = { random, faults, until, instant };
  const deploys = deploysOf(draw);
  const jobIds = [...new Set(deploys.flatMap(({ manifest }) => manifest.jobs.map(({ id }) => id)))];
  return {
    from,
    until,
    deploys,
    reconcilerOutages: drawSpans('short-outage', [2 * minute, 50 * minute], draw),
    outages: drawSpans('long-outage', [hour, Math.max(2 * hour, (until - from) / 3)], draw),
    storeOutages: drawSpans('store-outage', [minute, 40 * minute], draw),
    acts: drawActs(jobIds, draw),
    skew: drawSkew(random, faults),
    paceMs: random.pick([0, 0, 40]),
  };
}

export interface Draw {
  readonly random: Random;
  readonly faults: Faults;
  /** The end of the disturbed time. */
  readonly until: number;
  /** An instant of it. */
  readonly instant: () => number;
}

function drawBeginning(random: Random): number {
  const date = random.chance(0.6)
    ? Date.parse(`${random.pick(clockChangeEves)}T00:00:00Z`)
    : Date.UTC(2026, random.whole(0, 11), random.whole(1, 28));
  return date + random.whole(0, 1439) * minute + random.whole(0, 59) * second;
}

/** Any two clocks are at most 30 seconds apart, EventBridge's, which is the true time, among them. */
function drawSkew(random: Random, faults: Faults): Scenario['skew'] {
  if (!faults.strikes('clock-skew')) return { least: 0, most: 0 };
  const least = -random.whole(0, 30) * second;
  return { least, most: least + 30 * second };
}

function drawSpans(
  fault: 'short-outage' | 'long-outage' | 'store-outage',
  [shortest, longest]: readonly [number, number],
  { random, faults, until, instant }: Draw,
): Span[] {
  const wanted = fault === 'long-outage' ? 1 : random.whole(1, 4);
  return Array.from({ length: wanted }).flatMap(() => {
    if (!faults.strikes(fault)) return [];
    const from = instant();
    return [{ from, to: Math.min(from + random.whole(shortest, longest), until) }];
  });
}

function drawDeploys(from: number, draw: Draw): Deploy[] {
  const { random, faults, instant } = draw;
  const own = random.fork('pools');
  const pools = drawPools(own);
  const drawn = drawJobs(random, from);
  // What waits costs time to simulate, too.
  const jobs =
    pools === undefined ? drawn : drawn.slice(0, mostWithPools).map((job) => withWeights(job, pools, own));
  const first = manifestOf(jobs, pools);
  const deploys: Deploy[] = [{ manifest: first, reconcilerAt: from, functionsAt: from, alarmsAt: from }];
  const moments = Array.from({ length: random.whole(1, 4) }, instant).sort((a, b) => a - b);
  let newest = first;
  let before = first;
  let free = from;
  for (const [index, moment] of moments.entries()) {
    const next = faults.strikes('rollback') ? before : changed(newest, index, draw);
    if (next === newest) continue;
    before = newest;
    newest = next;
    deploys.push({ manifest: next, ...drawMoments(Math.max(moment, free), random, faults) });
    free = Math.max(moment, free) + longestDeployMs;
  }
  return deploys;
}

/** So many jobs has a world with pools to begin with. */
const mostWithPools = 4;

/** One deploy is over before the next one begins. */
const longestDeployMs = 20 * minute;

function drawMoments(moment: number, random: Random, faults: Faults): Omit<Deploy, 'manifest'> {
  const apart = faults.strikes('stacks-apart') ? longestDeployMs - second : 5 * second;
  const at = () => moment + random.whole(0, apart);
  return { reconcilerAt: at(), functionsAt: at(), alarmsAt: at() };
}

function changed(manifest: Manifest, index: number, { random, faults }: Draw): Manifest {
  const own = random.fork(`pools ${index}`);
  let { jobs, pools }: Pick<Manifest, 'jobs' | 'pools'> = manifest;
  if (pools !== undefined && faults.strikes('edited-pools')) {
    const edited = editedPools(pools, own);
    jobs = jobs.map((job) => (own.chance(0.5) ? withWeights(job, edited, own) : fitted(job, edited)));
    pools = edited;
  }
  if (faults.strikes('edited-schedule'))
    jobs = jobs.map((job) => (random.chance(0.5) ? editedJob(job, random) : job));
  if (faults.strikes('edited-policies'))
    jobs = jobs.map((job) => (random.chance(0.5) ? withOtherPolicies(job, random) : job));
  if (faults.strikes('removed-job')) jobs = jobs.filter(({ id }) => id === busyJobId || random.chance(0.7));
  if (faults.strikes('new-job'))
    jobs = [
      ...jobs,
      withWeights(drawJob(`new-${index + 1}/job`, random, [cron('*/20 * * * *')]), pools, own),
    ];
  return jobs === manifest.jobs || jobs.length === 0 ? manifest : manifestOf(jobs, pools);
}

/** A world without pools says nothing of them. */
function manifestOf(jobs: readonly ManifestJob[], pools: Pools | undefined): Manifest {
  return { version: 1, jobs, ...(pools && { pools }) };
}

function drawActs(jobIds: readonly string[], { random, faults, until, instant }: Draw): PlannedAct[] {
  const acts: PlannedAct[] = [];
  for (const jobId of jobIds) {
    if (random.chance(0.4) && faults.strikes('paused-job')) {
      const at = instant();
      acts.push({ kind: 'pause', jobId, at, until: Math.min(at + random.whole(minute, day), until) });
    }
    if (random.chance(0.4) && faults.strikes('manual-run'))
      acts.push({ kind: 'trigger', jobId, at: instant() });
    if (faults.strikes('canceled-run'))
      for (let left = random.whole(1, 4); left > 0; left -= 1)
        acts.push({ kind: 'cancel', jobId, at: instant() });
  }
  return acts;
}
