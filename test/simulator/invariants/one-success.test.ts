import { describe, expect, it } from 'vitest';
import { oneSuccess } from '../../../functions/simulator/invariants/one-success.ts';
import { attempt, body, due, succeeded, watched } from './watched.ts';

describe('a run succeeds at most once, and nothing of it runs afterwards', () => {
  it('holds for an attempt that was lost and one that succeeded', () => {
    const told = watched(oneSuccess);
    told.bodyBegan(due, body());
    told.bodyBegan(due, body({ attempt: 2 }));
    told.finished(due, body({ attempt: 2 }), 'succeeded');
    told.wroteRun(due, null, succeeded(), false);
    expect(told.broken).toEqual([]);
  });

  it('is broken by two that were told that they succeeded', () => {
    const told = watched(oneSuccess);
    told.finished(due, body(), 'succeeded');
    told.finished(due, body({ attempt: 2 }), 'succeeded');
    expect(told.broken).toEqual([expect.stringContaining('attempt 2 succeeded after another one had')]);
  });

  it('is broken by a record with two successes', () => {
    const told = watched(oneSuccess);
    const attempts = [attempt(1, { outcome: 'succeeded' }), attempt(2, { outcome: 'succeeded' })];
    told.wroteRun(due, null, succeeded({ attempts }), false);
    expect(told.broken).toEqual([expect.stringContaining('2 attempts are recorded as succeeded')]);
  });

  it('is broken by one that begins after the run succeeded, even if its record is gone', () => {
    const told = watched(oneSuccess);
    told.wroteRun(due, null, succeeded(), false);
    told.wroteRun(due, succeeded(), null, false);
    told.bodyBegan(due, body());
    expect(told.broken).toEqual([expect.stringContaining('attempt 1 began after the run had succeeded')]);
  });
});
