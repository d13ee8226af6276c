import { describe, expect, it } from 'vitest';
import { toldOf } from '../../../functions/domain/steps.ts';
import type { Context } from '../../../functions/job.ts';
import { jobId, ref } from '../world.ts';
import { begun, dies, losingAnswers, stepWorld } from './attempts.ts';

const error = new Error('the bank did not answer');

describe('once', () => {
  it('costs two requests: its intent before the work, its result after it', async () => {
    const seen: unknown[] = [];
    const w = await stepWorld((_fire, ctx) =>
      ctx.once('charge', async () => {
        seen.push(await w.steps());
        return { id: 7 };
      }),
    );
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(seen).toMatchObject([{ charge: { kind: 'once', state: 'begun' } }]);
    expect(await w.steps()).toMatchObject({ charge: { kind: 'once', state: 'done', result: { id: 7 } } });
    expect(w.asked).toMatchObject({ reads: 0, writes: [{}, {}] });
    expect((await w.run()).result).toEqual({ id: 7 });
  });

  it('that is done is not done again, even in a run that was begun anew', async () => {
    let charged = 0;
    const charge = () => {
      charged += 1;
      return charged;
    };
    const w = await stepWorld([
      async (_fire, ctx) => {
        await ctx.once('charge', charge);
        await dies();
      },
      (_fire, ctx) => ctx.once('charge', charge),
    ]);
    await begun(w);
    expect(await w.nextAttempt({ restarts: 1 })).toMatchObject({ outcome: 'succeeded' });
    expect([charged, (await w.run()).result]).toEqual([1, 1]);
    expect(w.asked.writes).toHaveLength(2);
  });

  it.each([
    ['its attempt died', dies],
    ['its work threw', () => Promise.reject(error)],
  ])('of which nobody knows, since %s, parks the run for a person, and is not done', async (_why, work) => {
    let charged = 0;
    const w = await stepWorld([
      (_fire, ctx) => ctx.once('charge', work),
      (_fire, ctx) =>
        ctx.once('charge', () => {
          charged += 1;
        }),
    ]);
    await begun(w);
    expect(await w.nextAttempt()).toEqual({ outcome: 'uncertain', run: `${jobId}#${ref.key}` });
    expect(await w.run()).toMatchObject({
      state: 'parked',
      reason: 'uncertain-step',
      uncertain: 'charge',
      hasSlot: false,
      error: { name: 'UncertainStep', message: expect.stringContaining('ctx.once("charge")') },
    });
    expect(charged).toBe(0);
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(await w.steps()).toMatchObject({ charge: { state: 'begun' } });
  });

  it('parks the run as well when the code makes another error of it', async () => {
    const w = await stepWorld([
      (_fire, ctx) => ctx.once('charge', dies),
      (_fire, ctx) =>
        ctx
          .once('charge', () => 1)
          .catch((cause) => {
            throw new Error('payroll', { cause });
          }),
    ]);
    await begun(w);
    await w.nextAttempt();
    expect(await w.run()).toMatchObject({ uncertain: 'charge', error: { message: 'payroll' } });
  });

  it('that can be verified is taken as done, with the result that was found', async () => {
    let charged = 0;
    const verify = async () => ({ done: true, result: { id: 7 } }) as const;
    const charge = () => {
      charged += 1;
      return { id: charged };
    };
    const code = [
      (_fire: unknown, ctx) => ctx.once('charge', { verify }, dies),
      (_fire: unknown, ctx) => ctx.once('charge', { verify }, charge),
    ] satisfies Parameters<typeof stepWorld>[0];
    const w = await stepWorld(code);
    await begun(w);
    expect(await w.nextAttempt()).toMatchObject({ outcome: 'succeeded' });
    expect([charged, (await w.run()).result]).toEqual([0, { id: 7 }]);
    expect(await w.steps()).toMatchObject({ charge: { state: 'done', result: { id: 7 } } });
    expect(w.asked.writes).toHaveLength(2);
  });

  it('that was verified not to be done is done, with an intent of its own', async () => {
    let charged = 0;
    const verify = () => ({ done: false }) as const;
    const w = await stepWorld([
      (_fire, ctx) => ctx.once('charge', { verify }, dies),
      (_fire, ctx) =>
        ctx.once('charge', { verify }, async () => {
          charged += 1;
          const { token } = await w.run();
          expect(await w.steps()).toMatchObject({ charge: { state: 'begun', token } });
          return charged;
        }),
    ]);
    await begun(w);
    expect(await w.nextAttempt()).toMatchObject({ outcome: 'succeeded' });
    expect([charged, (await w.run()).result]).toEqual([1, 1]);
    expect(w.asked.writes).toHaveLength(3);
  });

  it.each([
    [{ done: false } as const, 1, 'now'],
    [{ done: true, result: 'by hand' } as const, 0, 'by hand'],
  ])('is what a person says of it: %j', async (said, times, result) => {
    let charged = 0;
    const w = await stepWorld([
      (_fire, ctx) => ctx.once('charge', dies),
      (_fire, ctx) =>
        ctx.once('charge', () => {
          charged += 1;
          return 'now';
        }),
    ]);
    await begun(w);
    await w.nextAttempt();
    const { state, token } = await w.run();
    const { charge } = await w.steps();
    if (charge === undefined) throw new Error('no intent');
    const told = toldOf(charge, said, w.time.clock());
    expect(await w.ledger.writeStep(ref, { state, token }, { step: told, replaces: charge })).toEqual({
      kind: 'done',
    });
    expect(await w.nextAttempt()).toMatchObject({ outcome: 'succeeded' });
    expect([charged, (await w.run()).result]).toEqual([times, result]);
  });

  it('may not be tried again in the same attempt, whatever the code makes of its failure', async () => {
    let charged = 0;
    const w = await stepWorld(async (_fire, ctx) => {
      const charge = () => {
        charged += 1;
        throw error;
      };
      await ctx.once('charge', charge).catch(() => undefined);
      await ctx.once('charge', charge);
    });
    await w.deliver();
    expect(charged).toBe(1);
    expect((await w.run()).error?.name).toBe('StepError');
  });

  it.each([0, 1])('whose answer was lost (request %j) recognises its own record', async (place) => {
    let charged = 0;
    const w = await stepWorld(
      (_fire, ctx) =>
        ctx.once('charge', () => {
          charged += 1;
        }),
      { verbs: losingAnswers(place) },
    );
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(charged).toBe(1);
    expect(w.asked.writes).toHaveLength(3);
  });

  it('is not begun when its intent can not be written', async () => {
    let charged = 0;
    const w = await stepWorld(
      (_fire, ctx) =>
        ctx.once('charge', () => {
          charged += 1;
        }),
      { verbs: () => ({ writeStep: () => Promise.reject(new Error('no route')) }) },
    );
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'timed-out' });
    expect(charged).toBe(0);
  });

  it.each<[string, (ctx: Context) => unknown]>([
    ['plain step', (ctx) => ctx.step('charge', () => 1)],
    ['commit', (ctx) => ctx.commit('charge', [])],
  ])('that has become a %s is uncertain all the same', async (_what, anew) => {
    const w = await stepWorld([(_fire, ctx) => ctx.once('charge', dies), (_fire, ctx) => anew(ctx)]);
    await begun(w);
    expect(await w.nextAttempt()).toMatchObject({ outcome: 'uncertain' });
  });
});
