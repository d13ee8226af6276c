import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import { noStarvation } from '../../../functions/simulator/invariants/no-starvation.ts';
import { due, pool, poolJob, poolWorld, run, state, sweep, watched } from './watched.ts';

const waiter = run({
  ...{ state: 'waiting', reason: 'pool', waitsFor: { db: 2 }, waitingSince: due, hasSlot: true },
});
const another = run({
  ...{ jobId: 'another/job', state: 'waiting', reason: 'pool', waitsFor: { db: 3 }, waitingSince: due },
});

/** A sweep comes to its end each minute for half an hour. */
function waits({ free = 2, paused = false, others = [] as readonly Run[], each = minute } = {}) {
  const told = watched(noStarvation, poolWorld());
  const pause = { at: due, by: 'ann', note: 'later' };
  told.wroteJob(due, null, state(paused ? { paused: pause } : {}), false);
  told.wrotePool(due, null, pool({ free }));
  for (const one of [waiter, ...others]) told.wroteRun(due, null, one, false);
  for (let at = due; at < due + 30 * minute && told.broken.length === 0; at += each)
    told.swept(at, sweep(at, {}, [poolJob]));
  return told.broken;
}

describe('a waiter whose pools have room for it goes', () => {
  it('is broken by one that waits on', () =>
    expect(waits()).toEqual([expect.stringContaining('waits, and 15 sweeps could have had it go')]));
  it('is broken by one that waits on though there is room for the others, too', () =>
    expect(waits({ free: 3, others: [{ ...another, waitsFor: { db: 1 } }] })).toHaveLength(1));
  it('is broken by one of a paused job that stands in the way of others', () =>
    expect(waits({ free: 0, paused: true })).toHaveLength(1));

  it('holds while its pool is full, or kept for another', () => {
    expect(waits({ free: 1 })).toEqual([]);
    expect(waits({ free: 2, others: [{ ...another, waitingSince: due - 10 * minute }] })).toEqual([]);
  });
  it('holds while no sweep comes by', () => expect(waits({ each: 10 * minute })).toEqual([]));
});
