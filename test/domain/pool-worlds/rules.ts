import { type Pools, patienceMs, type Waiter } from '../../../functions/domain/admission.ts';
import type { PoolState, Weights } from '../../../functions/domain/pools.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { brokenPool, brokenPoolAtRest } from '../../support/pool-rules.ts';

/** One write of a pool. */
export function checkPool(before: PoolState | null, after: PoolState): void {
  const held = sum(after.holds);
  if (after.free + held !== after.capacity)
    throw new Error(`${after.name}: ${after.free} free + ${held} held are not ${after.capacity}.`);
  if (held > sum(before?.holds ?? {}) && after.free < 0)
    throw new Error(`${after.name}: somebody took of it, and ${held} of ${after.capacity} are held.`);
  if (after.waiting < 0) throw new Error(`${after.name}: ${after.waiting} wait for it.`);
}

/** What the pools say is what the runs say. */
export function checkAgreement(pools: Iterable<PoolState>, runs: readonly Run[]): void {
  for (const pool of pools) expectNone(brokenPool(pool, runs));
}

/** Nothing is held, nobody is counted, all is free. */
export function checkRest(pools: Iterable<PoolState>): void {
  for (const pool of pools) expectNone([...brokenPoolAtRest(pool), ...brokenPool(pool, [])]);
}

function expectNone(broken: readonly string[]): void {
  if (broken.length > 0) throw new Error(`${broken.join('; ')}.`);
}

/**
 * Who was admitted, judged without going through them in order: nobody over the capacity; nobody left out who still fits,
 * unless that would take what is reserved; nobody in the place of one that goes before it and would have fit instead.
 */
export function checkDecision(
  pools: Pools,
  waiters: readonly Waiter[],
  admitted: readonly Waiter[],
  now: number,
): void {
  const left = new Map([...pools].map(([name, { free }]) => [name, free]));
  for (const { id, needs } of admitted)
    for (const [pool, weight] of Object.entries(needs)) {
      const rest = (left.get(pool) ?? 0) - weight;
      if (rest < 0) throw new Error(`${id} was given more of ${pool} than there is.`);
      left.set(pool, rest);
    }
  const passedOver = waiters.filter((waiter) => !admitted.includes(waiter));
  const reserving = passedOver.filter((waiter) => isOverdue(waiter, now));
  for (const waiter of passedOver) {
    const isReserved = (pool: string) => reserving.some((other) => other !== waiter && pool in other.needs);
    if (fits(waiter, left, nothing, isReserved)) throw new Error(`${waiter.id} fits, and was left out.`);
    for (const other of admitted) checkPlaces(waiter, other, { left, isReserved, now });
  }
}

interface Outcome {
  /** What is free of each pool once all who are admitted have taken what they need. */
  readonly left: ReadonlyMap<string, number>;
  /** For a waiter that is past its patience, and isn't the one in question. */
  readonly isReserved: (pool: string) => boolean;
  readonly now: number;
}

/** One was passed over, and another one admitted. */
function checkPlaces(passed: Waiter, admitted: Waiter, { left, isReserved, now }: Outcome): void {
  if (goesBefore(admitted, passed, now)) return;
  if (fits(passed, left, admitted.needs, isReserved))
    throw new Error(`${admitted.id} took the place of ${passed.id}.`);
  const tookOfIt = ([pool, weight]: [string, number]) =>
    pool in admitted.needs && (left.get(pool) ?? 0) < weight;
  if (isOverdue(passed, now) && Object.entries(passed.needs).some(tookOfIt))
    throw new Error(`${admitted.id} took what ${passed.id} reserves.`);
}

const nothing: Weights = {};

function fits(
  { needs }: Waiter,
  left: ReadonlyMap<string, number>,
  more: Weights,
  isReserved: (pool: string) => boolean,
): boolean {
  return Object.entries(needs).every(
    ([pool, weight]) => weight <= (left.get(pool) ?? 0) + (more[pool] ?? 0) && !isReserved(pool),
  );
}

function isOverdue({ since }: Waiter, now: number): boolean {
  return now - since >= patienceMs;
}

/** The order in one comparison. */
function goesBefore(one: Waiter, other: Waiter, now: number): boolean {
  const isLate = isOverdue(one, now);
  if (isLate !== isOverdue(other, now)) return isLate;
  if (!isLate && one.priority !== other.priority) return one.priority > other.priority;
  return one.since === other.since ? one.id < other.id : one.since < other.since;
}

function sum(weights: Weights): number {
  return Object.values(weights).reduce((all, weight) => all + weight, 0);
}
