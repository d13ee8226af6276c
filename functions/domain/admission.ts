import type { PoolState, Weights } from './pools.ts';
import { minute } from './time.ts';

/** How long others may pass a waiter by, before what it needs is kept for it: milliseconds after `since`. */
export const patienceMs = 5 * minute;

/** A run that waits for pools. */
export interface Waiter {
  /** Its run's id; of two that are equal otherwise, the smaller one goes first. */
  readonly id: string;
  readonly needs: Weights;
  /** Higher ones go first, while they have patience. */
  readonly priority: number;
  /** Epoch milliseconds since when it has waited for pools. */
  readonly since: number;
}

/** What there is of the pools, by name. Of one that is missing there is nothing, so nobody gets it. */
export type Pools = ReadonlyMap<string, Pick<PoolState, 'capacity' | 'free'>>;

/** A waiter in its place. */
export interface Standing<W extends Waiter> {
  readonly waiter: W;
  /** From 1. */
  readonly position: number;
  /** The pools of which too little is left by those before it, in the order of its needs; of none when it is admitted. */
  readonly lacks: readonly string[];
  /** It isn't admitted, and keeps those behind it from what it needs. */
  readonly reserves: boolean;
  readonly admitted: boolean;
}

/** Who may take all that it needs now, in the order in which they take it. `now`: epoch milliseconds. */
export function admit<W extends Waiter>(pools: Pools, waiters: readonly W[], now: number): W[] {
  return standings(pools, waiters, now).flatMap(({ waiter, admitted }) => (admitted ? [waiter] : []));
}

/**
 * All waiters in their order: those past their patience first, oldest first whatever their priority; then by priority, then
 * by age. In that order each one that fits takes what it needs: all of it, or nothing. One that doesn't fit is passed by, so
 * that a pool that is full never stands in the way of those who don't need it; unless it's past its patience: then it
 * reserves what it needs, and only what is left beyond that goes to others, so that light runs can't starve a heavy one.
 * What needs more than a pool's capacity waits in vain, and reserves nothing.
 */
export function standings<W extends Waiter>(pools: Pools, waiters: readonly W[], now: number): Standing<W>[] {
  const left = new Map([...pools].map(([name, { free }]) => [name, free]));
  return inOrder(waiters, now).map((waiter, index) => {
    const needs = Object.entries(waiter.needs);
    const lacks = needs.filter(([pool, weight]) => weight > (left.get(pool) ?? 0)).map(([pool]) => pool);
    const admitted = lacks.length === 0;
    const everFits = needs.every(([pool, weight]) => weight <= (pools.get(pool)?.capacity ?? 0));
    const reserves = !admitted && everFits && isOverdue(waiter, now);
    if (admitted || reserves)
      for (const [pool, weight] of needs) left.set(pool, (left.get(pool) ?? 0) - weight);
    return { waiter, position: index + 1, lacks, reserves, admitted };
  });
}

function isOverdue({ since }: Waiter, now: number): boolean {
  return now - since >= patienceMs;
}

/** A copy, whose order doesn't depend on the order that they came in. */
function inOrder<W extends Waiter>(waiters: readonly W[], now: number): W[] {
  const byAge = (a: W, b: W) => a.since - b.since || (a.id < b.id ? -1 : 1);
  const overdue = waiters.filter((waiter) => isOverdue(waiter, now)).sort(byAge);
  const patient = waiters.filter((waiter) => !isOverdue(waiter, now));
  return [...overdue, ...patient.sort((a, b) => b.priority - a.priority || byAge(a, b))];
}
