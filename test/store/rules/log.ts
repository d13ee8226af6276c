import { expect, it } from 'vitest';
import type { Action } from '../../../functions/domain/action.ts';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import { all, claim, fireTime, jobId, publishFirst, record, stateOf } from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const action: Action = { at: fireTime, by: 'ops', verb: 'cancel', jobId, note: 'the bank is closed' };
const logOf = (ledger: Ledger, more: { from?: number; to?: number; limit?: number } = {}) =>
  all(ledger.actions({ from: 0, to: fireTime + 86_400_000, ...more }));

export function logRules(open: Opener): void {
  it('tells actions newest first, those of one instant too, within a range and a limit', async () => {
    const { ledger } = await open();
    expect(await logOf(ledger)).toEqual([]);
    const details = { as: 'resume', stepDone: true, count: 3 };
    const actions = [action, { ...action, at: fireTime + 5, details }, { ...action, at: fireTime + 60_000 }];
    for (const one of [...actions, action]) await ledger.log(one);
    expect(await logOf(ledger)).toEqual([actions[2], actions[1], action, action]);
    expect(await logOf(ledger, { from: fireTime + 1, to: fireTime + 59_999 })).toEqual([actions[1]]);
    expect(await logOf(ledger, { limit: 2 })).toEqual([actions[2], actions[1]]);
  });

  it('has a line for what was written, and none for what was refused', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const { run, effect } = claim('a');
    expect(await ledger.create(run, { ...effect, action })).toEqual({ kind: 'done' });
    expect((await ledger.create(run, { ...effect, action })).kind).toBe('refused');
    expect(await logOf(ledger)).toEqual([action]);
    const set = { state: 'failed' } as const;
    const stale = { state: 'running', token: 'b' } as const;
    expect((await ledger.move(run, stale, { set }, { effect: { action } })).kind).toBe('refused');
    expect((await ledger.create(record(0, { jobId: 'unknown' }), { action })).kind).toBe('refused');
    expect(await logOf(ledger)).toEqual([action]);
    const mine = { state: 'running', token: 'a' } as const;
    expect(await ledger.move(run, mine, { set }, { effect: { action } })).toEqual({ kind: 'done' });
    expect(await logOf(ledger)).toHaveLength(2);
  });

  it('has a line for a pause that was set or ended, and only then', async () => {
    const { ledger } = await open();
    const pause = { at: fireTime, by: 'ops', note: '', until: fireTime + 60_000 };
    expect(await ledger.setPause(jobId, pause, { action })).toBe(false);
    await publishFirst(ledger);
    expect(await ledger.setPause(jobId, pause, { action })).toBe(true);
    expect((await stateOf(ledger)).paused).toEqual(pause);
    expect(await ledger.setPause(jobId, null, { require: { pausedAt: fireTime + 1 }, action })).toBe(false);
    expect((await stateOf(ledger)).paused).toEqual(pause);
    expect(await ledger.setPause(jobId, null, { require: { pausedAt: fireTime }, action })).toBe(true);
    expect(await ledger.setPause(jobId, null, { require: { pausedAt: fireTime }, action })).toBe(false);
    expect(await logOf(ledger)).toEqual([action, action]);
  });
}
