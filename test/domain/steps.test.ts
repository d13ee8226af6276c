import { describe, expect, it } from 'vitest';
import { decideFinish } from '../../functions/domain/finish.ts';
import { newRun } from '../../functions/domain/run.ts';
import {
  counts,
  roomForWrites,
  type StepAnswer,
  type StepKind,
  type StepRecord,
  toldOf,
  writtenOrNot,
} from '../../functions/domain/steps.ts';

const step: StepRecord = { name: 'pay', kind: 'step', state: 'done', at: 1, restarts: 0, token: 'a' };
const run = newRun({
  ...{
    jobId: 'billing/pay',
    key: '2026-12-01T03:00:00Z',
    fireTime: 0,
    trigger: 'schedule',
    state: 'running',
  },
  ...{ specId: 's', token: 'a', createdAt: 0, hasSlot: true },
});

describe('what stands of a step', () => {
  it.each<[StepKind, number, number | undefined, boolean]>([
    ['step', 0, undefined, true],
    ['step', 1, 1, true],
    ['step', 0, 1, false],
    ['map', 0, 0, true],
    ['map', 1, 2, false],
    ['once', 0, 3, true],
    ['commit', 0, 3, true],
  ])('a %s of life %j in life %j: %j', (kind, restarts, lives, does) => {
    expect(counts({ ...step, kind, restarts }, lives === undefined ? {} : { restarts: lives })).toBe(does);
  });

  it('is nothing once a person said that it was not done', () => {
    expect(counts({ ...step, kind: 'once', state: 'not-done' }, {})).toBe(false);
  });
});

describe("a step's write", () => {
  const refused = (of: Omit<Extract<StepAnswer, { kind: 'refused' }>, 'kind'>) =>
    ({ kind: 'refused', ...of }) as const;
  it.each<[StepAnswer, ReturnType<typeof writtenOrNot>]>([
    [{ kind: 'done' }, 'written'],
    [{ kind: 'conflict' }, 'conflict'],
    [refused({ run }), 'fenced'],
    [refused({ run: null }), 'fenced'],
    [refused({ run, step, writes: [0] }), 'fenced'],
    [refused({ step }), 'written'],
    [refused({ step, writes: [0] }), 'written'],
    [refused({ step: { ...step, token: 'b' } }), 'taken'],
    [refused({ step: { ...step, state: 'begun' } }), 'taken'],
    [refused({ step: null }), 'taken'],
    [refused({ writes: [0, 3] }), 'writes-refused'],
    [refused({ job: null }), 'fenced'],
  ])('of which the ledger says %j is %s', (answer, came) => {
    expect(writtenOrNot(answer, step)).toBe(came);
  });
});

describe('a commit', () => {
  it('has room for what ours leave of a hundred', () => {
    expect(roomForWrites()).toBe(98);
    const last = (of: typeof run) => decideFinish(of, { outcome: { kind: 'succeeded' }, attempt: 1, now: 1 });
    expect(roomForWrites(last(run))).toBe(97);
    expect(roomForWrites(last({ ...run, holds: { 'reports-db': 1, mail: 2 } }))).toBe(95);
  });
});

describe("a person's word", () => {
  const begun: StepRecord = { ...step, kind: 'once', state: 'begun' };
  it('is the step’s record from then on', () => {
    expect(toldOf(begun, { done: true, result: { receipt: 7 } }, 9)).toEqual({
      ...{ ...begun, state: 'done', at: 9, result: { receipt: 7 } },
    });
    expect(toldOf(begun, { done: true }, 9)).toEqual({ ...begun, state: 'done', at: 9 });
    expect(toldOf({ ...begun, result: 1 }, { done: false }, 9)).toEqual({
      ...begun,
      state: 'not-done',
      at: 9,
    });
  });
});
