import { describe, expect, it } from 'vitest';
import { second } from '../../../functions/domain/time.ts';
import { type Context, Fatal, Retry } from '../../../functions/job.ts';
import { fireTime, ref } from '../world.ts';
import { begun, dies, losingAnswers, stepWorld } from './attempts.ts';

const start = fireTime + 2 * second;

describe('a step', () => {
  it('costs one request, and a first attempt asks for none that are known', async () => {
    const w = await stepWorld(async (_fire, ctx) => [
      await ctx.step('one', () => 1),
      await ctx.step('two', async () => ({ of: [2] })),
    ]);
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect((await w.run()).result).toEqual([1, { of: [2] }]);
    expect(w.asked).toMatchObject({ reads: 0, writes: [{}, {}] });
    const { token } = await w.run();
    const record = { kind: 'step', state: 'done', at: start, restarts: 0, token };
    expect(await w.steps()).toEqual({
      one: { ...record, name: 'one', result: 1 },
      two: { ...record, name: 'two', result: { of: [2] } },
    });
  });

  it('that is known is not done again: a later attempt asks once, and gets its result', async () => {
    const done: string[] = [];
    const work = (name: string) => () => {
      done.push(name);
      return { by: name };
    };
    const w = await stepWorld([
      async (_fire, ctx) => {
        await ctx.step('one', work('one'));
        await ctx.step('nothing', () => undefined);
        await dies();
      },
      async (_fire, ctx) => [
        await ctx.step('nothing', work('nothing')),
        await ctx.step('one', work('one')),
        await ctx.step('two', work('two')),
      ],
    ]);
    await begun(w);
    expect(await w.nextAttempt()).toMatchObject({ outcome: 'succeeded' });
    expect((await w.run()).result).toEqual([null, { by: 'one' }, { by: 'two' }]);
    expect(done).toEqual(['one', 'two']);
    expect(w.asked.reads).toBe(1);
    expect(w.asked.writes).toHaveLength(3);
  });

  it('whose attempt died before its result was on record is done once more', async () => {
    let done = 0;
    const work = () => {
      done += 1;
      return done === 1 ? dies() : done;
    };
    const w = await stepWorld((_fire, ctx) => ctx.step('one', work));
    await begun(w);
    await w.nextAttempt();
    expect([done, (await w.run()).result]).toEqual([2, 2]);
  });

  it('of a run that was begun anew counts no more, and its record is replaced', async () => {
    let done = 0;
    const code = (ctx: Context) =>
      ctx.step('one', () => {
        done += 1;
        return done;
      });
    const w = await stepWorld([
      async (_fire, ctx) => {
        await code(ctx);
        await dies();
      },
      async (_fire, ctx) => {
        await code(ctx);
        await dies();
      },
      (_fire, ctx) => code(ctx),
    ]);
    await begun(w);
    void w.nextAttempt({ restarts: 1 }).catch(() => undefined);
    await w.time.pass(0);
    expect(await w.steps()).toMatchObject({ one: { result: 2, restarts: 1 } });
    await w.nextAttempt();
    expect([done, (await w.run()).result]).toEqual([2, 2]);
  });

  it('gives in the first attempt what JSON makes of its result, as in each later one', async () => {
    const at = new Date(start);
    const w = await stepWorld((_fire, ctx) => ctx.step('one', () => ({ at, none: undefined })));
    await w.deliver();
    expect((await w.run()).result).toEqual({ at: at.toISOString() });
  });

  it('whose answer was lost recognises its own record', async () => {
    let done = 0;
    const code = (_fire: unknown, ctx: Context) =>
      ctx.step('one', () => {
        done += 1;
        return 'x';
      });
    const w = await stepWorld(code, { verbs: losingAnswers(0) });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(w.asked.writes).toHaveLength(2);
    expect(done).toBe(1);
  });

  it('is written again when it collided, up to the end of the attempt', async () => {
    let tries = 0;
    const w = await stepWorld((_fire, ctx) => ctx.step('one', () => 1), {
      verbs: (memory) => ({
        writeStep: async (...args) => {
          tries += 1;
          return tries < 4 ? { kind: 'conflict' } : memory.writeStep(...args);
        },
      }),
    });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(tries).toBe(4);
  });

  it('that fails fails the attempt, leaves nothing behind, and may be tried again by the code', async () => {
    let tries = 0;
    const w = await stepWorld(async (_fire, ctx) => {
      const work = () => {
        tries += 1;
        if (tries < 3) throw new Error(`try ${tries}`);
        return tries;
      };
      await ctx.step('one', work).catch(() => undefined);
      await ctx.step('one', work);
    });
    expect(await w.deliver()).toMatchObject({ outcome: 'failed' });
    expect((await w.run()).error).toMatchObject({ message: 'try 2' });
    expect(w.asked.writes).toEqual([]);
  });
});

describe('a step that is to be retried', () => {
  it('is tried again after growing pauses, so often and no more', async () => {
    const tries: number[] = [];
    const failing = (times: number) => () => {
      tries.push(w.time.clock() - start);
      if (tries.length <= times) throw new Error(`try ${tries.length}`);
      return 'done';
    };
    let w = await stepWorld(
      (_fire, ctx) => ctx.step('one', { retries: 3, backoff: '4 seconds' }, failing(3)),
      {
        ports: () => ({ random: () => 0.5 }),
      },
    );
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(tries).toEqual([0, 2_000, 6_000, 14_000]);
    tries.length = 0;
    w = await stepWorld((_fire, ctx) => ctx.step('one', { retries: 2 }, failing(3)));
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'failed' });
    expect(tries).toEqual([0, 1_000, 2_000]);
    expect((await w.run()).error).toMatchObject({ message: 'try 3' });
  });

  it.each([new Fatal('no use'), new Retry({ after: '1 minute' })])(
    'lets what speaks of the whole run through at once: $name',
    async (error) => {
      let tries = 0;
      const w = await stepWorld((_fire, ctx) =>
        ctx.step('one', { retries: 5 }, () => {
          tries += 1;
          throw error;
        }),
      );
      await w.time.until(w.deliver());
      expect(tries).toBe(1);
    },
  );

  it('gives up when the attempt has no time left for the pause', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      throw new Error('no');
    };
    const options = { retries: 20, backoff: '1 minute' } as const;
    const w = await stepWorld((_fire, ctx) => ctx.step('one', options, work), {
      ports: () => ({ random: () => 0.99 }),
    });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'failed' });
    expect(tries).toBe(6);
  });

  it.each<[string, (signal: AbortSignal) => Promise<never>]>([
    ['its pause', () => Promise.reject(new Error('no'))],
    [
      'its work',
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ],
  ])('is not tried again when its signal aborts in %s', async (_where, work) => {
    let tries = 0;
    const options = { retries: 9, backoff: '1 minute' } as const;
    const code = (_fire: unknown, ctx: Context) =>
      ctx.step('one', options, () => {
        tries += 1;
        return work(ctx.signal);
      });
    const w = await stepWorld(code, { ports: () => ({ random: () => 0.99 }) });
    const { handled } = await begun(w);
    const { token } = await w.run();
    const cancelRequested = { at: start, by: 'ops', reason: 'operator' } as const;
    const fence = { state: 'running', token } as const;
    await w.ledger.move(ref, fence, { set: { state: 'running', cancelRequested } });
    await w.time.pass(15 * second);
    expect(await handled).toMatchObject({ outcome: 'canceled' });
    expect(tries).toBe(1);
  });

  it('refuses options that make no sense before it does anything', async () => {
    const w = await stepWorld((_fire, ctx) => ctx.step('one', { retries: 21 }, () => 1));
    await w.deliver();
    expect((await w.run()).error).toMatchObject({
      name: 'StepError',
      message: 'ctx.step("one"): retries is 21; allowed is a whole number from 0 to 20',
    });
  });
});

describe('what can not be a step', () => {
  const messageOf = async (name: unknown, result?: unknown) => {
    const w = await stepWorld((_fire, ctx) => ctx.step(name as string, () => result));
    await w.deliver();
    expect(w.asked.writes).toEqual([]);
    const { error } = await w.run();
    expect(error?.name).toBe('StepError');
    return error?.message;
  };

  it.each([
    ['', 'ctx.step(""): the name is empty; allowed are 1 to 100 printable characters without #'],
    ['a#1', 'ctx.step("a#1"): the name has a #; allowed are 1 to 100 printable characters without #'],
    [
      'a\nb',
      'ctx.step("a\\nb"): the name has characters that can not be printed; allowed are 1 to 100 printable characters without #',
    ],
    [7, 'ctx.step(7): the name is a number; allowed are 1 to 100 printable characters without #'],
  ])('the name %j', async (name, message) => {
    expect(await messageOf(name)).toBe(message);
  });

  it('a name of 101 characters; one of 100 in any script is fine', async () => {
    expect(await messageOf('x'.repeat(101))).toContain('the name has 101 characters');
    const w = await stepWorld((_fire, ctx) => ctx.step(`Gehälter (März) 給与 €: ${'x'.repeat(77)}`, () => 1));
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
  });

  it('one with the name of another', async () => {
    const w = await stepWorld(async (_fire, ctx) => {
      await ctx.step('pay', () => 1);
      await ctx.once('pay', () => 2);
    });
    await w.deliver();
    expect((await w.run()).error).toMatchObject({
      name: 'StepError',
      message:
        'ctx.once("pay"): this attempt has another step of that name; put into it what tells them apart, such as "pay 2", or use ctx.map',
    });
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  it.each([
    ['a function', { retry: () => 1 }, /result can not be kept: it has a function at "retry"/],
    ['a cycle', cycle, /result can not be kept: .*circular/],
    ['what gives no JSON', { toJSON: () => undefined }, /result can not be kept: a object has no JSON/],
    ['a BigInt', [1n], /it has a bigint at "0"/],
    ['a symbol', Symbol('x'), /it has a symbol/],
    ['a number that JSON lacks', { sum: Number.NaN }, /it has the number NaN at "sum"/],
    ['a map', { by: new Map() }, /it has a Map at "by"/],
  ])('one that returns %s', async (_what, result, message) => {
    expect(await messageOf('pay', result)).toMatch(message);
  });

  it('one that returns more than 300 KB', async () => {
    expect(await messageOf('pay', 'x'.repeat(300 * 1024))).toBe(
      'ctx.step("pay"): its result has 307202 bytes of JSON; at most 307200 are kept. Store it elsewhere and return where',
    );
  });
});
