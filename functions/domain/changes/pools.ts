import type { Manifest } from '../manifest.ts';
import { type PoolState, weightOf } from '../pools.ts';
import type { PoolWaits } from './pool-waits.ts';

/** A pool that is declared, dropped, or has another capacity. */
export interface PoolChange {
  readonly name: string;
  /** Undefined: it is not declared. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Units that runs hold now, and how many runs wait for it; undefined: nobody knows. */
  readonly held: number | undefined;
  readonly waiting: number | undefined;
  /** The jobs that take of it from now on, and how much. */
  readonly takers: Readonly<Record<string, number>>;
  /** Absent: it is new or gone, or nobody can tell. */
  readonly waits?: PoolWaits;
}

/** The pools that two manifests differ in, by name. `states`: null when the ledger isn't at hand. */
export function comparePools(
  before: Manifest | null,
  after: Manifest,
  states: ReadonlyMap<string, PoolState> | null,
): PoolChange[] {
  const [old, fresh] = [before?.pools ?? {}, after.pools ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort();
  return names.flatMap((name) => {
    const [from, to] = [capacityOf(old, name), capacityOf(fresh, name)];
    if (from === to) return [];
    const state = states?.get(name);
    const held = state && state.capacity - state.free;
    return [{ name, from, to, held, waiting: state?.waiting, takers: takersOf(after, name) }];
  });
}

function capacityOf(pools: NonNullable<Manifest['pools']>, name: string): number | undefined {
  return Object.hasOwn(pools, name) ? pools[name]?.capacity : undefined;
}

function takersOf({ jobs }: Manifest, pool: string): Record<string, number> {
  const weights = jobs.map(({ id, pools = {} }) => [id, weightOf(pools, pool)] as const);
  return Object.fromEntries(weights.filter(([, weight]) => weight > 0));
}

/** How many units more runs hold than there will be: nobody is admitted until they gave them back. */
export function excessOf({ held = 0, to = 0 }: PoolChange): number {
  return Math.max(0, held - to);
}
