import { describe, expect, it } from 'vitest';
import type { PoolState } from '../../../functions/domain/pools.ts';
import { poolAccounts } from '../../../functions/simulator/invariants/pool-accounts.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { due, pool, poolWorld, watched } from './watched.ts';

function wrote(...states: readonly PoolState[]) {
  const told = watched(poolAccounts, poolWorld());
  let before: PoolState | null = null;
  for (const after of states) {
    told.wrotePool(due, before, after);
    before = after;
  }
  return told;
}

describe("a pool's books balance", () => {
  it('holds through a take, a wait and what is given back', () => {
    const taken = pool({ holds: { one: 2 } });
    expect(wrote(pool(), taken, { ...taken, waiting: 1 }, pool()).broken).toEqual([]);
  });
  it('is broken by what is freed twice', () =>
    expect(wrote(pool(), pool({ free: 5 })).broken).toEqual([
      'pool db has 5 free and 0 held, and a capacity of 3',
    ]));
  it('is broken by a take of more than there is', () =>
    expect(wrote(pool(), pool({ holds: { one: 2 } }), pool({ holds: { one: 2, two: 2 } })).broken).toEqual([
      'pool db lent 1 that it had not, to two',
    ]));
  it('is broken by fewer than none that wait', () =>
    expect(wrote(pool(), pool({ waiting: -1 })).broken).toEqual(['pool db counts -1 that wait']));
  it('is broken by a capacity that was not deployed', () =>
    expect(wrote(pool(), pool({ capacity: 6 })).broken).toEqual([
      'pool db got a capacity of 6, and none was deployed',
    ]));

  it('holds at rest with the capacity that was deployed last, and not without', async () => {
    const told = wrote(pool());
    await told.atRest(due, memoryLedger());
    expect(told.broken).toEqual([]);
    const unpublished = wrote();
    await unpublished.atRest(due, memoryLedger());
    expect(unpublished.broken).toEqual(['pool db never got its capacity of 3']);
  });
});
