import { expect, it } from 'vitest';
import { runAgain } from '../../../functions/domain/again.ts';
import {
  type ClosedDay,
  type ClosedRun,
  closedRunOf,
  dayOf,
  judgeDay,
} from '../../../functions/domain/closed-days/index.ts';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import type { Attempt, Run } from '../../../functions/domain/run.ts';
import { day, hour, minute } from '../../../functions/domain/time.ts';
import { manualRun } from '../../../functions/domain/trigger.ts';
import { all, fireTime, jobId, publishFirst, record, stateOf } from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const first = dayOf(fireTime);
const ref = { jobId, day: first };
const ever = { from: 0, to: Number.MAX_SAFE_INTEGER };
const requested = { at: fireTime + day, by: 'operator' };

function attempt(number: number, at: number): Attempt {
  const [token, requestId] = [`token-${number}`, `request-${number}`];
  const ended = { settledAt: at + 7_654, outcome: 'failed' } as const;
  return { number, token, requestId, pid: 1, startedAt: at, leaseUntil: at + hour, ...ended };
}

/** One that failed twice, and took of pools. */
function failed(at = fireTime): Run {
  const attempts = [attempt(1, at + 1_234), attempt(2, at + minute)];
  return record(at, {
    ...({ state: 'failed', reason: 'error', settledAt: at + hour, attempts, duplicates: 2 } as const),
    holds: { 'billing-db': 3 },
  });
}

const noCounts = {
  ...{ expected: 0, recorded: 0, manual: 0, extra: [], duplicates: 0, doubleRuns: 0 },
  states: { failed: 1 } as ClosedDay['counts']['states'],
};

function closedDay(runs: readonly ClosedRun[], of = first): ClosedDay {
  return { jobId, day: of, counts: noCounts, runs };
}

const neverClosed = { replaces: null, progress: { before: null, after: first + day } };

async function retried(ledger: Ledger, run: Run, token: string) {
  const again = runAgain(run, { haste: 'retry', keepsSteps: false, requested, token });
  if (again.kind === 'refused') throw new Error(again.why);
  return ledger.move(run, again.fence, again.change, { effect: again.effect });
}

/** The days of jobs that are closed. */
export function dayRules(open: Opener): void {
  it('gives back a closed day as it was closed', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const manual = manualRun({ jobId, specId: 'spec-1' }, { fireTime, requested, nonce: 'a1', token: 't' });
    const runs = [failed(), record(fireTime + hour), { ...manual.run, state: 'canceled' } as Run];
    const verdict = judgeDay(ref, { versions: [], runs });
    if (verdict.kind !== 'closed') throw new Error(verdict.kind);
    expect(await ledger.closeDay(verdict.closed, neverClosed)).toBe('done');
    expect(await all(ledger.closedDays(jobId, ever))).toEqual([verdict.closed]);
    expect(await ledger.dayRecord(ref)).toEqual({ closed: verdict.closed });
    expect(verdict.closed.runs[0]).toMatchObject({ held: { weights: { 'billing-db': 3 } }, attempts: 2 });
  });

  it('finds the days that begin within a range, oldest first', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    for (const number of [2, 0, 1])
      await ledger.closeDay(closedDay([], first + number * day), { replaces: null });
    const days = async (from: number, to: number) =>
      (await all(ledger.closedDays(jobId, { from, to }))).map((closed) => (closed.day - first) / day);
    expect(await days(first, first + 2 * day)).toEqual([0, 1, 2]);
    expect(await days(first + 1, first + 2 * day - 1)).toEqual([1]);
    expect(await days(first + 1, first + day - 1)).toEqual([]);
    expect(await days(0, Number.MAX_SAFE_INTEGER)).toEqual([0, 1, 2]);
  });

  it('has none of a job that it does not know, nor a record of a day that nobody closed', async () => {
    const { ledger } = await open();
    expect(await ledger.closeDay(closedDay([]), { replaces: null })).toBe('refused');
    expect(await all(ledger.closedDays(jobId, ever))).toEqual([]);
    expect(await ledger.dayRecord(ref)).toBeNull();
  });

  it('closes each day once, and goes on from where it was', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    expect(await ledger.closeDay(closedDay([]), neverClosed)).toBe('done');
    expect(await ledger.closeDay(closedDay([]), neverClosed)).toBe('refused');
    expect(await ledger.closeDay(closedDay([]), { replaces: null })).toBe('refused');
    expect(await stateOf(ledger)).toMatchObject({ closedUntil: first + day });
    const next = { before: first + day, after: first + 2 * day };
    const others = { replaces: null, progress: { ...next, before: first } };
    expect(await ledger.closeDay(closedDay([], first + day), others)).toBe('refused');
    expect(await ledger.closeDay(closedDay([], first + day), { replaces: null, progress: next })).toBe(
      'done',
    );
    expect(await stateOf(ledger)).toMatchObject({ closedUntil: first + 2 * day });
  });

  it('opens a day again with the write that begins one of its runs anew', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = failed();
    await ledger.create(run);
    const before = closedDay([closedRunOf(run)]);
    await ledger.closeDay(before, neverClosed);
    expect(await retried(ledger, run, 'again-1')).toMatchObject({ kind: 'done' });
    expect(await ledger.dayRecord(ref)).toEqual({ closed: before, reopened: 'again-1' });
    expect(await all(ledger.closedDays(jobId, ever))).toEqual([]);
    expect(await stateOf(ledger)).toMatchObject({ openDays: [first], closedUntil: first + day, queued: 1 });
    expect(await ledger.closeDay(closedDay([]), { replaces: 'again-1' })).toBe('done');
    expect((await stateOf(ledger)).openDays).toBeUndefined();
    expect(await all(ledger.closedDays(jobId, ever))).toEqual([closedDay([])]);
  });

  it('leaves a day as it was when the run could not be begun anew', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = failed();
    await ledger.create(run);
    await ledger.closeDay(closedDay([]), neverClosed);
    expect(await retried(ledger, { ...run, token: 'another' }, 'again-1')).toMatchObject({ kind: 'refused' });
    expect(await ledger.dayRecord(ref)).toEqual({ closed: closedDay([]) });
    expect((await stateOf(ledger)).openDays).toBeUndefined();
  });

  it('refuses what was judged before a run was begun anew', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const { run, effect } = manualRun(
      { jobId, specId: 'spec-1' },
      { fireTime, requested, nonce: 'a1', token: 'begun' },
    );
    await ledger.create(run, effect);
    expect(await ledger.closeDay(closedDay([]), neverClosed)).toBe('refused');
    expect(await ledger.leaveDay(ref, neverClosed, 'unlisted')).toBe('refused');
    expect(await stateOf(ledger)).toMatchObject({ openDays: [first] });
    expect(await ledger.closeDay(closedDay([]), { ...neverClosed, replaces: 'earlier' })).toBe('refused');
    expect(await ledger.closeDay(closedDay([]), { ...neverClosed, replaces: 'begun' })).toBe('done');
  });

  it('leaves a day unclosed, among those that are looked at again or not', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    expect(await ledger.leaveDay(ref, neverClosed, 'among-open')).toBe('done');
    expect(await stateOf(ledger)).toMatchObject({ openDays: [first], closedUntil: first + day });
    expect(await ledger.leaveDay(ref, neverClosed, 'among-open')).toBe('refused');
    expect(await ledger.leaveDay(ref, { replaces: null }, 'unlisted')).toBe('done');
    expect(await stateOf(ledger)).toMatchObject({ closedUntil: first + day });
    expect((await stateOf(ledger)).openDays).toBeUndefined();
    expect(await ledger.dayRecord(ref)).toBeNull();
  });

  it('keeps apart the days of a job that are open', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    for (const number of [2, 0, 1])
      await ledger.leaveDay({ jobId, day: first + number * day }, { replaces: null }, 'among-open');
    await ledger.leaveDay({ jobId, day: first + day }, { replaces: null }, 'unlisted');
    expect(await stateOf(ledger)).toMatchObject({ openDays: [first, first + 2 * day] });
  });

  it('takes a day of a job that is due every minute, each of whose runs was tried thrice and took of pools', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const runs = Array.from({ length: 1_440 }, (_, number) => {
      const at = first + number * minute;
      const [a, b] = [(number * 7_919) % 9_973, (number * 104_729) % 29_989];
      const attempts = [attempt(1, at + a), attempt(2, at + minute + b), attempt(3, at + 3 * minute + a + b)];
      return closedRunOf({ ...failed(at), attempts, holds: { 'billing-db': 1 + (number % 3), mail: 1 } });
    });
    expect(await ledger.closeDay(closedDay(runs), neverClosed)).toBe('done');
    expect(await all(ledger.closedDays(jobId, ever))).toEqual([closedDay(runs)]);
  });
}
