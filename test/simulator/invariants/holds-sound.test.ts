import { describe, expect, it } from 'vitest';
import { runId } from '../../../functions/domain/names.ts';
import type { PoolState } from '../../../functions/domain/pools.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { holdsSound } from '../../../functions/simulator/invariants/holds-sound.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { due, pool, run, running, succeeded, watched } from './watched.ts';

const holder = running(1, { holds: { db: 2 } });
const id = runId(holder);
const lent = pool({ holds: { [id]: 2 } });
const waiter = run({ fireTime: due + 60_000, state: 'waiting', reason: 'pool', waitsFor: { db: 2 } });

/** Transactions: the run, and the pool right after it unless it is left as it is. */
async function wrote(...steps: readonly (readonly [Run | null, Run, PoolState?])[]) {
  const told = watched(holdsSound);
  for (const [index, [before, after, written]] of steps.entries()) {
    told.wroteRun(due + index, before, after, false);
    if (written) told.wrotePool(due + index, null, written);
  }
  await told.atRest(due + 10, memoryLedger());
  return told.broken;
}

describe('a pool has a hold of each run that is offered or running and took of it, and counts each that waits for it', () => {
  it('holds through a start and a finish, though the record keeps what it had', async () =>
    expect(await wrote([null, holder, lent], [holder, succeeded({ holds: { db: 2 } }), pool()])).toEqual([]));
  it('holds through a wait and an admission', async () => {
    const offered = { ...waiter, state: 'offered', holds: { db: 2 } } as const;
    const ended = { ...offered, state: 'skipped' } as const;
    const held = pool({ holds: { [runId(waiter)]: 2 } });
    expect(
      await wrote([null, waiter, pool({ waiting: 1 })], [waiter, offered, held], [offered, ended, pool()]),
    ).toEqual([]);
  });

  it('is broken by a start whose hold is not there', async () =>
    expect(await wrote([null, holder, pool()])).toEqual([
      `${id}: has 2 of db by its record, and the pool lent it 0`,
    ]));
  it('is broken by a finish that does not give it back', async () =>
    expect(await wrote([null, holder, lent], [holder, succeeded(), lent])).toContain(
      `${id}: has 0 of db by its record, and the pool lent it 2`,
    ));
  it('is broken by a finish that leaves the pool out', async () =>
    expect((await wrote([null, holder, lent], [holder, succeeded()])).length).toBeGreaterThan(0));
  it('is broken by one that waits and is not counted, and by one that is counted and waits no more', async () => {
    expect(await wrote([null, waiter, pool()])).toEqual(['pool db counts 0 that wait, and 1 do']);
    expect(
      await wrote([null, waiter, pool({ waiting: 1 })], [waiter, { ...waiter, state: 'skipped' }]),
    ).toEqual(['pool db counts 1 that wait, and 0 do']);
  });
  it('is broken by a hold that is left at rest', async () =>
    expect(await wrote([null, holder, lent])).toEqual([`${id}: has a hold of db, and all is at rest`]));
});
