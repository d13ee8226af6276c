import { describe, expect, test } from 'vitest';
import {
  beCounted,
  countElsewhere,
  holdsOf,
  isCountedFor,
  leavePools,
  needsOf,
  takeAsNewcomer,
  takeAsWaiter,
} from '../../functions/domain/holds.ts';
import { openStates, terminalStates } from '../../functions/domain/run.ts';

const needs = { 'reports-db': 2, mail: 1 };
const waiting = { state: 'waiting', reason: 'pool', waitsFor: { mail: 1, disk: 3 } } as const;

test('a job that names no pools needs none', () => {
  expect(needsOf({ pools: needs })).toEqual(needs);
  expect(needsOf({ pools: {} })).toBeNull();
  expect(needsOf({})).toBeNull();
});

describe('a newcomer', () => {
  test('takes what it needs, where nobody waits', () => {
    expect(takeAsNewcomer(needs)).toEqual([
      { pool: 'reports-db', hold: { kind: 'take', weight: 2 }, require: { unwaited: true } },
      { pool: 'mail', hold: { kind: 'take', weight: 1 }, require: { unwaited: true } },
    ]);
    expect(takeAsNewcomer(null)).toEqual([]);
  });

  test('that has to wait is counted wherever it needs something, and holds nothing', () => {
    expect(beCounted(needs)).toEqual([
      { pool: 'reports-db', addWaiting: 1 },
      { pool: 'mail', addWaiting: 1 },
    ]);
  });
});

describe('a run whose job needs other pools by now', () => {
  test('is counted there, and no more where it was, whatever the pools are called', () => {
    const atMail = { ...waiting, waitsFor: { mail: 1 } };
    expect(countElsewhere(atMail, { constructor: 1 })).toEqual([
      { pool: 'mail', addWaiting: -1 },
      { pool: 'constructor', addWaiting: 1 },
    ]);
  });
});

describe('a run that waited for pools', () => {
  test('takes what its job needs by now and leaves where it was counted: each pool once, whoever else waits', () => {
    expect(takeAsWaiter(waiting, needs)).toEqual([
      { pool: 'reports-db', hold: { kind: 'take', weight: 2 } },
      { pool: 'mail', hold: { kind: 'take', weight: 1 }, addWaiting: -1 },
      { pool: 'disk', addWaiting: -1 },
    ]);
    expect(takeAsWaiter(waiting, null)).toEqual([
      { pool: 'mail', addWaiting: -1 },
      { pool: 'disk', addWaiting: -1 },
    ]);
  });

  test('for anything else was counted at none', () => {
    for (const reason of ['slot', 'catch-up'] as const)
      expect(takeAsWaiter({ ...waiting, reason }, { mail: 1 })).toEqual([
        { pool: 'mail', hold: { kind: 'take', weight: 1 } },
      ]);
  });
});

describe('what a run has of pools', () => {
  test.each([...openStates, ...terminalStates])('is in force while it is offered or running: %s', (state) => {
    const has = state === 'offered' || state === 'running';
    expect(holdsOf({ state, holds: needs })).toEqual(has ? needs : {});
    expect(leavePools({ state, holds: needs }).map(({ hold }) => hold)).toEqual(
      has
        ? [
            { kind: 'free', weight: 2 },
            { kind: 'free', weight: 1 },
          ]
        : [],
    );
  });

  test('is nothing where it took nothing', () => {
    expect(holdsOf({ state: 'running' })).toEqual({});
    expect(leavePools({ state: 'running' })).toEqual([]);
  });

  test('is a place in the count while it waits for pools, also after it had run before, and no hold', () => {
    expect(isCountedFor(waiting)).toEqual(waiting.waitsFor);
    expect(leavePools({ ...waiting, holds: needs })).toEqual([
      { pool: 'mail', addWaiting: -1 },
      { pool: 'disk', addWaiting: -1 },
    ]);
  });

  test('is no place in the count once it does not wait for pools', () => {
    expect(isCountedFor({ ...waiting, reason: 'slot' })).toEqual({});
    expect(isCountedFor({ ...waiting, state: 'canceled' })).toEqual({});
    expect(isCountedFor({ state: 'waiting', reason: 'pool' })).toEqual({});
  });
});
