import { expect } from 'vitest';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import type { Weights } from '../../functions/domain/pools.ts';
import type { Run } from '../../functions/domain/run.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { disagreements } from '../support/pool-accounts.ts';
import { deliver, take, World } from '../support/reconciler.ts';

/** The pool that most rules are told with. */
export const db = 'reports-db';

/** A job that takes one unit of it, unless told otherwise. Its grace is so long that none of its fires is missed. */
export function report(id: string, of: Parameters<typeof manifestJob>[0] = {}): ManifestJob {
  return manifestJob({ id, pools: { [db]: 1 }, timeoutMs: 14 * minute, graceMs: 6 * hour, ...of });
}

/** One whose fires are missed after three minutes. */
export function punctual(id: string, of: Parameters<typeof manifestJob>[0] = {}): ManifestJob {
  return report(id, { graceMs: 3 * minute, ...of });
}

/** Jobs and pools, deployed at 11:59:30. */
export async function deployed(
  capacities: Weights,
  jobs: readonly ManifestJob[],
  ledger = memoryLedger(),
): Promise<World> {
  const world = new World(at('11:59:30'), jobs, ledger);
  declare(world, capacities);
  await world.sweep();
  return world;
}

export function declare(world: World, capacities: Weights): void {
  const declared = Object.entries(capacities).map(([name, capacity]) => [name, { capacity, describe: name }]);
  world.pools = Object.fromEntries(declared);
}

/** A pool as it is, and how many hold something of it. */
export async function poolOf(world: World, name = db) {
  const { capacity, free, waiting, holds } = (await world.ledger.pools([name])).get(name) ?? { holds: {} };
  return { capacity, free, waiting, holders: Object.keys(holds).length };
}

/** The jobs of which the reconciler has invoked a run, in order; each takes its offer. */
export async function taken(world: World) {
  const offers = world.invoked.splice(0);
  return Promise.all(
    offers.map((offered) => {
      const job = world.jobs.find(({ id }) => id === offered.jobId);
      if (job === undefined) throw new Error(`${offered.jobId} is not deployed`);
      return take(world, offered, job);
    }),
  );
}

/** Ids of the jobs whose runs were offered, since it was last asked for. */
export function offered(world: World): string[] {
  return world.invoked.splice(0).map(({ jobId }) => jobId);
}

/** A delivery at noon that starts. */
export function runs(world: World, job: ManifestJob) {
  return deliver(world, job, at('12:00'));
}

/** The oldest run of a job. */
export async function first(world: World, jobId = 'a'): Promise<Run> {
  const [run] = await world.runs(jobId);
  if (run === undefined) throw new Error(`there is no run of ${jobId}`);
  return run;
}

/** Nothing has leaked, of whatever the jobs took. */
export async function expectNoLeak(world: World, jobIds: readonly string[], pools = [db]): Promise<void> {
  const all = await Promise.all(jobIds.map((id) => world.runs(id)));
  expect(await disagreements(world.ledger, { pools, runs: all.flat() })).toEqual([]);
}
