import { describe, expect, test } from 'vitest';
import { cancelRemoved, mostCrashes, takeOver } from '../../functions/domain/attention.ts';
import { neverNeedsAttention, newRun, type Run, turnOf } from '../../functions/domain/run.ts';
import { claimOf } from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';

const job = manifestJob({ crashed: 'rerun' });
const parks = manifestJob({ crashed: 'park' });
const entry = { token: 'mine', requestId: 'r', pid: 1, now: at('12:00'), remainingMs: 5 * minute };
const { run: running } = claimOf(job, at('12:00'), entry);
const leaseEnd = at('12:06');
const holding = jobState(job, { slot: running.key });
const judge = (run: Run, of: Partial<Parameters<typeof takeOver>[1]> = {}) =>
  takeOver(run, { job, state: holding, now: leaseEnd, token: 'new', ...of });

describe('a running run', () => {
  test('is left alone until the last millisecond of its lease', () => {
    expect(judge(running, { now: leaseEnd - 1 })).toBeNull();
    expect(judge(running, { now: leaseEnd })).not.toBeNull();
  });

  test('suspected of having died, is left alone until its lease ends', () => {
    const suspected = { ...running, suspected: { at: at('12:01'), requestId: 'r', why: 'killed' } };
    expect(judge(suspected, { now: at('12:05') })).toBeNull();
  });

  test('whose lease ended under `rerun` is offered again, keeps its slot, and its old token is fenced off', () => {
    const decided = judge(running);
    expect(decided).toMatchObject({
      what: 'crashed',
      fence: { state: 'running', token: 'mine' },
      change: {
        set: { state: 'offered', token: 'new', crashes: 1 },
        settle: { number: 1, outcome: 'crashed', settledAt: leaseEnd },
      },
      invoke: true,
    });
    expect(decided?.effect).toEqual({ require: { unpaused: true } });
  });

  test('whose lease ended under `rerun` while its job is paused waits, its slot free, until it is unpaused', () => {
    const paused = { ...holding, paused: { at: at('12:01'), by: 'ops', note: '' } };
    expect(judge(running, { state: paused })).toMatchObject({
      what: 'crashed',
      change: { set: { state: 'waiting', reason: 'slot', token: 'new', hasSlot: false, crashes: 1 } },
      effect: { slot: 'free' },
      invoke: false,
    });
  });

  test('whose lease ended under `park` waits for a person, its slot free', () => {
    expect(judge(running, { job: parks })).toMatchObject({
      change: {
        set: {
          state: 'parked',
          reason: 'crashed',
          attentionAt: neverNeedsAttention,
          hasSlot: false,
          token: 'new',
        },
      },
      effect: { slot: 'free' },
      invoke: false,
    });
  });

  test(`that crashed ${mostCrashes} times is given up`, () => {
    const decided = judge({ ...running, crashes: mostCrashes - 1 });
    expect(decided).toMatchObject({
      change: { set: { state: 'failed', reason: 'crashed', crashes: mostCrashes } },
      effect: { slot: 'free', addFailureInARow: true },
      invoke: false,
    });
  });

  test('marked as timed out is settled so when its lease ends, whatever its crash policy', () => {
    const marked = { ...running, timedOutAt: at('12:05') };
    for (const of of [job, parks])
      expect(judge(marked, { job: of })).toMatchObject({
        what: 'timed-out',
        change: { set: { state: 'failed', reason: 'timed-out' }, settle: { outcome: 'timed-out' } },
        effect: { slot: 'free' },
      });
  });

  test('gives back no slot that is another run’s', () => {
    const other = jobState(job, { slot: '2026-12-01T11:00:00Z' });
    expect(judge(running, { job: parks, state: other })?.effect).toBeUndefined();
  });

  test('of a removed job is canceled when its lease ends', () => {
    expect(judge(running, { job: null })).toMatchObject({
      change: { set: { state: 'canceled', reason: 'removed' } },
      effect: { slot: 'free' },
    });
  });
});

describe('an offer that nobody took', () => {
  const offered = newRun({
    ...running,
    state: 'offered',
    attempts: [],
    token: 'offer',
    attentionAt: leaseEnd,
  });

  test('is made anew with another token and counts as no crash', () => {
    const decided = judge(offered);
    expect(decided).toMatchObject({
      what: 'reoffered',
      fence: { state: 'offered', token: 'offer' },
      change: { set: { state: 'offered', token: 'new', reoffers: 1 } },
      invoke: true,
    });
    expect(decided?.change.set.crashes).toBeUndefined();
  });

  test('is left alone while Lambda may still hold its event', () => {
    expect(judge(offered, { now: leaseEnd - 1 })).toBeNull();
  });
});

test('an unfinished run of a removed job is canceled and gives back its slot', () => {
  const waiting = newRun({ ...running, state: 'waiting', reason: 'catch-up', token: 'w', attempts: [] });
  expect(cancelRemoved(waiting, { state: null, now: leaseEnd, token: 'new' })).toMatchObject({
    fence: { state: 'waiting', token: 'w' },
    change: { set: { state: 'canceled', reason: 'removed' } },
  });
});

test('a run that waits for its turn is left to it, unless its job was removed', () => {
  const attentionAt = turnOf(at('12:00'), 'catch-up');
  const waiting = newRun({ ...running, state: 'waiting', reason: 'catch-up', attempts: [], attentionAt });
  expect(judge(waiting)).toBeNull();
  expect(judge(waiting, { job: null })).toMatchObject({
    what: 'removed',
    change: { set: { state: 'canceled' } },
  });
});
