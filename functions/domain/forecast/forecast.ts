import { needsOf } from '../holds.ts';
import { type ManifestJob, takesSlot } from '../manifest.ts';
import type { Pool } from '../pools.ts';
import { minute } from '../time.ts';
import { expectationOf } from './duration.ts';
import { type Range, tellFires } from './fires.ts';
import { groupsOf } from './groups.ts';
import { type Entrant, newTally, type Tally } from './lane.ts';
import { type Overlap, overlapOf } from './overlap.ts';
import { type Played, play } from './play.ts';
import { type PoolForecast, poolForecast } from './pool-forecast.ts';
import { type Budget, type Suggestion, suggestSpread } from './spread.ts';

/** So that every forecast has an end: fires, steps of playing them, steps of playing them otherwise. */
export interface Limits {
  readonly fires: number;
  readonly steps: number;
  readonly tried: number;
}

const usualLimits: Limits = { fires: 500_000, steps: 1_500_000, tried: 1_500_000 };

/** A pool that is busy nearly all the time is too small, however its jobs are spread. */
const busy = 0.95;

export interface ForecastOf {
  readonly jobs: readonly ManifestJob[];
  readonly pools: Readonly<Record<string, Pick<Pool, 'capacity'>>>;
  /** What successful attempts took, by job, in milliseconds, newest first. */
  readonly durations: ReadonlyMap<string, readonly number[]>;
  readonly range: Range;
  readonly limits?: Limits;
}

/** How a job was played. */
export interface JobForecast extends Readonly<Tally> {
  readonly id: string;
  readonly durationMs: number;
  /** 0: the duration is a guess, its timeout. */
  readonly samples: number;
  readonly fires: number;
  /** Up to where it was played: before the forecast's, when that took too many steps. */
  readonly until: number;
}

/** A job that needs more of a pool than there is. */
export interface NeverAdmitted {
  readonly job: string;
  readonly pool: string;
  readonly weight: number;
  readonly capacity: number;
}

export interface Forecast extends Range {
  /** Up to where fires were told: before `to`, when there are too many. */
  readonly until: number;
  readonly pools: readonly PoolForecast[];
  /** For jobs that wait for each other; one for pools that jobs need together. */
  readonly suggestions: readonly Suggestion[];
  readonly overlaps: readonly Overlap[];
  readonly neverAdmitted: readonly NeverAdmitted[];
  /** Those that were played: that need pools, or may be in their own way. By id. */
  readonly jobs: readonly JobForecast[];
}

/** Where pools will be over capacity, who waits for whom, and which `spread` avoids it. */
export function forecast({ jobs, pools, durations, range, limits = usualLimits }: ForecastOf): Forecast {
  const neverAdmitted = jobs.flatMap((job) => lackOf(job, pools));
  const playable = jobs.filter(({ id }) => !neverAdmitted.some(({ job }) => job === id));
  const entrants = playable
    .map((job) => ({ job, ...expectationOf(job, durations.get(job.id)) }))
    .filter(isWorthPlaying);
  const told = tellFires(
    entrants.map(({ job }) => job.spec),
    range,
    limits.fires,
  );
  const cast = new Map(
    entrants.map((entrant, index) => [entrant.job.id, { ...entrant, fires: told.fires[index] ?? [] }]),
  );
  const world = { cast, pools, range: { from: range.from, to: told.until }, ...budgets(limits) };
  const groups = groupsOf(Object.keys(pools), playable);
  const alone = [...cast.values()].filter(({ job }) => needsOf(job) === null);
  const parts = [
    ...groups.map((group) => part(world, group.pools, entrantsOf(cast, group.jobs))),
    ...alone.map((entrant) => part(world, [], [entrant])),
  ];
  return {
    ...range,
    until: told.until,
    pools: parts.flatMap((one) => one.pools).sort((a, b) => (a.name < b.name ? -1 : 1)),
    suggestions: parts.flatMap((one) => one.suggestions),
    overlaps: parts.flatMap((one) => one.overlaps).sort((a, b) => (a.job < b.job ? -1 : 1)),
    neverAdmitted,
    jobs: parts.flatMap((one) => one.jobs).sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** Whether something is to be changed. */
export function isWrong({ pools, overlaps, neverAdmitted }: Forecast): boolean {
  const losing = overlaps.some(
    (of) => of.endless || of.skipped + of.superseded + of.canceled + of.waitedTooLong > 0,
  );
  return losing || neverAdmitted.length > 0 || pools.some(({ peakCount }) => peakCount > 0);
}

interface Stage {
  readonly cast: ReadonlyMap<string, Entrant>;
  readonly pools: ForecastOf['pools'];
  readonly range: Range;
  readonly steps: Budget;
  readonly tried: Budget;
}

type Part = Pick<Forecast, 'pools' | 'suggestions' | 'overlaps' | 'jobs'>;

function budgets({ steps, tried }: Limits): { steps: Budget; tried: Budget } {
  return { steps: { left: steps }, tried: { left: tried } };
}

function entrantsOf(cast: ReadonlyMap<string, Entrant>, jobs: readonly ManifestJob[]): Entrant[] {
  return jobs.flatMap(({ id }) => cast.get(id) ?? []);
}

/** Plays the jobs of some pools, which have no part in others. */
function part(stage: Stage, names: readonly string[], entrants: readonly Entrant[]): Part {
  const capacities = new Map(names.map((name) => [name, stage.pools[name]?.capacity ?? 0]));
  const played = playWithin(stage.steps, entrants, capacities, stage.range);
  const range = { from: stage.range.from, to: played.until };
  const enough = played.waits === 0 ? new Map() : enoughFor(stage.steps, entrants, { capacities, range });
  const pools = played.pools.map((meter) =>
    poolForecast(meter, { ...range, until: range.to, enough: enough.get(meter.name) ?? null }),
  );
  const tooSmall = pools.filter(({ waits, use }) => waits > 0 && use >= busy).map(({ name }) => name);
  const meeting = { entrants, capacities, range, played, colliding: collidingJobs(pools), tooSmall };
  return {
    pools,
    suggestions: played.waits === 0 ? [] : [suggestSpread(meeting, stage.tried)],
    overlaps: entrants.flatMap((one, index) => overlapOf(one, tallyOf(played, index), range) ?? []),
    jobs: entrants.map((one, index) => jobForecast(one, played.until, tallyOf(played, index))),
  };
}

function playWithin(
  budget: Budget,
  entrants: readonly Entrant[],
  capacities: ReadonlyMap<string, number>,
  range: Range,
): Played {
  const played = play(entrants, capacities, { ...range, mostSteps: budget.left });
  budget.left -= played.steps;
  return played;
}

/** The most that would be needed of each pool at once, if there were enough of all; of those of which there is too little. */
function enoughFor(
  budget: Budget,
  entrants: readonly Entrant[],
  { capacities, range }: { capacities: ReadonlyMap<string, number>; range: Range },
): Map<string, number> {
  const plenty = new Map([...capacities.keys()].map((name) => [name, Number.MAX_SAFE_INTEGER]));
  const played = playWithin(budget, entrants, plenty, range);
  if (played.until < range.to) return new Map();
  const needed = played.pools.map(({ name, mostNeeded }) => [name, mostNeeded] as const);
  return new Map(needed.filter(([name, most]) => most > (capacities.get(name) ?? 0)));
}

/** Those that wait and those that are waited for, by how much waiting they have a part in. */
function collidingJobs(pools: readonly PoolForecast[]): string[] {
  const parts = new Map<string, number>();
  const add = (job: string, ms: number) => parts.set(job, (parts.get(job) ?? 0) + ms);
  for (const { job, waitMs, behind } of pools.flatMap(({ collisions }) => collisions)) {
    add(job, waitMs);
    for (const other of behind) add(other.job, waitMs / behind.length);
  }
  return [...parts].sort(([a, own], [b, other]) => other - own || (a < b ? -1 : 1)).map(([job]) => job);
}

/** A job without pools is of no account but where its own runs may meet. */
function isWorthPlaying({ job, durationMs }: { job: ManifestJob; durationMs: number }): boolean {
  return needsOf(job) !== null || (takesSlot(job) && durationMs > minute);
}

function lackOf(job: ManifestJob, pools: ForecastOf['pools']): NeverAdmitted[] {
  return Object.entries(needsOf(job) ?? {}).flatMap(([pool, weight]) => {
    const capacity = pools[pool]?.capacity ?? 0;
    return weight > capacity ? [{ job: job.id, pool, weight, capacity }] : [];
  });
}

function jobForecast(entrant: Entrant, until: number, tally: Tally): JobForecast {
  const { job, durationMs, samples, fires } = entrant;
  return { id: job.id, durationMs, samples, fires: fires.length, until, ...tally };
}

function tallyOf({ tallies }: Played, index: number): Tally {
  return tallies[index] ?? newTally();
}
