import { nearest } from '../../catalog/nearest.ts';
import { everyJob, type KnownJob } from '../../cli/known-jobs.ts';
import { spanText } from '../../cli/render/times.ts';
import { openWaiters } from '../../cli/runs-around.ts';
import { standings } from '../../domain/admission.ts';
import { staysOf } from '../../domain/contention/holding.ts';
import { type Occupancy, occupancies } from '../../domain/contention/occupancy.ts';
import { lengthOf, type Span } from '../../domain/contention/span.ts';
import type { PublishedManifest } from '../../domain/manifest.ts';
import { parseRunId, runId } from '../../domain/names.ts';
import { type PoolState, weightOf } from '../../domain/pools.ts';
import { type Run, waitsSince } from '../../domain/run.ts';
import { day, toIso } from '../../domain/time.ts';
import { waiterOf } from '../../domain/waiting.ts';
import type { PoolAnswer } from '../data.ts';
import { briefOf } from './brief.ts';
import { holdingOf, poolUse } from './pool-use.ts';
import { rangeOf } from './range.ts';
import { runsIn } from './runs-in.ts';
import { AskedWrongly, jobsById, knownOr, manifestOf, type View } from './view.ts';

/** A pool as it stands, and what became of it in a range; the last day, unless it is said. */
export async function poolAnswer(
  { place, now }: View,
  name: string,
  query: URLSearchParams,
): Promise<PoolAnswer> {
  const { ledger } = place;
  const range = rangeOf(query, { from: now - day, until: now });
  const manifest = await manifestOf(ledger);
  const names = Object.keys(manifest.pools ?? {});
  const [pools, waiting, found] = await Promise.all([
    ledger.pools([...new Set([...names, name])]),
    openWaiters(ledger),
    runsIn(ledger, everyJob(manifest), range),
  ]);
  const pool = pools.get(name);
  if (pool === undefined) throw unknownPool(name, names);
  const holders = await ledger.runs(Object.keys(pool.holds).flatMap((id) => parseRunId(id) ?? []));
  const runs = found.flatMap((one) => one.runs);
  const jobs = jobsById(manifest);
  return {
    ...{ name, capacity: pool.capacity, free: pool.free },
    description: manifest.pools?.[name]?.describe ?? '',
    ...{ from: toIso(range.from), to: toIso(range.until) },
    use: poolUse(
      pool,
      runs.flatMap((run) => holdingOf(run, now)),
      { range, now },
    ),
    holders: holders.map((run) => holderOf(run, pool, { jobs, now })),
    waiters: waitersOf(waiting, pool, { pools, manifest, now }),
    used: usedOf(runs, pool, { range, now }),
  };
}

function unknownPool(name: string, names: readonly string[]): AskedWrongly {
  const near = nearest(name, names);
  const hint = near === null ? `the pools are ${names.join(', ') || 'none'}` : `did you mean ${near}?`;
  return new AskedWrongly(`there is no such pool; ${hint}`, 404);
}

function holderOf(
  run: Run,
  { holds }: PoolState,
  { jobs, now }: { jobs: ReadonlyMap<string, KnownJob>; now: number },
): PoolAnswer['holders'][number] {
  const since = staysOf(run, now).at(-1)?.from ?? run.createdAt;
  const weight = weightOf(holds, runId(run));
  return { run: briefOf(run, knownOr(jobs, run.jobId)), weight, since: toIso(since) };
}

/** In the order in which they are looked at. Those of other pools may stand before them, and take what they need. */
function waitersOf(
  waiting: readonly Run[],
  { name }: PoolState,
  {
    pools,
    manifest,
    now,
  }: { pools: ReadonlyMap<string, PoolState>; manifest: PublishedManifest; now: number },
): PoolAnswer['waiters'] {
  const deployed = new Map(manifest.jobs.map((job) => [job.id, job]));
  const known = jobsById(manifest);
  const waiters = waiting.flatMap((run) => {
    const job = deployed.get(run.jobId);
    return run.reason === 'pool' && job !== undefined ? [{ run, ...waiterOf(run, job, now) }] : [];
  });
  return standings(pools, waiters, now)
    .filter(({ waiter }) => weightOf(waiter.needs, name) > 0)
    .map(({ waiter: { run, needs }, lacks, reserves }, index) => ({
      run: briefOf(run, knownOr(known, run.jobId)),
      weight: weightOf(needs, name),
      since: toIso(waitsSince(run)),
      position: index + 1,
      why: whyText({ lacks, reserves, waitedMs: now - waitsSince(run) }),
    }));
}

function whyText({
  lacks,
  reserves,
  waitedMs,
}: {
  lacks: readonly string[];
  reserves: boolean;
  waitedMs: number;
}): string {
  const waited = `it has waited ${spanText(waitedMs)}`;
  if (lacks.length === 0) return `there is enough for it: the next sweep starts it; ${waited}`;
  const kept = reserves ? '; what comes free is kept for it' : '';
  return `too little is left of ${lacks.join(', ')}; ${waited}${kept}`;
}

/** By job, who held the most first. */
function usedOf(
  runs: readonly Run[],
  { name, capacity }: PoolState,
  { range, now }: { range: Span; now: number },
): PoolAnswer['used'] {
  const byJob = new Map<string, Occupancy[]>();
  for (const one of occupancies(runs, { pool: name, capacity, range, now }))
    byJob.set(one.run.jobId, [...(byJob.get(one.run.jobId) ?? []), one]);
  const used = [...byJob].map(([jobId, all]) => ({ jobId, heldMs: heldMs(all), amounts: amountsOf(all) }));
  return used.sort((a, b) => b.heldMs - a.heldMs || (a.jobId < b.jobId ? -1 : 1));
}

function heldMs(all: readonly Occupancy[]): number {
  return all.reduce((sum, { held, weight }) => sum + (held === null ? 0 : weight * lengthOf(held)), 0);
}

function amountsOf(all: readonly Occupancy[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { metered } of all)
    for (const [unit, amount] of Object.entries(metered))
      sums.set(unit, (sums.get(unit) ?? 0) + (amount ?? 0));
  return [...sums].filter(([, amount]) => amount > 0);
}
