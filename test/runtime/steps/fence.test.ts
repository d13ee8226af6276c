import { describe, expect, it } from 'vitest';
import type { Context } from '../../../functions/job.ts';
import { held, key, ref } from '../world.ts';
import { begun, dies, stepWorld } from './attempts.ts';

const payment = { Put: { TableName: 'payments', Item: { id: 'e1', amount: 5 } } };

const verbs: [string, (ctx: Context) => Promise<unknown>, Record<string, unknown>][] = [
  ['step', (ctx) => ctx.step('late', () => 1), {}],
  ['once, before its work', (ctx) => ctx.once('late', () => Promise.reject(new Error('it was done'))), {}],
  ['map', (ctx) => ctx.map('late', ['a'], { key: String }, () => 1), {}],
  ['commit', (ctx) => ctx.commit('late', [payment]), {}],
  ['final commit', (ctx) => ctx.commit('late', [payment], { final: true }), {}],
];

/** What a zombie does once its run is another attempt's. */
async function zombie(late: (ctx: Context) => Promise<unknown>) {
  const asleep = held();
  let met: unknown;
  let signal: AbortSignal | undefined;
  const w = await stepWorld([
    async (_fire, ctx) => {
      signal = ctx.signal;
      await asleep.promise;
      await late(ctx).catch((error) => {
        met = error;
        throw error;
      });
    },
    () => 'the other one',
  ]);
  const { handled } = await begun(w);
  await w.nextAttempt();
  asleep.settle();
  const outcome = await w.time.until(handled);
  return { w, outcome, met, signal };
}

describe('a zombie', () => {
  it.each(verbs)('is refused its %s, told to stop, and changes nothing', async (_verb, late) => {
    const { w, outcome, met, signal } = await zombie(late);
    expect(met).toMatchObject({ name: 'FenceError', fireledger: 'fenced' });
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toBe(met);
    expect(outcome).toMatchObject({ outcome: 'lost' });
    expect(await w.steps()).toEqual({});
    expect(w.tables.items).toEqual({});
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: 'the other one' });
  });

  it('is refused the result of what it began once, which stays uncertain', async () => {
    const asleep = held();
    const w = await stepWorld([
      (_fire, ctx) => ctx.once('charge', asleep.code),
      (_fire, ctx) => ctx.once('charge', { verify: () => ({ done: true, result: 'seen' }) }, () => 'anew'),
    ]);
    const { handled } = await begun(w);
    await w.nextAttempt();
    asleep.settle('late');
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'lost' });
    expect(await w.steps()).toMatchObject({ charge: { state: 'done', result: 'seen' } });
  });

  it('that takes no notice is refused each further step, without a request', async () => {
    const asleep = held();
    const met: unknown[] = [];
    const w = await stepWorld([
      async (_fire, ctx) => {
        await asleep.promise;
        for (const name of ['a', 'b', 'c'])
          await ctx.step(name, () => met.push(name)).catch(({ name: of }) => met.push(of));
      },
      () => 'the other one',
    ]);
    const { handled } = await begun(w);
    await w.nextAttempt();
    asleep.settle();
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'lost' });
    expect(met).toEqual(['a', 'FenceError', 'FenceError', 'FenceError']);
    expect(w.asked.writes).toHaveLength(1);
  });

  it('of a run that was begun anew does nothing of what was done since', async () => {
    const asleep = held();
    const done: string[] = [];
    const w = await stepWorld([
      dies,
      async (_fire, ctx) => {
        await asleep.promise;
        await ctx.step('send', () => done.push('by the zombie'));
      },
      (_fire, ctx) => ctx.step('send', () => done.push('by the other one')),
    ]);
    await begun(w);
    const { handled } = await w.beginNext();
    await w.time.pass(0);
    await w.nextAttempt({ restarts: 1 });
    asleep.settle();
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'lost' });
    expect(done).toEqual(['by the other one']);
  });

  it('of a run that was settled is refused as well', async () => {
    const asleep = held();
    const w = await stepWorld(async (_fire, ctx) => {
      await asleep.promise;
      await ctx.step('late', () => 1);
    });
    const { handled } = await begun(w);
    const { token } = await w.run();
    await w.ledger.move(
      ref,
      { state: 'running', token },
      { set: { state: 'canceled', token: 'reconciler' } },
    );
    asleep.settle();
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'lost', run: expect.stringContaining(key) });
    expect(await w.steps()).toEqual({});
  });
});

describe('an attempt whose time is over', () => {
  it('begins no step any more, and records one that is done in the time that it has left', async () => {
    const asleep = held();
    const met: unknown[] = [];
    const w = await stepWorld(async (_fire, ctx) => {
      met.push(await ctx.step('slow', asleep.code));
      await ctx.step('next', () => met.push('next')).catch(({ name }) => met.push(name));
    });
    const { handled } = await begun(w);
    await w.time.pass(5 * 60_000);
    asleep.settle('done');
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'succeeded' });
    expect(met).toEqual(['done', 'TimeoutError']);
    expect(Object.keys(await w.steps())).toEqual(['slow']);
  });
});
