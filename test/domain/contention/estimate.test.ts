import { describe, expect, test } from 'vitest';
import { admittedAt, type TimedWaiter } from '../../../functions/domain/contention/estimate.ts';

const now = 1_000;
const pools = new Map([['db', { capacity: 3, free: 0 }]]);
const waiter = (id: string, db: number, usualMs: number | null = 100): TimedWaiter => ({
  ...{ id, needs: { db }, priority: 0, since: id.charCodeAt(0) + 900, usualMs },
});
const holder = (db: number, until: number | null) => ({ holds: { db }, until });

describe('when a waiter is admitted', () => {
  test('is when those that have what it needs usually end', () => {
    const occupants = [holder(1, 1_050), holder(2, 1_200)];
    expect(admittedAt('a', { pools, occupants, waiters: [waiter('a', 1)] }, now)).toBe(1_050);
    expect(admittedAt('a', { pools, occupants, waiters: [waiter('a', 3)] }, now)).toBe(1_200);
  });

  test('is after those before it in the order have run, for as long as they usually do', () => {
    const occupants = [holder(3, 1_050)];
    const waiters = [waiter('b', 2), waiter('a', 2)];
    expect(admittedAt('a', { pools, occupants, waiters }, now)).toBe(1_050);
    expect(admittedAt('b', { pools, occupants, waiters }, now)).toBe(1_150);
  });

  test('is now, when all that it needs is free', () => {
    const free = new Map([['db', { capacity: 3, free: 3 }]]);
    expect(admittedAt('a', { pools: free, occupants: [], waiters: [waiter('a', 3)] }, now)).toBe(now);
  });

  test('can’t be told when it depends on one of which nobody knows how long it takes', () => {
    const one = [waiter('a', 2), waiter('b', 3)];
    expect(
      admittedAt('a', { pools, occupants: [holder(1, 1_050), holder(2, null)], waiters: one }, now),
    ).toBeNull();
    const unknown = [waiter('a', 2, null), waiter('b', 3)];
    expect(admittedAt('b', { pools, occupants: [holder(3, 1_050)], waiters: unknown }, now)).toBeNull();
  });

  test('can’t be told of one that needs more than there is', () => {
    expect(
      admittedAt('a', { pools, occupants: [holder(3, 1_050)], waiters: [waiter('a', 4)] }, now),
    ).toBeNull();
  });
});
