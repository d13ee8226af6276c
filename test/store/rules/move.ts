import { expect, it } from 'vitest';
import type { Bill } from '../../../functions/domain/bill.ts';
import { decideFinish, markTimedOut, type Outcome } from '../../../functions/domain/finish.ts';
import type { CatchUp } from '../../../functions/domain/job-state.ts';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { takeOffer } from '../../../functions/domain/start.ts';
import {
  claim,
  entry,
  fireTime,
  jobId,
  publishFirst,
  record,
  stateOf,
} from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const error = { name: 'TypeError', message: 'no such invoice', stack: 'TypeError: …' };
const failed: Outcome = { kind: 'failed', error };
const succeeded: Outcome = { kind: 'succeeded' };
const bill: Bill = {
  wallMs: 8_765.4,
  cpuUserMs: 0.1,
  readBytes: 0,
  dynamo: { readUnits: 0.5, writeUnits: 2 },
  metered: { 'reports-db': { reads: 1_200, rows: 0.25 } },
};

async function started(ledger: Ledger, token = 'a', at = fireTime): Promise<Run> {
  const { run, effect } = claim(token, {}, at);
  expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
  return run;
}

function finish(ledger: Ledger, run: Run, outcome: Outcome, now = fireTime + 9_000) {
  const { change, effect } = decideFinish(run, { outcome, attempt: 1, now });
  return ledger.move(run, { state: 'running', token: run.token }, change, { effect });
}

export function moveRules(open: Opener): void {
  it('frees the slot with the finish, and keeps what the attempt came to', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    expect(await finish(ledger, run, { kind: 'succeeded', result: { sent: 3 } })).toEqual({ kind: 'done' });
    const settledAt = fireTime + 9_000;
    const { attentionAt: _lease, ...settled } = run;
    expect(await ledger.run(run)).toEqual({
      ...settled,
      state: 'succeeded',
      hasSlot: false,
      settledAt,
      result: { sent: 3 },
      attempts: [{ ...run.attempts[0], settledAt, outcome: 'succeeded' }],
    });
    const state = await stateOf(ledger);
    expect(state).not.toHaveProperty('slot');
    expect(state.lastSuccess).toEqual({ fireTime, settledAt });
  });

  it('keeps what an attempt used, whether it came with its finish or with a mark before its end', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    const fence = { state: 'running', token: run.token } as const;
    const { change, effect } = decideFinish(run, { outcome: failed, attempt: 1, now: fireTime + 9_000 });
    await ledger.move(run, fence, { ...change, measured: { number: 1, bill } }, { effect });
    const [settled] = (await ledger.run(run))?.attempts ?? [];
    const ended = { settledAt: fireTime + 9_000, outcome: 'failed' };
    expect(settled).toEqual({ ...run.attempts[0], ...ended, bill });

    const next = await started(ledger, 'b', fireTime + 60_000);
    const marked = { ...markTimedOut(fireTime + 70_000, error), measured: { number: 1, bill } };
    await ledger.move(next, { state: 'running', token: 'b' }, marked);
    expect((await ledger.run(next))?.attempts).toEqual([{ ...next.attempts[0], bill }]);
    await finish(ledger, next, failed);
    expect((await ledger.run(next))?.attempts).toEqual([{ ...next.attempts[0], ...ended, bill }]);
  });

  it('counts failures in a row until a success', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const tallies: number[] = [];
    for (const [n, outcome] of [failed, failed, succeeded, failed].entries()) {
      await finish(ledger, await started(ledger, `run-${n}`, fireTime + n * 60_000), outcome);
      tallies.push((await stateOf(ledger)).failuresInARow);
    }
    expect(tallies).toEqual([1, 2, 0, 1]);
    expect((await ledger.run(record(fireTime)))?.error).toEqual(error);
  });

  it('refuses a fence of an old token, writes neither half, and gives the record as it is', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    const takenOver = { set: { state: 'running', token: 'reconciler' } } as const;
    await ledger.move(run, { state: 'running', token: 'a' }, takenOver);
    const answer = await finish(ledger, run, failed);
    expect(answer).toEqual({ kind: 'refused', run: { ...run, token: 'reconciler' } });
    expect(await stateOf(ledger)).toMatchObject({ slot: run.key, failuresInARow: 0 });
  });

  it('refuses a fence of an old state', async () => {
    const { ledger } = await open();
    const run = record(fireTime, { state: 'parked', token: 'a' });
    await ledger.create(run);
    const answer = await ledger.move(run, { state: 'running', token: 'a' }, { set: { state: 'failed' } });
    expect(answer).toEqual({ kind: 'refused', run });
  });

  it('refuses what must not pass by a request to cancel, once there is one, and lets its owner finish', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    const fence = { state: 'running', token: run.token, unasked: true } as const;
    const request = { at: fireTime, by: 'ada', reason: 'operator' } as const;
    const asking = { set: { state: 'running', cancelRequested: request } } as const;
    expect((await ledger.move(run, fence, asking)).kind).toBe('done');
    const asked = { ...run, cancelRequested: request };
    const goingOn = { set: { state: 'offered', token: 'reconciler' } } as const;
    const effect = { require: { unpaused: true } } as const;
    expect(await ledger.move(run, fence, goingOn)).toEqual({ kind: 'refused', run: asked });
    expect(await ledger.move(run, fence, goingOn, { effect })).toEqual({ kind: 'refused', run: asked });
    expect(await finish(ledger, run, succeeded)).toEqual({ kind: 'done' });
  });

  it('refuses to move a run that is not there, and makes none', async () => {
    const { ledger } = await open();
    const ref = record(fireTime);
    const fence = { state: 'running', token: 'a' } as const;
    expect(await ledger.move(ref, fence, { set: { state: 'failed' } })).toEqual({
      kind: 'refused',
      run: null,
    });
    expect(await ledger.run(ref)).toBeNull();
  });

  it("does not free another run's slot, nor one twice, and leaves the run as it was", async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const stranger = record(fireTime - 60_000, { state: 'running', token: 'z' });
    await ledger.create(stranger);
    const holder = await started(ledger);
    const change = { set: { state: 'failed' } } as const;
    const fence = { state: 'running', token: 'z' } as const;
    const answer = await ledger.move(stranger, fence, change, { effect: { slot: 'free' } });
    expect(answer).toEqual({ kind: 'refused', job: await stateOf(ledger) });
    expect((await stateOf(ledger)).slot).toBe(holder.key);
    expect((await ledger.run(stranger))?.state).toBe('running');
    await finish(ledger, holder, succeeded);
    const again = await ledger.move(stranger, fence, change, { effect: { slot: 'free' } });
    expect(again).toEqual({ kind: 'refused', job: await stateOf(ledger) });
  });

  it('takes an offer once: the token of the entry replaces the one of the offer, and an attempt is added', async () => {
    const { ledger } = await open();
    const run = record(fireTime, { state: 'offered', token: 'offer', attentionAt: fireTime });
    await ledger.create(run);
    const offer = { token: 'offer', attempt: 1 };
    const [first, second] = [takeOffer(offer, entry('a')), takeOffer(offer, entry('b'))];
    const taken = { ...run, ...first.change.set, attempts: [first.change.attempt] };
    expect(await ledger.move(run, first.fence, first.change)).toEqual({ kind: 'done', run: taken });
    expect(await ledger.move(run, second.fence, second.change)).toEqual({ kind: 'refused', run: taken });
  });

  it('keeps every attempt, and settles the one with the number', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = await started(ledger);
    const settle = { number: 1, settledAt: fireTime + 5, outcome: 'crashed' } as const;
    const offered = { set: { state: 'offered', token: 'offer', crashes: 1 }, settle } as const;
    await ledger.move(run, { state: 'running', token: 'a' }, offered);
    const second = takeOffer({ token: 'offer', attempt: 2 }, entry('b'));
    await ledger.move(run, second.fence, second.change);
    expect((await ledger.run(run))?.attempts).toEqual([
      { ...run.attempts[0], settledAt: fireTime + 5, outcome: 'crashed' },
      second.change.attempt,
    ]);
  });

  it('removes the fields that a move clears', async () => {
    const { ledger } = await open();
    const suspected = { at: fireTime, requestId: 'r', why: 'it said so' };
    const run = record(fireTime, { state: 'parked', reason: 'crashed', attentionAt: 1, suspected, error });
    await ledger.create(run);
    const clear = ['reason', 'attentionAt', 'suspected', 'error', 'timedOutAt'] as const;
    const fence = { state: 'parked', token: run.token } as const;
    const answer = await ledger.move(run, fence, { set: { state: 'failed', note: 'enough' }, clear });
    expect(answer).toEqual({ kind: 'done', run: record(fireTime, { state: 'failed', note: 'enough' }) });
  });

  it('writes the tally of missed fires with the run that it counts', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const waiting = record(fireTime, { state: 'waiting', reason: 'catch-up', attentionAt: fireTime });
    const catchUp = { waiting: 1, newest: waiting.key, minute: 0, admitted: 0 };
    await ledger.create(waiting, { set: { catchUp } });
    expect((await stateOf(ledger)).catchUp).toEqual(catchUp);
    expect(await ledger.create(waiting, { set: { catchUp: { ...catchUp, waiting: 2 } } })).toMatchObject({
      kind: 'refused',
      run: waiting,
    });
    expect((await stateOf(ledger)).catchUp).toEqual(catchUp);
  });

  it('counts missed fires only from the tally that its writer has read', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const none = { waiting: 0, minute: 0, admitted: 0 };
    const one = { waiting: 1, newest: record(fireTime).key, since: fireTime, minute: 0, admitted: 0 };
    const counted = (at: number, from: CatchUp, to: CatchUp) =>
      ledger.create(record(at, { state: 'waiting' }), { require: { catchUp: from }, set: { catchUp: to } });
    expect(await counted(fireTime, one, one)).toMatchObject({ kind: 'refused', job: { catchUp: none } });
    expect(await counted(fireTime, none, one)).toEqual({ kind: 'done' });
    expect(await counted(fireTime + 60_000, none, one)).toMatchObject({
      kind: 'refused',
      job: { catchUp: one },
    });
    expect(await counted(fireTime + 60_000, { ...one, waiting: 2 }, none)).toMatchObject({ kind: 'refused' });
    expect(await counted(fireTime + 60_000, one, none)).toEqual({ kind: 'done' });
    expect(await counted(fireTime + 120_000, none, one)).toEqual({ kind: 'done' });
  });

  it.each([
    ['numbers', { huge: 1e300, tiny: 5e-324, third: 0.1 + 0.2, beyond: 2 ** 60, negative: -0.5 }],
    ['text', { empty: '', snow: '☃ 雪', long: 'x'.repeat(5_000) }],
    ['nothing', null],
    ['lists', [[], [1, [null, true]], {}]],
    ['a bare number', 0],
  ])('gives an author back what a run returned or was given: %s', async (_what, value) => {
    const { ledger } = await open();
    const run = record(fireTime, { state: 'running', input: value });
    await ledger.create(run);
    await ledger.move(
      run,
      { state: 'running', token: run.token },
      { set: { state: 'succeeded', result: value } },
    );
    const kept = await ledger.run(run);
    expect([kept?.input, kept?.result]).toEqual([value, value]);
  });

  it('keeps copies: what a caller changes later, or does not set, is not in the ledger', async () => {
    const { ledger } = await open();
    const result = { sent: 1, skipped: undefined };
    const run = record(fireTime, { state: 'succeeded', result });
    await ledger.create(run);
    result.sent = 99;
    const read = await ledger.run({ jobId, key: run.key });
    expect(read?.result).toStrictEqual({ sent: 1 });
  });
}
