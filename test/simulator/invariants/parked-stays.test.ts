import { describe, expect, it } from 'vitest';
import { parkedStays } from '../../../functions/simulator/invariants/parked-stays.ts';
import { body, due, run, running, watched } from './watched.ts';

const parked = run({ state: 'parked', reason: 'crashed' });
const released = run({ state: 'waiting', reason: 'slot' });

function afterParking() {
  const told = watched(parkedStays);
  told.wroteRun(due, running(), parked, false);
  return told;
}

describe('what waits for a person is moved by a person alone', () => {
  it('holds when a person releases it and it runs again', () => {
    const told = afterParking();
    told.wroteRun(due, parked, released, true);
    told.wroteRun(due, released, run({ state: 'offered' }), false);
    told.bodyBegan(due, body({ attempt: 2 }));
    expect(told.broken).toEqual([]);
  });

  it('holds when its job is removed', () => {
    const told = afterParking();
    told.wroteRun(due, parked, run({ state: 'canceled', reason: 'removed' }), false);
    expect(told.broken).toEqual([]);
  });

  it('is broken when it moves by itself', () => {
    const told = afterParking();
    told.wroteRun(due, parked, run({ state: 'offered' }), false);
    expect(told.broken).toEqual([expect.stringContaining('was parked and became offered by itself')]);
  });

  it('is broken when it runs again though nobody released it', () => {
    const told = afterParking();
    told.bodyBegan(due, body({ attempt: 2 }));
    expect(told.broken).toEqual([expect.stringContaining('attempt 2 began though nobody released the run')]);
  });
});
