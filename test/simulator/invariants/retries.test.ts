import { describe, expect, it } from 'vitest';
import { Fatal, Retry } from '../../../functions/domain/failures.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { minute, second } from '../../../functions/domain/time.ts';
import { hops } from '../../../functions/simulator/invariants/hops.ts';
import { retries } from '../../../functions/simulator/invariants/retries.ts';
import { attempt, body, due, job, run, running, watched, worldOf } from './watched.ts';

const retrying = { ...job, retry: { attempts: 3, backoffMs: minute, capMs: 90 * second } };
const settledAt = due + second;

function failed(number: number, pauseMs: number | null): Run {
  const attempts = [attempt(number, { outcome: 'failed', settledAt })];
  return pauseMs === null
    ? run({ state: 'failed', reason: 'error', attempts })
    : run({ state: 'retrying', reason: 'error', attempts, attentionAt: settledAt + pauseMs });
}

/** What is broken when it fails so often, with these pauses; null: for good. */
function failing(pauses: readonly (number | null)[], error: unknown = new Error('no')) {
  const told = watched(retries, worldOf([retrying]));
  for (const [index, pauseMs] of pauses.entries()) {
    const own = body({ attempt: index + 1 });
    told.bodyEnded(settledAt, own, 'threw', error);
    told.wroteRun(settledAt, running(index + 1), failed(index + 1, pauseMs), false);
  }
  return told.broken;
}

describe('a run that fails is tried again as its job and its code say', () => {
  it('holds for pauses below the backoff, doubled each time and capped, and for the end after the last', () =>
    expect(failing([30 * second, 90 * second, null])).toEqual([]));
  it('holds for what the code asks for, or rules out', () => {
    expect(failing([7 * second], new Retry({ after: '7 seconds' }))).toEqual([]);
    expect(failing([null], new Fatal('never'))).toEqual([]);
  });

  it('is broken by one try more', () => expect(failing([second, second, second])).toHaveLength(1));
  it('is broken when it is given up early', () =>
    expect(failing([null])).toEqual([expect.stringContaining('failed for good by failure 1')]));
  it('is broken by a longer pause, by none, and by another than was asked for', () => {
    expect(failing([61 * second])).toHaveLength(1);
    expect(failing([0])).toHaveLength(1);
    expect(failing([8 * second], new Retry({ after: '7 seconds' }))).toHaveLength(1);
    expect(failing([second], new Fatal('never'))).toHaveLength(1);
  });
  it('is broken when it begins before it is due', () => {
    const told = watched(retries, worldOf([retrying]));
    told.wroteRun(settledAt, running(), failed(1, minute), false);
    told.bodyBegan(settledAt + second, body({ attempt: 2 }));
    expect(told.broken).toEqual([expect.stringContaining('before it was due')]);
  });
});

describe('a run that goes on keeps its place and its cursor', () => {
  const cursor = { hop: 1 };
  const between = (more: Partial<Run> = {}) =>
    run({
      ...{ state: 'offered', hasSlot: true, cursor, hops: 1 },
      attempts: [attempt(1, { outcome: 'continued', settledAt })],
      ...more,
    });

  function hopped(next: Partial<ReturnType<typeof body>>, more: Partial<Run> = {}) {
    const told = watched(hops);
    told.bodyEnded(settledAt, body(), 'returned', { fireledger: 'continue', cursor });
    told.wroteRun(settledAt, running(1, { hasSlot: true }), between(more), false);
    told.bodyBegan(settledAt + second, body({ byOffer: true, attempt: 2, cursor, ...next }));
    return told.broken;
  }

  it('holds from where the last attempt ended', () => expect(hopped({})).toEqual([]));
  it('is broken from elsewhere', () =>
    expect(hopped({ cursor: undefined })).toEqual([expect.stringContaining('went on from the beginning')]));
  it('is broken when it loses its slot', () =>
    expect(hopped({}, { hasSlot: false })).toEqual([expect.stringContaining('lost its place')]));
  it('is broken by another run of its job in between', () =>
    expect(
      hopped({
        key: '2026-12-01T03:01:00Z',
        fireTime: due + minute,
        byOffer: false,
        attempt: 1,
        cursor: undefined,
      }),
    ).toEqual([expect.stringContaining('is to go on and has the slot')]));
});
