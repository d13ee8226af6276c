import { runId } from '../../functions/domain/names.ts';
import type { PoolState, Weights } from '../../functions/domain/pools.ts';
import type { Run } from '../../functions/domain/run.ts';

/** What a run has of pools, by its record. */
export function heldBy({ state, holds = {} }: Run): Weights {
  return state === 'offered' || state === 'running' ? holds : {};
}

/** What is wrong with a pool beside the runs that hold of it and wait for it, which one transaction keeps together. */
export function brokenPool(pool: PoolState, runs: readonly Run[]): string[] {
  const { name, capacity, free, waiting, holds } = pool;
  const broken: string[] = [];
  const held = Object.values(holds).reduce((sum, weight) => sum + weight, 0);
  if (free + held !== capacity)
    broken.push(`${name} has ${free} free and ${held} held, and a capacity of ${capacity}`);
  const holders = runs.filter((run) => heldBy(run)[name] !== undefined);
  const recorded = new Map(holders.map((run) => [runId(run), heldBy(run)[name]]));
  for (const id of new Set([...recorded.keys(), ...Object.keys(holds)]))
    if (holds[id] !== recorded.get(id))
      broken.push(`${id} has ${recorded.get(id) ?? 0} of ${name}, and was lent ${holds[id] ?? 0}`);
  const waiters = runs.filter((run) => isWaiterFor(run, name)).length;
  if (waiters !== waiting) broken.push(`${waiters} runs wait for ${name}, and ${waiting} are counted`);
  return broken;
}

function isWaiterFor({ state, reason, waitsFor = {} }: Run, pool: string): boolean {
  return state === 'waiting' && reason === 'pool' && waitsFor[pool] !== undefined;
}

/** What is wrong with what a write of a run took of a pool. */
export function brokenTake(
  pool: PoolState,
  { before, run }: { before: { readonly pool: PoolState; readonly run: Run | null }; run: Run },
): string[] {
  const { name, free, holds } = pool;
  const id = runId(run);
  if (holds[id] === undefined || before.pool.holds[id] !== undefined) return [];
  const broken = free < 0 ? [`${id} took of ${name}, of which there were ${-free} too few`] : [];
  if (before.run === null && before.pool.waiting > 0)
    broken.push(`${id} took of ${name}, and overtook those that wait for it`);
  return broken;
}

/** What is left of a pool at which nothing is going to happen any more. */
export function brokenPoolAtRest({ name, waiting, holds }: PoolState): string[] {
  return [
    ...Object.entries(holds).map(([id, weight]) => `${id} has ${weight} of ${name} for ever`),
    ...(waiting === 0 ? [] : [`${waiting} are counted for ever that wait for ${name}`]),
  ];
}
