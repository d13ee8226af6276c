import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideFinish, finishedOrLost, type Outcome } from '../../functions/domain/finish.ts';
import { isDue, pauseBeforeRetry } from '../../functions/domain/retry.ts';
import { newRun, type Run } from '../../functions/domain/run.ts';
import { claimOf } from '../../functions/domain/start.ts';
import { day, hour, minute, second } from '../../functions/domain/time.ts';
import { Fatal, Retry } from '../../functions/job.ts';
import { failureOf } from '../../functions/runtime/outcome.ts';
import { at, manifestJob } from '../support/jobs.ts';

const policy = { attempts: 5, backoffMs: minute, capMs: 5 * minute };
const pause = (failures: number, random: number, of: object = {}) =>
  pauseBeforeRetry({ failures }, { policy, again: undefined, random, ...of });
/** The largest number below 1. */
const most = 1 - Number.EPSILON / 2;

describe('the pause before a run is tried again', () => {
  test('is drawn from the whole of a span that doubles, up to the cap', () => {
    expect([0, 1, 2, 3].map((failures) => pause(failures, 0.5))).toEqual([
      30 * second,
      minute,
      2 * minute,
      2.5 * minute,
    ]);
    expect([0, 1, 2, 3].map((failures) => pause(failures, most))).toEqual(
      [minute, 2 * minute, 4 * minute, 5 * minute].map((longest) => longest - 1),
    );
  });

  test('is never shorter than a second, however it was drawn', () => {
    expect(pause(0, 0)).toBe(second);
    expect(pause(3, 0.0001)).toBe(second);
  });

  test('is bounded for any policy and any draw', () => {
    const bounds = fc.record({
      attempts: fc.integer({ min: 2, max: 20 }),
      backoffMs: fc.integer({ min: second, max: day }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      failures: fc.integer({ min: 0, max: 25 }),
    });
    fc.assert(
      fc.property(bounds, ({ attempts, backoffMs, random, failures }) => {
        const capMs = Math.max(backoffMs, hour);
        const drawn = pause(failures, random, { policy: { attempts, backoffMs, capMs } });
        if (failures + 1 >= attempts) return drawn === null;
        return drawn !== null && drawn >= second && drawn <= capMs && Number.isInteger(drawn);
      }),
    );
  });

  test('comes after all attempts but the last; the first counts', () => {
    const drawn = [undefined, 1, 2, 3, 4, 5].map((failures) =>
      pauseBeforeRetry(failures === undefined ? {} : { failures }, { policy, again: undefined, random: 0 }),
    );
    expect(drawn.map((ms) => ms !== null)).toEqual([true, true, true, true, false, false]);
  });

  test('is none without a policy, whatever the code says', () => {
    expect(pause(0, 0, { policy: undefined })).toBeNull();
    expect(pause(0, 0, { policy: undefined, again: { afterMs: hour } })).toBeNull();
  });
});

describe('what failing code says about it', () => {
  const again = (thrown: unknown) => {
    const outcome = failureOf(thrown);
    return outcome.kind === 'failed' ? outcome.again : null;
  };

  test('Fatal: it is not tried again, though there are attempts left', () => {
    expect(again(new Fatal('the account is closed'))).toBe('never');
    expect(pause(0, 0, { again: 'never' })).toBeNull();
  });

  test('Retry: after just this pause, in place of the drawn one, as one of its attempts', () => {
    expect(again(new Retry({ after: '10 minutes' }))).toEqual({ afterMs: 10 * minute });
    expect(pause(0, 0, { again: { afterMs: 10 * minute } })).toBe(10 * minute);
    expect(pause(4, 0, { again: { afterMs: 10 * minute } })).toBeNull();
  });

  test('is recognised whichever copy of the package said it', () => {
    const copy = Object.assign(new Error('closed'), { fireledger: 'fatal' });
    expect(again(copy)).toBe('never');
    expect(again({ fireledger: 'retry', afterMs: minute })).toEqual({ afterMs: minute });
    expect(again({ fireledger: 'retry', afterMs: 'soon' })).toBeUndefined();
    expect(again(new Error('the bank did not answer'))).toBeUndefined();
  });

  test('keeps its message and its cause', () => {
    const cause = new Error('429');
    const error = new Retry({ after: '1 minute', message: 'too many requests', cause });
    expect([error.name, error.message, error.cause]).toEqual(['Retry', 'too many requests', cause]);
    expect(new Retry({ after: '1 minute' }).message).toBe('to be tried again after 1 minute');
    expect(new Fatal('closed', { cause }).cause).toBe(cause);
  });

  test.each(['0 seconds', '25 hours', 'soon', ''])('refuses the pause %j', (after) => {
    expect(() => new Retry({ after })).toThrow(
      `new Retry({ after: ${JSON.stringify(after)} }): allowed is a duration from '1 second' to '24 hours'`,
    );
  });
});

const error = { name: 'Error', message: 'the bank did not answer' };
const { run } = claimOf(manifestJob({ pools: { mail: 1 } }), at('12:00'), {
  ...{ token: 'mine', requestId: 'r', pid: 1, now: at('12:00'), remainingMs: minute },
});

/** The last write of an attempt that ends at 12:01, of a job that tries again. */
function finish(outcome: Outcome, of: Run = run) {
  return decideFinish(of, { outcome, attempt: 1, now: at('12:01'), retry: { policy, random: 0.5 } });
}

describe('the last write of an attempt whose run is tried again', () => {
  test.each([
    ['failed', 'error'],
    ['timed-out', 'timed-out'],
  ] as const)(
    'that %s keeps the slot, gives its holds back, and lengthens no row of failures',
    (kind, reason) => {
      expect(finish({ kind, error })).toEqual({
        change: {
          set: { state: 'retrying', reason, error, failures: 1, attentionAt: at('12:01:30') },
          clear: ['suspected'],
          settle: { number: 1, settledAt: at('12:01'), outcome: kind },
        },
        effect: {
          pools: [{ pool: 'mail', hold: { kind: 'free', weight: 1 }, require: { unwaited: true } }],
        },
      });
    },
  );

  test('is the usual one once no attempts are left, or it said that none are of use', () => {
    for (const last of [
      finish({ kind: 'failed', error }, { ...run, failures: 4 }),
      finish({ kind: 'failed', error, again: 'never' }),
    ])
      expect(last).toMatchObject({
        change: { set: { state: 'failed', hasSlot: false } },
        effect: { slot: 'free', addFailureInARow: true },
      });
  });

  test('is no retry where it was canceled or is uncertain', () => {
    const request = { at: at('12:00'), by: 'ops', reason: 'operator' } as const;
    expect(finish({ kind: 'canceled', error, request }).change.set.state).toBe('canceled');
    const uncertain = finish({ kind: 'uncertain', step: 'pay', error });
    expect(uncertain.change).toMatchObject({
      set: { state: 'parked', reason: 'uncertain-step', uncertain: 'pay', hasSlot: false },
      settle: { outcome: 'failed' },
    });
    expect(uncertain.effect).toMatchObject({ slot: 'free', pools: [{ pool: 'mail' }] });
    expect(uncertain.effect).not.toHaveProperty('addFailureInARow');
  });

  test('is recognised as its own when its answer was lost, also after the reconciler has offered the run anew', () => {
    const attempts = [{ number: 1, token: 'mine', requestId: 'r', pid: 1, startedAt: 0, leaseUntil: 1 }];
    const own = { ...attempts[0], outcome: 'failed' } as Run['attempts'][number];
    const came = (standing: Partial<Run>) =>
      finishedOrLost({ kind: 'refused', run: newRun({ ...run, ...standing }) }, run);
    expect(came({ state: 'retrying' })).toBe('finished');
    expect(came({ state: 'offered', token: 'anew', attempts: [own] })).toBe('finished');
    expect(came({ state: 'offered', token: 'anew', attempts: [{ ...own, outcome: 'continued' }] })).toBe(
      'finished',
    );
    expect(came({ state: 'offered', token: 'anew', attempts: [{ ...own, outcome: 'crashed' }] })).toBe(
      'lost',
    );
    expect(came({ state: 'offered', token: 'anew', attempts })).toBe('lost');
  });
});

test('a run to be tried again is due at its instant, and no other run ever', () => {
  const retrying = { ...run, state: 'retrying', attentionAt: at('12:01:30') } as const;
  expect(isDue(retrying, at('12:01:30') - 1)).toBe(false);
  expect(isDue(retrying, at('12:01:30'))).toBe(true);
  expect(isDue({ ...retrying, state: 'offered' }, at('13:00'))).toBe(false);
});
