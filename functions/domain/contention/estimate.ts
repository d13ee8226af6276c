import { admit, type Pools, type Waiter } from '../admission.ts';
import type { Weights } from '../pools.ts';

/** A run that has something of pools, or has the slot that is waited for. */
export interface Occupant {
  readonly holds: Weights;
  /** When it is expected to give it back, epoch milliseconds; null where nobody can tell. */
  readonly until: number | null;
}

/** A waiter, and for how long its job's runs usually take; null where nobody can tell. */
export type TimedWaiter = Waiter & { readonly usualMs: number | null };

/**
 * When a run will probably be admitted to its pools: those that have of them give it back when they usually do, and each
 * time the waiters are admitted in their order. Null where that can't be told. What comes by until then isn't foreseen.
 */
export function admittedAt(
  id: string,
  {
    pools,
    occupants,
    waiters,
  }: { pools: Pools; occupants: readonly Occupant[]; waiters: readonly TimedWaiter[] },
  now: number,
): number | null {
  const free = new Map([...pools].map(([name, pool]) => [name, { ...pool }]));
  let [at, busy, waiting] = [now, [...occupants], [...waiters]];
  for (;;) {
    const admitted = admit(free, waiting, at);
    if (admitted.some((waiter) => waiter.id === id)) return at;
    for (const waiter of admitted) give(free, waiter.needs, -1);
    waiting = waiting.filter((waiter) => !admitted.includes(waiter));
    busy = [...busy, ...admitted.map((waiter) => occupantOf(waiter, at))];
    const next = Math.min(...busy.map(({ until }) => until ?? Number.POSITIVE_INFINITY));
    if (next === Number.POSITIVE_INFINITY) return null;
    at = Math.max(at, next);
    for (const { holds } of busy.filter(({ until }) => until === next)) give(free, holds, 1);
    busy = busy.filter(({ until }) => until !== next);
  }
}

function occupantOf({ needs, usualMs }: TimedWaiter, at: number): Occupant {
  return { holds: needs, until: usualMs === null ? null : at + usualMs };
}

function give(pools: Map<string, { capacity: number; free: number }>, weights: Weights, sign: 1 | -1): void {
  for (const [name, weight] of Object.entries(weights)) {
    const pool = pools.get(name);
    if (pool !== undefined) pools.set(name, { ...pool, free: pool.free + sign * weight });
  }
}
