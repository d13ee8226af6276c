import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { crashBounded } from '../../../functions/simulator/invariants/crash-bounded.ts';
import { attempt, due, job, run, running, watched, worldOf } from './watched.ts';

/** What became of a run after so many crashes. */
function crashed(times: number, more: Partial<Run>, crashPolicy: 'rerun' | 'park' = 'rerun') {
  const told = watched(crashBounded, worldOf([{ ...job, crashed: crashPolicy }]));
  const attempts = Array.from({ length: times }, (_, index) => attempt(index + 1, { outcome: 'crashed' }));
  told.wroteRun(due, running(times), run({ attempts, crashes: times, ...more }), false);
  return told.broken;
}

describe('a crashed run becomes what its job says', () => {
  it('holds when it is offered again, or waits for its job to be resumed', () => {
    expect(crashed(2, { state: 'offered' })).toEqual([]);
    expect(crashed(2, { state: 'waiting', reason: 'slot' })).toEqual([]);
  });
  it('holds when it is given up after three', () =>
    expect(crashed(3, { state: 'failed', reason: 'crashed' })).toEqual([]));
  it('holds when it is parked, if its job says so', () =>
    expect(crashed(1, { state: 'parked' }, 'park')).toEqual([]));

  it('is broken by a fourth try', () =>
    expect(crashed(3, { state: 'offered' })).toEqual([
      expect.stringContaining('after 3 crashes is offered, not failed'),
    ]));
  it('is broken when it is given up early', () => expect(crashed(2, { state: 'failed' })).toHaveLength(1));
  it('is broken when it runs again though its job parks', () =>
    expect(crashed(1, { state: 'offered' }, 'park')).toEqual([
      expect.stringContaining('after 1 crashes is offered, not parked'),
    ]));
  it('is broken when its crashes are counted wrongly', () =>
    expect(crashed(2, { state: 'offered', crashes: 1 })).toContainEqual(
      expect.stringContaining('counts 1 crashes, and 2 attempts crashed'),
    ));
});
