import { describe, expect, test } from 'vitest';
import { cancelRun } from '../../functions/domain/cancel.ts';
import { noCatchUp } from '../../functions/domain/catch-up.ts';
import { type CancelRequest, newRun, type Run, terminalStates } from '../../functions/domain/run.ts';
import { claimOf } from '../../functions/domain/start.ts';
import { minute } from '../../functions/domain/time.ts';
import { at, jobState, manifestJob } from '../support/jobs.ts';

const pools = { 'reports-db': 2, mail: 1 };
const job = manifestJob({ pools });
const entry = { token: 'mine', requestId: 'r', pid: 1, now: at('12:00'), remainingMs: 5 * minute };
const { run: running } = claimOf(job, at('12:00'), entry);
const request: CancelRequest = { at: at('12:10'), by: 'ops', reason: 'operator', note: 'wrong file' };
const cancel = (run: Run, of: Partial<Parameters<typeof cancelRun>[2]> = {}, by = request) =>
  cancelRun(run, by, { state: jobState(job), token: 'new', ...of });

const { holds: _holds, ...unstarted } = newRun({ ...running, attempts: [], hasSlot: false, token: 'w' });
const waiting = (of: Partial<Run>) =>
  newRun({ ...unstarted, state: 'waiting', waitingSince: at('12:02'), ...of });
const ended = {
  ...{ state: 'canceled', reason: 'operator', token: 'new', settledAt: at('12:10'), hasSlot: false },
  cancelRequested: request,
};

describe('a run that is running', () => {
  test('is asked to end, and keeps slot, holds and lease until nobody can be alive', () => {
    expect(cancel(running)).toEqual({
      kind: 'requested',
      fence: { state: 'running', token: 'mine', unasked: true },
      change: { set: { state: 'running', cancelRequested: request } },
    });
  });

  test('is asked once: the first request stays', () => {
    expect(cancel({ ...running, cancelRequested: request })).toEqual({
      kind: 'refused',
      why: 'billing/send-invoices#2026-12-01T12:00:00Z has been asked to end already',
    });
  });
});

describe('at once is canceled', () => {
  test('an offer: its slot and its holds go back, and its invocation finds it gone', () => {
    const offer = newRun({ ...running, state: 'offered', attempts: [], token: 'o' });
    expect(cancel(offer)).toEqual({
      kind: 'canceled',
      fence: { state: 'offered', token: 'o' },
      change: { set: ended, clear: ['attentionAt', 'suspected'] },
      effect: {
        slot: 'free',
        pools: [
          { pool: 'reports-db', hold: { kind: 'free', weight: 2 } },
          { pool: 'mail', hold: { kind: 'free', weight: 1 } },
        ],
      },
    });
  });

  test('a run that waits for pools: its slot goes back, and it is counted there no more', () => {
    const canceled = cancel(waiting({ reason: 'pool', waitsFor: pools, hasSlot: true }));
    expect(canceled).toMatchObject({
      kind: 'canceled',
      fence: { state: 'waiting', token: 'w' },
      change: {
        set: { ...ended, waits: [{ reason: 'pool', from: at('12:02'), until: at('12:10'), pools }] },
      },
    });
    expect(canceled).toMatchObject({
      effect: {
        slot: 'free',
        pools: [
          { pool: 'reports-db', addWaiting: -1 },
          { pool: 'mail', addWaiting: -1 },
        ],
      },
    });
  });

  test('a run that waits for the slot: it is counted there no more', () => {
    const canceled = cancel(waiting({ reason: 'slot' }));
    expect(canceled).toMatchObject({ kind: 'canceled', change: { set: { waits: [{ reason: 'slot' }] } } });
    expect(canceled).toHaveProperty('effect', { addQueued: -1 });
  });

  test('a missed fire that waits: the tally has one less, if it is as it was read', () => {
    const missed = waiting({ reason: 'catch-up', trigger: 'backfill' });
    const catchUp = { ...noCatchUp, waiting: 2, newest: missed.key, since: 5 };
    expect(cancel(missed, { state: jobState(job, { catchUp }) })).toHaveProperty('effect', {
      require: { catchUp },
      set: { catchUp: { waiting: 1, since: 5, minute: 0, admitted: 0 } },
    });
  });

  test('a parked run: it has nothing to give back', () => {
    const parked = newRun({ ...running, state: 'parked', reason: 'crashed', hasSlot: false });
    const canceled = cancel(parked);
    expect(canceled).toMatchObject({ kind: 'canceled', fence: { state: 'parked' }, change: { set: ended } });
    expect(canceled).not.toHaveProperty('effect');
  });

  test('and says which newer fire takes its place, where that is why', () => {
    const by = { at: at('12:10'), by: '2026-12-01T12:10:00Z', reason: 'superseded' } as const;
    expect(cancel(waiting({ reason: 'slot' }), {}, by)).toMatchObject({
      change: { set: { state: 'canceled', reason: 'superseded', supersededBy: by.by, cancelRequested: by } },
    });
  });
});

test.each(terminalStates)('a run that is %s already stays so', (state) => {
  expect(cancel(newRun({ ...running, state }))).toEqual({
    kind: 'refused',
    why: `billing/send-invoices#2026-12-01T12:00:00Z is ${state} already`,
  });
});
