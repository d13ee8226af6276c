import type { Manifest, ManifestJob, PublishedManifest } from '../manifest.ts';
import type { Interval } from '../watermark.ts';
import { compareJob, type Pair } from './compare-job.ts';
import type { LedgerFacts } from './facts.ts';
import type { JobChange } from './job-change.ts';
import { lookalikes } from './lookalikes.ts';
import { everyLook, type Look, looksOfPool } from './looks.ts';
import { poolWaits } from './pool-waits.ts';
import { comparePools, type PoolChange } from './pools.ts';

/** What a deployment of the working copy means. */
export interface Changes {
  readonly range: Interval;
  /** Those with anything to tell, the worst first. */
  readonly jobs: readonly JobChange[];
  readonly pools: readonly (PoolChange & { readonly looks: readonly Look[] })[];
  /** How many jobs stay as they are. */
  readonly same: number;
  /** Over how many stacks the jobs are spread, where that changes. */
  readonly jobStacks?: { readonly from: number; readonly to: number };
}

export interface ToCompare {
  /** As deployed; null: nothing is. */
  readonly before: PublishedManifest | null;
  readonly after: Manifest;
  /** Null: the ledger is not at hand. */
  readonly facts: LedgerFacts | null;
  /** From now on, which is excluded. */
  readonly range: Interval;
  /** So many fires are looked at in all, on each side. @default 20 million: ten seconds */
  readonly mostFires?: number;
}

const usualMostFires = 20_000_000;
/** For each job there are at least so many. */
const fewestFires = 2_000;

/** @throws ScheduleError when a job's schedule can't be followed */
export function changesBetween(given: ToCompare): Changes {
  const { before, after, facts, range } = given;
  const pairs = pairsOf(before, after);
  const stacks = { from: before?.jobStacks ?? 1, to: after.jobStacks ?? 1 };
  const most = mostFiresEach(pairs, given.mostFires);
  const shared = { stacks, range, most, facts, isFirst: before === null };
  const lookalikeOf = lookalikesOf(pairs);
  const returning = new Set(before?.removed?.map(({ id }) => id));
  const compared = pairs.map((pair) => {
    const lookalike = lookalikeOf.get(pair.id);
    return compareJob(pair, { ...shared, lookalike, returns: returning.has(pair.id) });
  });
  const told = compared.filter(({ kind, looks }) => kind !== 'kept' || looks.length > 0);
  return {
    range,
    jobs: told.sort(byWeight),
    pools: poolsOf(given),
    same: compared.filter(({ kind }) => kind === 'kept').length,
    ...(before !== null && stacks.from !== stacks.to && { jobStacks: stacks }),
  };
}

function poolsOf({ before, after, facts, range }: ToCompare): Changes['pools'] {
  const isPaused = ({ id }: ManifestJob) => facts?.jobs.get(id)?.state?.paused !== undefined;
  return comparePools(before, after, facts?.pools ?? null).map((pool) => {
    const isKnown = before !== null && facts !== null && pool.from !== undefined && pool.to !== undefined;
    const waits = isKnown
      ? poolWaits(pool.name, { before, after, durations: facts.durations, isPaused, range })
      : null;
    return { ...pool, ...(waits && { waits }), looks: looksOfPool(pool) };
  });
}

function pairsOf(before: Manifest | null, after: Manifest): Pair[] {
  const [old, fresh] = [byId(before?.jobs ?? []), byId(after.jobs)];
  const ids = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return ids.map((id) => ({ id, before: old.get(id), after: fresh.get(id) }));
}

function mostFiresEach(pairs: readonly Pair[], most = usualMostFires): number {
  const rescheduled = pairs.filter(({ before, after }) => before?.specId !== after?.specId).length;
  return Math.max(fewestFires, Math.floor(most / Math.max(1, rescheduled)));
}

/** By the id of either. */
function lookalikesOf(pairs: readonly Pair[]): Map<string, string> {
  const removed = pairs.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const added = pairs.flatMap(({ before, after }) => (after && !before ? [after] : []));
  return new Map(
    lookalikes(removed, added).flatMap((one) => [
      [one.removed, one.added],
      [one.added, one.removed],
    ]),
  );
}

/** Whether a person should look at any of it. */
export function needsLook({ jobs, pools }: Changes): boolean {
  return [...jobs, ...pools].some(({ looks }) => looks.length > 0);
}

/** The worst first; of the same, what goes before what comes. */
function byWeight(one: JobChange, other: JobChange): number {
  return rankOf(one) - rankOf(other) || kinds.indexOf(one.kind) - kinds.indexOf(other.kind);
}

const kinds: readonly JobChange['kind'][] = ['removed', 'changed', 'added', 'kept'];

function rankOf({ looks: [worst] }: JobChange): number {
  return worst === undefined ? everyLook.length : everyLook.indexOf(worst);
}

function byId(jobs: readonly ManifestJob[]): Map<string, ManifestJob> {
  return new Map(jobs.map((job) => [job.id, job]));
}
