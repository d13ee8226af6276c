import { describe, expect, it } from 'vitest';
import { minute } from '../../../functions/domain/time.ts';
import { pauseStays } from '../../../functions/simulator/invariants/pause-stays.ts';
import { due, run, running, state, watched } from './watched.ts';

const pause = { at: due - 10 * minute, by: 'operator', note: 'a migration' };
const paused = state({ paused: pause });

function whilePaused() {
  const told = watched(pauseStays);
  told.wroteJob(pause.at, state(), paused, true);
  return told;
}

describe('a person alone pauses and resumes', () => {
  it('holds when a deploy leaves the pause as it is', () => {
    const told = whilePaused();
    told.wroteJob(due, paused, { ...paused, specId: 'other', specSince: due }, false);
    expect(told.broken).toEqual([]);
  });

  it('is broken by a deploy that resumes, and by one that pauses', () => {
    const told = whilePaused();
    told.wroteJob(due, paused, state(), false);
    told.wroteJob(due, state(), paused, false);
    expect(told.broken).toEqual([
      'billing/send-invoices was resumed, and no person did it',
      'billing/send-invoices was paused, and no person did it',
    ]);
  });
});

describe('a paused job starts nothing, and what is due meanwhile is skipped', () => {
  const offer = run({ state: 'offered' });

  it('holds for a skip, for an offer that was made before, and after it is resumed', () => {
    const told = whilePaused();
    told.wroteRun(due, null, run({ state: 'skipped', reason: 'paused' }), false);
    told.wroteRun(due, offer, running(), false);
    told.wroteJob(due, paused, state(), true);
    told.wroteRun(due, null, running(), false);
    expect(told.broken).toEqual([]);
  });

  it.each([
    ['a claim', null, running()],
    ['an offer', null, offer],
    ['an offer that is made anew', offer, { ...offer, token: 'anew' }],
    ['an admission', run({ state: 'waiting' }), { ...offer, token: 'admitted' }],
  ])('is broken by %s', (_what, before, after) => {
    const told = whilePaused();
    told.wroteRun(due, before, after, false);
    expect(told.broken).toContainEqual(
      expect.stringContaining(`became ${after.state} while its job was paused`),
    );
  });

  it('is broken by a fire of that time that is to be made up', () => {
    const told = whilePaused();
    told.wroteRun(due, null, run({ state: 'waiting', reason: 'catch-up' }), false);
    expect(told.broken).toEqual([
      expect.stringContaining('was due while its job was paused, and is waiting: catch-up'),
    ]);
  });
});
