import { describe, expect, it } from 'vitest';
import { minute, second } from '../../../functions/domain/time.ts';
import { leaseOutlives } from '../../../functions/simulator/invariants/lease-outlives.ts';
import { body, due, run, running, succeeded, watched } from './watched.ts';

/** An attempt with a lease until 03:07 by a clock that is ahead by `skewMs`, over after so long. */
function ended(afterMs: number, skewMs = 0) {
  const told = watched(leaseOutlives);
  const one = body({ skewMs });
  told.wroteRun(due, null, running(), false);
  told.bodyBegan(due, one);
  told.bodyEnded(due + afterMs, one, 'killed');
  return told.broken;
}

describe('an execution is over before its lease is, by any clock', () => {
  it('holds half a minute before, by its own clock', () => {
    expect(ended(6 * minute + 30 * second)).toEqual([]);
    expect(ended(6 * minute, 30 * second)).toEqual([]);
  });
  it('is broken by one that goes on when a clock that is ahead calls it dead', () => {
    expect(ended(6 * minute + 31 * second)).toEqual([
      expect.stringContaining('attempt 1 ended 1000 ms after a clock called it dead'),
    ]);
    expect(ended(6 * minute + second, 30 * second)).toHaveLength(1);
  });
});

describe('nobody takes a run from an execution that is alive', () => {
  it.each([
    ['runs it again', run({ state: 'offered' })],
    ['settles it', succeeded()],
  ])('is broken by a takeover that %s', (_what, after) => {
    const told = watched(leaseOutlives);
    told.wroteRun(due, null, running(), false);
    told.bodyBegan(due, body());
    told.wroteRun(due, running(), after, false);
    expect(told.broken).toEqual([expect.stringContaining(`became ${after.state} while attempt 1 was alive`)]);
  });
});
