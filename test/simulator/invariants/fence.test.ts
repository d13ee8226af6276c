import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { fence } from '../../../functions/simulator/invariants/fence.ts';
import { attempt, due, run, running, succeeded, watched } from './watched.ts';

function wrote(before: Run | null, after: Run) {
  const told = watched(fence);
  told.wroteRun(due, before, after, false);
  return told.broken;
}

const crashed = attempt(1, { outcome: 'crashed', settledAt: due });
const takenOver = run({ state: 'offered', token: 'taken-over', attempts: [crashed], crashes: 1 });
const waiting = run({ state: 'waiting' });
const offered = run({ state: 'offered', token: 'offered' });

describe('whoever takes a run over replaces its token', () => {
  it.each([
    ['a claim', null, running()],
    ['a finish', running(), succeeded()],
    ['a takeover', running(), takenOver],
    ['a taken offer', takenOver, running(2)],
    ['an admission', waiting, offered],
    ['a mark', running(), running(1, { timedOutAt: due })],
    ['a refused delivery', succeeded(), succeeded({ duplicates: 1 })],
  ])('holds for %s', (_what, before, after) => {
    const settled = {
      ...after,
      attempts: after.attempts.map((one, at) => (before?.attempts[at]?.outcome ? before.attempts[at] : one)),
    };
    expect(wrote(before, settled)).toEqual([]);
  });

  it.each([
    [
      'a takeover that keeps it',
      running(),
      { ...takenOver, token: 'attempt-1' },
      'by another, and kept its token',
    ],
    [
      'an offer whose token becomes the attempt’s',
      { ...offered, token: 'attempt-1' },
      running(),
      'by another, and kept its token',
    ],
    [
      'a finish by somebody else',
      running(),
      succeeded({ token: 'other' }),
      'by its own attempt, and its token changed',
    ],
    [
      'a running run with another token',
      null,
      running(1, { token: 'other' }),
      'its token is not that of an open attempt',
    ],
  ])('is broken by %s', (_what, before, after, problem) =>
    expect(wrote(before, after)).toContainEqual(expect.stringContaining(problem)),
  );
});

describe('nothing that went before is written any more', () => {
  it.each([
    [
      'a settled attempt that is settled again',
      takenOver,
      succeeded({ token: 'other' }),
      'its attempt 1 was rewritten',
    ],
    [
      'a longer lease',
      running(),
      running(1, { attempts: [attempt(1, { leaseUntil: due })] }),
      'its attempt 1 was rewritten',
    ],
    ['a second claim', takenOver, run({ state: 'waiting', token: 'new' }), 'had 1 attempts and has 0'],
    ['attempts out of order', null, running(1, { attempts: [attempt(2)] }), 'has attempts out of order'],
    [
      'two attempts with one token',
      takenOver,
      running(2, { attempts: [crashed, attempt(2, { token: 'attempt-1' })] }),
      'has two attempts with one token',
    ],
  ])('is broken by %s', (_what, before, after, problem) =>
    expect(wrote(before, after)).toContainEqual(expect.stringContaining(problem)),
  );
});
