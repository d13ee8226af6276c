import type { ManifestJob } from '../domain/manifest.ts';
import type { Pool, Weights } from '../domain/pools.ts';
import { day, hour, minute } from '../domain/time.ts';
import type { Random } from './random.ts';

export type Pools = Readonly<Record<string, Pool>>;

const names = ['reports-db', 'mail', 'licences'] as const;
const largestCapacity = 5;

/** Two of five worlds have one to three pools. */
export function drawPools(random: Random): Pools | undefined {
  if (random.chance(0.6)) return undefined;
  const declared = names.slice(0, random.whole(1, names.length));
  return Object.fromEntries(declared.map((name) => [name, drawPool(random)]));
}

function drawPool(random: Random): Pool {
  return { capacity: random.whole(1, largestCapacity), describe: 'a pool of the simulator' };
}

/** The same pools with other capacities; one may be gone, or back. */
export function editedPools(pools: Pools, random: Random): Pools {
  const edited = names.flatMap((name): (readonly [string, Pool])[] => {
    const pool = pools[name];
    if (pool === undefined) return random.chance(0.3) ? [[name, drawPool(random)]] : [];
    if (random.chance(0.2)) return [];
    return [[name, random.chance(0.7) ? drawPool(random) : pool]];
  });
  return Object.fromEntries(edited);
}

/** The same job with what it takes of pools, and how it stands among those that wait for them. */
export function withWeights(
  { pools: _weights, priority: _priority, ...job }: ManifestJob,
  pools: Pools | undefined,
  random: Random,
): ManifestJob {
  const drawn = Object.entries(pools ?? {}).flatMap(([name, { capacity }]) =>
    random.chance(0.7) ? [[name, drawWeight(capacity, random)] as const] : [],
  );
  if (drawn.length === 0) return job;
  return {
    ...job,
    ...(random.chance(0.3) && { maxWaitMs: random.pick([10 * minute, 2 * hour, day]) }),
    ...(random.chance(0.5) && { priority: random.whole(-2, 2) }),
    pools: Object.fromEntries(drawn),
  };
}

/** Light ones, and some that need all of it. */
function drawWeight(capacity: number, random: Random): number {
  return random.pick([1, 1, random.whole(1, capacity), capacity]);
}

/** The same job, which takes of no pool that is gone, and of none more than there is. */
export function fitted({ pools: weights = {}, ...job }: ManifestJob, pools: Pools): ManifestJob {
  const left: Weights = Object.fromEntries(
    Object.entries(weights).flatMap(([name, weight]) => {
      const pool = pools[name];
      return pool === undefined ? [] : [[name, Math.min(weight, pool.capacity)]];
    }),
  );
  return Object.keys(left).length === 0 ? job : { ...job, pools: left };
}
