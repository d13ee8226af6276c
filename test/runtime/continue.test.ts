import { describe, expect, it } from 'vitest';
import type { OfferPayload } from '../../functions/contract.ts';
import type { Run } from '../../functions/domain/run.ts';
import { minute, second } from '../../functions/domain/time.ts';
import type { Context } from '../../functions/job.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import {
  fireTime,
  held,
  jobId,
  key,
  ledgerWith,
  losingFirstAnswer,
  offered,
  ref,
  type World,
  world,
} from './world.ts';

const pools = { 'reports-db': 2 };

/** Two thirds of its pool are the run's while it lasts. */
async function continuing(code: (ctx: Context) => unknown, of: Parameters<typeof world>[0] = {}) {
  const w = await world({ code: (_fire, ctx) => code(ctx), job: { pools }, ...of });
  await w.ledger.publishPool({ name: 'reports-db', capacity: 3 }, null);
  return w;
}

const holdsOf = async ({ ledger }: World) => (await ledger.pools(['reports-db'])).get('reports-db')?.holds;

/** The next attempt, as the reconciler offers and sends it. */
async function offerNext(w: World): Promise<OfferPayload> {
  const { token, attempts } = await w.run();
  const set = { state: 'offered', token: 'next' } as const;
  await w.ledger.move(ref, { state: 'offered', token }, { set, clear: ['unsent'] });
  return { fireledger: 'offer', jobId, run: key, token: 'next', attempt: attempts.length + 1 };
}

describe('a handler that returns ctx.continueWith', () => {
  it('leaves its run offered, with the slot and the holds that it has, and has the reconciler send it', async () => {
    const w = await continuing((ctx) => ctx.continueWith({ page: 7 }));
    expect(await w.deliver()).toEqual({ outcome: 'continued', run: `${jobId}#${key}` });
    expect(await w.run()).toMatchObject({
      ...{ state: 'offered', unsent: true, hops: 1, cursor: { page: 7 }, hasSlot: true, holds: pools },
      ...{ attentionAt: fireTime + 2 * second, reoffers: 0, crashes: 0 },
      attempts: [{ number: 1, outcome: 'continued' }],
    });
    expect(await w.run()).not.toHaveProperty('settledAt');
    expect(await w.ledger.job(jobId)).toMatchObject({ slot: key, failuresInARow: 0 });
    expect(await holdsOf(w)).toEqual({ [`${jobId}#${key}`]: 2 });
    expect(w.recording.nudges).toEqual([`a run of ${jobId} goes on`]);
    expect(w.recording.counts).toEqual([]);
  });

  it('writes that only once it has settled', async () => {
    const running = held();
    const w = await continuing(async (ctx) => {
      const next = ctx.continueWith(1);
      await running.promise;
      return next;
    });
    const handled = w.deliver();
    await w.time.pass(minute);
    expect(await w.run()).toMatchObject({ state: 'running' });
    running.settle();
    expect(await handled).toMatchObject({ outcome: 'continued' });
  });

  it('has its next attempt begin where it ended: same run, same fire, no new try', async () => {
    const pages: unknown[] = [];
    const w = await continuing((ctx) => {
      pages.push(ctx.cursor);
      return pages.length < 3 ? ctx.continueWith({ page: pages.length, seen: ['é', null] }) : 'done';
    });
    await w.deliver();
    await w.send(await offerNext(w));
    expect(await w.send(await offerNext(w))).toMatchObject({ outcome: 'succeeded' });
    expect(pages).toEqual([undefined, { page: 1, seen: ['é', null] }, { page: 2, seen: ['é', null] }]);
    expect(w.started.map(({ id, attempt }) => [id, attempt])).toEqual(
      [1, 2, 3].map(() => [`${jobId}#${key}`, 1]),
    );
    const run = await w.run();
    expect(run).toMatchObject({ state: 'succeeded', result: 'done', hops: 2 });
    expect(run.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'continued'],
      [2, 'continued'],
      [3, 'succeeded'],
    ]);
    expect(run).not.toHaveProperty('cursor');
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(await holdsOf(w)).toEqual({});
  });

  it('without a cursor goes on without one', async () => {
    const w = await continuing((ctx) => ctx.continueWith());
    await w.send(await continued(w, { cursor: 4 }));
    expect(await w.run()).toMatchObject({ state: 'offered', hops: 1 });
    expect(await w.run()).not.toHaveProperty('cursor');
  });

  it('nobody else claims: a delivery is a duplicate, and the old token opens nothing', async () => {
    const w = await continuing((ctx) => ctx.continueWith(1));
    await w.deliver();
    const { token } = await w.run();
    expect(await w.deliver()).toMatchObject({ outcome: 'duplicate' });
    await w.time.pass(minute);
    const next = await w.deliver({ scheduledTime: '2026-12-01T03:01:00Z' });
    expect(next).toMatchObject({ outcome: 'skipped' });
    const offer = await offerNext(w);
    expect(await w.send({ ...offer, token })).toMatchObject({ outcome: 'offer-gone' });
    expect(w.started).toHaveLength(1);
  });

  it('whose answer was lost recognises itself, and goes on once', async () => {
    const w = await continuing((ctx) => ctx.continueWith(1), {
      ledger: losingFirstAnswer(memoryLedger(), 'move'),
    });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'continued' });
    expect(await w.run()).toMatchObject({ hops: 1 });
  });

  it('whose answer was lost recognises itself although its run has been offered and taken since', async () => {
    const memory = memoryLedger();
    let isFirst = true;
    const move: typeof memory.move = async (...args) => {
      const answer = await memory.move(...args);
      if (!isFirst) return answer;
      isFirst = false;
      const { token } = (await memory.run(ref)) as Run;
      await memory.move(ref, { state: 'offered', token }, { set: { state: 'offered', token: 'next' } });
      throw new Error('the answer was lost');
    };
    const w = await continuing((ctx) => ctx.continueWith(1), { ledger: ledgerWith(memory, { move }) });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'continued' });
    expect(w.recording.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('after its timeout has aborted it goes on all the same: it stopped where it could', async () => {
    const w = await continuing(
      (ctx) =>
        new Promise((resolve) =>
          ctx.signal.addEventListener('abort', () => resolve(ctx.continueWith('here'))),
        ),
    );
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'continued' });
    expect(await w.run()).toMatchObject({ state: 'offered', cursor: 'here' });
  });

  it('after it was asked to end is canceled, and gives back what it has', async () => {
    const w = await continuing(
      (ctx) =>
        new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve(ctx.continueWith(1)))),
    );
    const handled = w.deliver();
    await w.time.pass(0);
    const { token } = await w.run();
    const cancelRequested = { at: w.time.clock(), by: 'ops', reason: 'operator' } as const;
    await w.ledger.move(ref, { state: 'running', token }, { set: { state: 'running', cancelRequested } });
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'canceled' });
    expect(await w.run()).toMatchObject({ state: 'canceled', reason: 'operator' });
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(await holdsOf(w)).toEqual({});
  });

  it('500 times fails: it makes no headway', async () => {
    const w = await continuing((ctx) => ctx.continueWith(1), {
      job: { pools, retry: { attempts: 3, backoffMs: second, capMs: minute } },
    });
    expect(await w.send(await continued(w, { hops: 499 }))).toMatchObject({ outcome: 'continued' });
    const v = await continuing((ctx) => ctx.continueWith(1));
    expect(await v.send(await continued(v, { hops: 500 }))).toMatchObject({ outcome: 'failed' });
    expect((await v.run()).error?.message).toMatch(/^went on 500 times already/);
  });

  it.each([
    ['is no JSON', () => 7, 'ctx.continueWith: a function has no JSON'],
    [
      'is too large',
      'x'.repeat(64 * 1024),
      'ctx.continueWith: its cursor has 65538 bytes of JSON, at most 65536',
    ],
  ])('with a cursor that %s fails, and says so', async (_how, cursor, problem) => {
    const w = await continuing((ctx) => ctx.continueWith(cursor));
    await w.deliver();
    const run = await w.run();
    expect(run).toMatchObject({ state: 'failed', reason: 'error' });
    expect(run.error?.message).toContain(problem);
  });
});

describe('ctx.shouldContinue', () => {
  it.each([
    ['5 minutes', 5 * minute, 30 * second],
    ['10 minutes', 10 * minute, minute],
  ])('of a timeout of %s says so when little of it is left', async (_words, timeoutMs, left) => {
    const asked: boolean[] = [];
    const running = held();
    const w = await world({
      job: { timeoutMs },
      code: async (_fire, { shouldContinue }) => {
        asked.push(shouldContinue());
        await running.promise;
        asked.push(shouldContinue());
      },
    });
    const handled = w.deliver();
    await w.time.pass(timeoutMs - left + 1);
    running.settle();
    await handled;
    expect(asked).toEqual([false, true]);
  });
});

/** A run that has its holds and is offered, as after earlier attempts. */
function continued(w: World, of: Partial<Run>): Promise<OfferPayload> {
  return offered(w, { holds: pools, ...of });
}
