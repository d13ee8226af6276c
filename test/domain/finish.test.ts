import { describe, expect, test } from 'vitest';
import { decideFinish, finishedOrLost, markTimedOut, type Outcome } from '../../functions/domain/finish.ts';
import { claimOf } from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';

const error = { name: 'Error', message: 'the bank did not answer' };
const { run } = claimOf(manifestJob(), at('12:00'), {
  token: 'mine',
  requestId: 'r',
  pid: 1,
  now: at('12:00'),
  remainingMs: minute,
});
const finish = (outcome: Outcome, of = run) => decideFinish(of, { outcome, attempt: 2, now: at('12:01') });

describe('the last write of an attempt', () => {
  test('that succeeded keeps its result, gives back the slot and ends a row of failures', () => {
    expect(finish({ kind: 'succeeded', result: { sent: 3 } })).toEqual({
      change: {
        set: { state: 'succeeded', hasSlot: false, settledAt: at('12:01'), result: { sent: 3 } },
        clear: ['attentionAt', 'suspected'],
        settle: { number: 2, settledAt: at('12:01'), outcome: 'succeeded' },
      },
      effect: {
        slot: 'free',
        require: { unqueued: true },
        set: { lastSuccess: { fireTime: at('12:00'), settledAt: at('12:01') }, failuresInARow: 0 },
      },
    });
  });

  test.each([
    ['failed', 'error'],
    ['timed-out', 'timed-out'],
  ] as const)('that %s says so, gives back the slot and lengthens the row of failures', (kind, reason) => {
    expect(finish({ kind, error })).toEqual({
      change: {
        set: { state: 'failed', reason, hasSlot: false, settledAt: at('12:01'), error },
        clear: ['attentionAt', 'suspected'],
        settle: { number: 2, settledAt: at('12:01'), outcome: kind },
      },
      effect: { slot: 'free', require: { unqueued: true }, addFailureInARow: true },
    });
  });

  test('gives back no slot that its run has not', () => {
    const free = { ...run, hasSlot: false };
    for (const outcome of [{ kind: 'succeeded' }, { kind: 'failed', error }] as const) {
      expect(finish(outcome, free).effect).not.toHaveProperty('slot');
      expect(finish(outcome, free).effect).not.toHaveProperty('require');
    }
  });
});

test('a run whose handler ignores its abort is marked, and keeps state, slot and lease', () => {
  expect(markTimedOut(at('12:01'), error)).toEqual({
    set: { state: 'running', timedOutAt: at('12:01'), error },
  });
});

describe('what a finish came to', () => {
  const mine = { jobId: run.jobId, key: run.key, token: 'mine' };
  const settled = { ...run, state: 'succeeded', settledAt: at('12:01') } as const;

  test('is told by an answer that it was written', () => {
    expect(finishedOrLost({ kind: 'done' }, mine)).toBe('finished');
  });

  test('is not known after a conflict', () => {
    expect(finishedOrLost({ kind: 'conflict' }, mine)).toBe('conflict');
  });

  test('is recognised by a settled record with its own token', () => {
    expect(finishedOrLost({ kind: 'refused', run: settled }, mine)).toBe('finished');
  });

  test.each([
    ['another token', { ...settled, token: 'theirs' }],
    ['no outcome yet', run],
    ['no record left', null],
  ])('is lost where the record has %s', (_what, standing) => {
    expect(finishedOrLost({ kind: 'refused', run: standing }, mine)).toBe('lost');
  });

  test('is lost where the record is not what refused it', () => {
    expect(finishedOrLost({ kind: 'refused', job: null }, mine)).toBe('lost');
  });
});
