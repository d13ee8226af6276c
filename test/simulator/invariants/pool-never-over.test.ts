import { describe, expect, it } from 'vitest';
import { poolNeverOver } from '../../../functions/simulator/invariants/pool-never-over.ts';
import { body, due, pool, run, running, watched } from './watched.ts';

const later = due + 60_000;
const first = running(1, { holds: { db: 2 } });
const second = running(1, { fireTime: later, holds: { db: 2 } });

function told(capacity = 3) {
  const all = watched(poolNeverOver);
  all.wrotePool(due, null, pool({ capacity }));
  all.wroteRun(due, null, first, false);
  all.bodyBegan(due, body());
  return all;
}

describe('the executions that are alive together never take more of a pool than there is', () => {
  it('holds for two that fit beside each other, and for one after the other', () => {
    const both = told(4);
    both.wroteRun(later, null, second, false);
    both.bodyBegan(later, body({ fireTime: later }));
    expect(both.broken).toEqual([]);
    const inTurn = watched(poolNeverOver);
    inTurn.wrotePool(due, null, pool());
    inTurn.wroteRun(due, null, first, false);
    const own = body();
    inTurn.bodyBegan(due, own);
    inTurn.bodyEnded(due + 1, own, 'returned');
    inTurn.wroteRun(later, null, second, false);
    inTurn.bodyBegan(later, body({ fireTime: later }));
    expect(inTurn.broken).toEqual([]);
  });
  it('holds while what was taken of a capacity that is lowered since is given back', () => {
    const all = told(4);
    all.wroteRun(due, null, second, false);
    all.wrotePool(due + 1, pool({ capacity: 4 }), pool({ capacity: 1 }));
    all.bodyBegan(due + 2, body({ fireTime: later }));
    expect(all.broken).toEqual([]);
  });

  it('is broken by one that is alive though the ledger has given its hold away', () => {
    const all = told();
    all.wroteRun(due + 1, first, run({ state: 'failed', reason: 'crashed', holds: { db: 2 } }), false);
    all.wroteRun(later, null, second, false);
    all.bodyBegan(later, body({ fireTime: later }));
    expect(all.broken).toEqual([expect.stringContaining('began, and 2 use 4 of db, of which there were 3')]);
  });
  it('is broken by one that took after the capacity was lowered', () => {
    const all = told(4);
    all.wrotePool(due + 1, pool({ capacity: 4 }), pool({ capacity: 3 }));
    all.wroteRun(later, null, second, false);
    all.bodyBegan(later, body({ fireTime: later }));
    expect(all.broken).toHaveLength(1);
  });
});
