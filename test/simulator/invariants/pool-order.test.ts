import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import { poolOrder } from '../../../functions/simulator/invariants/pool-order.ts';
import { due, job, pool, poolWorld, run, running, state, watched } from './watched.ts';

const heavy = run({
  ...{ state: 'waiting', reason: 'pool', waitsFor: { db: 2 }, waitingSince: due, hasSlot: true },
});
const light = (since: number) =>
  run({
    ...{ key: 'light', jobId: 'light', state: 'waiting', reason: 'pool', waitsFor: { db: 2 } },
    ...{ waitingSince: since, fireTime: since },
  });

/** At 03:10 the light one is admitted, which has waited since then; two of three are held by somebody else until `freedAt`. */
function admitted(since: number, { at = due + 10 * minute, free = 2 } = {}, heavier: Run = heavy) {
  const told = watched(poolOrder, poolWorld());
  told.wroteJob(due, null, state(), false);
  told.wrotePool(due, null, pool({ holds: { somebody: 3 - free } }));
  told.wroteRun(due, null, heavier, false);
  const waiter = light(since);
  told.wroteRun(since, null, waiter, false);
  const waits = [{ reason: 'pool', from: since, until: at } as const];
  told.wroteRun(at, waiter, { ...waiter, state: 'offered', holds: { db: 1 }, waits }, false);
  return told.broken;
}

describe('no newcomer takes of a pool for which others wait', () => {
  it('is broken by a delivery that does', () => {
    const told = watched(poolOrder, poolWorld());
    told.wrotePool(due, null, pool({ waiting: 1 }));
    told.wroteRun(due, null, heavy, false);
    told.wroteRun(due + 1, null, running(1, { fireTime: due + minute, holds: { db: 1 } }), false);
    expect(told.broken).toEqual([expect.stringContaining(`took of db while ${job.id}#`)]);
  });
  it('holds where the run that goes on had its hold before', () => {
    const told = watched(poolOrder, poolWorld());
    const holder = running(1, { fireTime: due + minute, holds: { db: 1 } });
    told.wroteRun(due, null, heavy, false);
    told.wroteRun(due + 1, holder, { ...holder, state: 'offered', token: 'offer' }, false);
    expect(told.broken).toEqual([]);
  });
});

describe('nobody takes what a waiter lacks that came before and is past its patience', () => {
  it('is broken by one that came later', () =>
    expect(admitted(due + minute)).toEqual([expect.stringContaining('took of db what')]));

  it('holds within its patience, and for one that came before', () => {
    expect(admitted(due + minute, { at: due + 4 * minute })).toEqual([]);
    expect(admitted(due - minute)).toEqual([]);
  });
  it('holds where there is room for both', () => expect(admitted(due + minute, { free: 3 })).toEqual([]));
  it('holds where it never fits, and where it has yet to get its slot', () => {
    expect(admitted(due + minute, {}, { ...heavy, jobId: 'another/job' })).toEqual([]);
    expect(admitted(due + minute, {}, { ...heavy, hasSlot: false })).toEqual([]);
  });
});
