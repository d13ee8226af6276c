import { describe, expect, test } from 'vitest';
import {
  decideFinish,
  finishedOrLost,
  markTimedOut,
  type Outcome,
  thoughOthersWait,
} from '../../functions/domain/finish.ts';
import type { JobState } from '../../functions/domain/job-state.ts';
import type { Answer } from '../../functions/domain/ledger.ts';
import { runId } from '../../functions/domain/names.ts';
import type { PoolState } from '../../functions/domain/pools.ts';
import { claimOf } from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';

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
        clear: ['attentionAt', 'suspected', 'error', 'cursor'],
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
        set: { state: 'failed', reason, hasSlot: false, settledAt: at('12:01'), error, failures: 1 },
        clear: ['attentionAt', 'suspected'],
        settle: { number: 2, settledAt: at('12:01'), outcome: kind },
      },
      effect: { slot: 'free', require: { unqueued: true }, addFailureInARow: true },
    });
  });

  test('that was canceled says why, gives back the slot and counts for no row of failures', () => {
    const request = { at: at('12:00:30'), by: 'ops', reason: 'operator' } as const;
    expect(finish({ kind: 'canceled', error, request })).toEqual({
      change: {
        set: { state: 'canceled', reason: 'operator', hasSlot: false, settledAt: at('12:01'), error },
        clear: ['attentionAt', 'suspected'],
        settle: { number: 2, settledAt: at('12:01'), outcome: 'canceled' },
      },
      effect: { slot: 'free', require: { unqueued: true } },
    });
    const newer = { at: at('12:00:30'), by: '2026-12-01T12:01:00Z', reason: 'superseded' } as const;
    expect(finish({ kind: 'canceled', error, request: newer }).change.set).toMatchObject({
      ...{ state: 'canceled', reason: 'superseded', supersededBy: newer.by },
    });
  });

  test('gives back just what its run took of pools, each where nobody waits', () => {
    const holder = { ...run, holds: { 'reports-db': 2, mail: 1 } };
    const pools = [
      { pool: 'reports-db', hold: { kind: 'free', weight: 2 }, require: { unwaited: true } },
      { pool: 'mail', hold: { kind: 'free', weight: 1 }, require: { unwaited: true } },
    ];
    const request = { at: at('12:00:30'), by: 'ops', reason: 'operator' } as const;
    for (const outcome of [
      { kind: 'succeeded' },
      { kind: 'failed', error },
      { kind: 'timed-out', error },
      { kind: 'canceled', error, request },
    ] as const)
      expect(finish(outcome, holder).effect.pools).toEqual(pools);
    expect(finish({ kind: 'succeeded' }).effect).not.toHaveProperty('pools');
  });

  test('is the same where others wait, but requires no more that nobody does', () => {
    const { effect } = finish({ kind: 'failed', error }, { ...run, holds: { mail: 1 } });
    expect(thoughOthersWait(effect)).toEqual({
      slot: 'free',
      addFailureInARow: true,
      pools: [{ pool: 'mail', hold: { kind: 'free', weight: 1 } }],
    });
    const { effect: alone } = finish({ kind: 'failed', error });
    expect(thoughOthersWait(alone)).toEqual({ slot: 'free', addFailureInARow: true });
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

  describe('where slot or pools refused it', () => {
    const slot = (of: Partial<JobState>) => jobState(manifestJob(), { slot: run.key, queued: 1, ...of });
    const pool = (of: Partial<PoolState> = {}): PoolState => {
      return { name: 'mail', capacity: 2, free: 1, waiting: 1, holds: { [runId(run)]: 1 }, ...of };
    };
    const came = (refused: Omit<Extract<Answer, { kind: 'refused' }>, 'kind'>) =>
      finishedOrLost({ kind: 'refused', ...refused }, mine);

    test('is that others wait, for any of what is its own', () => {
      expect(came({ job: slot({}) })).toBe('others-wait');
      expect(came({ pools: { mail: pool() } })).toBe('others-wait');
      expect(came({ job: slot({}), pools: { mail: pool(), disk: pool({ name: 'disk' }) } })).toBe(
        'others-wait',
      );
    });

    test('is lost where slot or hold is not its own, or nobody waits there: something else is wrong', () => {
      expect(came({ job: slot({ slot: 'another' }) })).toBe('lost');
      expect(came({ job: slot({ queued: 0 }) })).toBe('lost');
      expect(came({ pools: { mail: pool({ holds: {} }) } })).toBe('lost');
      expect(came({ pools: { mail: pool({ waiting: 0 }) } })).toBe('lost');
      expect(came({ pools: { mail: null } })).toBe('lost');
      expect(came({ job: slot({}), pools: { mail: pool(), disk: null } })).toBe('lost');
    });

    test('is told by the record alone where that refused it as well', () => {
      const pools = { mail: pool() };
      expect(came({ run: settled, pools })).toBe('finished');
      expect(came({ run: { ...settled, token: 'theirs' }, pools })).toBe('lost');
    });
  });
});
