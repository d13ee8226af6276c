import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { day } from '../../../functions/domain/time.ts';
import { terminalStays } from '../../../functions/simulator/invariants/terminal-stays.ts';
import { due, run, running, succeeded, watched } from './watched.ts';

function wrote(before: Run, after: Run | null, { byOperator = false, at = due } = {}) {
  const told = watched(terminalStays);
  told.wroteRun(at, before, after, byOperator);
  return told.broken;
}

describe('a terminal record never changes but by a person', () => {
  it('holds when an open one is settled', () => expect(wrote(running(), succeeded())).toEqual([]));
  it('holds when a refused delivery is counted', () =>
    expect(wrote(succeeded(), succeeded({ duplicates: 1 }))).toEqual([]));
  it('holds when a person moves it', () =>
    expect(wrote(run(), run({ state: 'offered' }), { byOperator: true })).toEqual([]));
  it('holds when retention deletes it, long after its last redelivery', () =>
    expect(wrote(succeeded(), null, { at: due + 2 * day })).toEqual([]));

  it.each([
    ['its state', run(), run({ state: 'offered' })],
    ['its reason', run({ reason: 'policy' }), run({ reason: 'too-old' })],
    ['its token', succeeded(), succeeded({ token: 'other' })],
    ['its result', succeeded(), succeeded({ result: 1 })],
    ['its attempts', succeeded(), succeeded({ attempts: [] })],
    ['a tally that shrinks', succeeded({ duplicates: 1 }), succeeded()],
  ])('is broken by a change of %s', (_what, before, after) => expect(wrote(before, after)).toHaveLength(1));

  it('is broken when its record is gone while a delivery may still come', () =>
    expect(wrote(succeeded(), null, { at: due + day })).toEqual([
      expect.stringContaining('was succeeded, and its record is gone'),
    ]));
  it('is broken when an open record is gone', () =>
    expect(wrote(running(), null, { at: due + 2 * day })).toHaveLength(1));
});
