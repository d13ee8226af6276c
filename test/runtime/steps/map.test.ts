import { describe, expect, it } from 'vitest';
import type { Context, MapOptions } from '../../../functions/job.ts';
import { held } from '../world.ts';
import { begun, dies, losingAnswers, stepWorld } from './attempts.ts';

const items = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);
const byItself: Pick<MapOptions<string>, 'key'> = { key: (item) => item };

/** Work that is counted by item, and dies or fails where it is told to. */
function counted(at: { diesAt?: number; failsAt?: string } = {}) {
  const done = new Map<string, number>();
  let calls = 0;
  const work = async (item: string) => {
    calls += 1;
    if (calls === at.diesAt) return dies();
    if (item === at.failsAt) throw new Error(`no such account: ${item}`);
    done.set(item, (done.get(item) ?? 0) + 1);
    return `paid ${item}`;
  };
  return { done, work, most: () => Math.max(...done.values()) };
}

describe('a map', () => {
  it.each([
    [0, 0],
    [1, 1],
    [100, 1],
    [101, 2],
    [1_000, 10],
  ])(
    'of %i items costs %i requests, and gives the results in the order of the items',
    async (count, requests) => {
      const { work, done } = counted();
      const w = await stepWorld(async (_fire, ctx) => {
        const results = await ctx.map(items(count), byItself, work);
        expect(results).toEqual(items(count).map((item) => `paid ${item}`));
      });
      expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
      expect(done.size).toBe(count);
      expect(w.asked).toMatchObject({ reads: 0 });
      expect(w.asked.writes).toHaveLength(requests);
    },
  );

  it('works on so many items at once, and no more', async () => {
    let now = 0;
    let most = 0;
    const turns: (() => void)[] = [];
    const work = async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise<void>((resolve) => turns.push(resolve));
      now -= 1;
    };
    const w = await stepWorld((_fire, ctx) => ctx.map(items(20), { ...byItself, concurrency: 4 }, work));
    const { handled } = await begun(w);
    for (let turn = 0; turn < 20; turn += 1) {
      await w.time.pass(0);
      turns.shift()?.();
    }
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'succeeded' });
    expect(most).toBe(4);
  });

  it.each([1, 2, 7, 33, 99, 250])(
    'whose attempt dies over its call %i does none of a recorded batch again, and at most one batch twice',
    async (diesAt) => {
      const { work, done, most } = counted({ diesAt });
      const code = (_fire: unknown, ctx: Context) =>
        ctx.map('pay', items(250), { ...byItself, batch: 20, concurrency: 8 }, work);
      const w = await stepWorld(code);
      await begun(w);
      expect(await w.nextAttempt()).toMatchObject({ outcome: 'succeeded' });
      expect((await w.run()).result).toEqual(items(250).map((item) => `paid ${item}`));
      expect(most()).toBeLessThanOrEqual(2);
      const twice = [...done.values()].filter((times) => times === 2).length;
      expect(twice).toBeLessThanOrEqual(20);
      expect(w.asked.reads).toBe(1);
    },
  );

  it('whose attempt dies again and again ends all the same, and repeats a batch for each death at most', async () => {
    let calls = 0;
    let repeated = 0;
    const done = new Set<string>();
    const work = async (item: string) => {
      calls += 1;
      if (calls % 37 === 0) return dies();
      if (done.has(item)) repeated += 1;
      done.add(item);
      return item;
    };
    const w = await stepWorld((_fire, ctx) => ctx.map(items(120), { ...byItself, batch: 10 }, work));
    await begun(w);
    let deaths = 1;
    for (; deaths < 20 && (await w.run()).state !== 'succeeded'; deaths += 1) {
      w.nextAttempt().catch(() => undefined);
      await w.time.pass(0);
    }
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: items(120) });
    expect(deaths).toBeGreaterThan(2);
    expect(repeated).toBeLessThanOrEqual(10 * deaths);
  });

  it('keeps undefined, and keys that objects are odd about', async () => {
    const keys = ['__proto__', '10', '9', 'constructor', 'ü'];
    const work = (item: string) => (item === '9' ? undefined : { of: item });
    const seen: unknown[] = [];
    const code = async (_fire: unknown, ctx: Context) => {
      seen.push(await ctx.map(keys, byItself, work));
    };
    const w = await stepWorld([
      async (fire, ctx) => {
        await code(fire, ctx);
        await dies();
      },
      code,
    ]);
    await begun(w);
    await w.nextAttempt();
    const results = [{ of: '__proto__' }, { of: '10' }, undefined, { of: 'constructor' }, { of: 'ü' }];
    expect(seen).toEqual([results, results]);
    expect(w.asked.writes).toHaveLength(1);
  });

  it('goes by keys: items may have come and gone between two attempts', async () => {
    const { work, done } = counted();
    const w = await stepWorld([
      async (_fire, ctx) => {
        await ctx.map(['a', 'b', 'c'], byItself, work);
        await dies();
      },
      (_fire, ctx) => ctx.map(['d', 'c', 'a'], byItself, work),
    ]);
    await begun(w);
    await w.nextAttempt();
    expect((await w.run()).result).toEqual(['paid d', 'paid c', 'paid a']);
    expect([...done]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
    ]);
    expect(Object.keys(await w.steps())).toEqual(['map#0', 'map#1']);
  });

  it('of a run that was begun anew is done anew, over the records of before', async () => {
    const { work, done } = counted();
    const w = await stepWorld([
      async (_fire, ctx) => {
        await ctx.map(items(5), { ...byItself, batch: 2 }, work);
        await dies();
      },
      (_fire, ctx) => ctx.map(items(5), { ...byItself, batch: 2 }, work),
    ]);
    await begun(w);
    expect(await w.nextAttempt({ restarts: 1 })).toMatchObject({ outcome: 'succeeded' });
    expect([...done.values()]).toEqual([2, 2, 2, 2, 2]);
    expect(Object.values(await w.steps()).map(({ restarts }) => restarts)).toEqual([1, 1, 1]);
  });

  it('with a failing item begins no further one, records those that are done, and fails with its error', async () => {
    const { work, done } = counted({ failsAt: 'e5' });
    const w = await stepWorld((_fire, ctx) => ctx.map(items(100), { ...byItself, concurrency: 2 }, work));
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'failed' });
    expect((await w.run()).error).toMatchObject({ message: 'no such account: e5' });
    expect(done.size).toBeLessThan(10);
    const recorded = Object.values(await w.steps()).flatMap(({ result }) => result as unknown[]);
    expect(recorded).toHaveLength(done.size);
    expect(w.asked.writes).toHaveLength(1);
  });

  it('tries a failing item again when it is to', async () => {
    let tries = 0;
    const work = (item: string) => {
      if (item === 'e3' && ++tries < 3) throw new Error('busy');
      return item;
    };
    const w = await stepWorld((_fire, ctx) => ctx.map(items(6), { ...byItself, retries: 2 }, work));
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(tries).toBe(3);
  });

  it('that runs out of time records what is done by then', async () => {
    const asleep = held();
    const work = (item: string) => (item === 'e7' ? asleep.promise : item);
    const w = await stepWorld((_fire, ctx) => ctx.map(items(50), { ...byItself, concurrency: 1 }, work));
    const { handled } = await begun(w);
    await w.time.pass(5 * 60_000);
    asleep.settle('e7');
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'timed-out' });
    const recorded = Object.values(await w.steps()).flatMap(({ result }) => result as unknown[]);
    expect(recorded).toHaveLength(8);
  });

  it('of slow items has what is done on record within 5 seconds', async () => {
    const work = (item: string) => new Promise((resolve) => w.time.after(2_000, () => resolve(item)));
    const w = await stepWorld((_fire, ctx) => ctx.map(items(20), { ...byItself, concurrency: 1 }, work));
    const { handled } = await begun(w);
    await w.time.pass(7_000);
    expect(await w.steps()).toMatchObject({
      'map#0': {
        result: [
          ['e0', 'e0'],
          ['e1', 'e1'],
          ['e2', 'e2'],
        ],
      },
    });
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'succeeded' });
    expect(w.asked.writes.length).toBeLessThanOrEqual(8);
    expect(w.time.sleepers).toBe(0);
  });

  it('with one slow item goes on with the others', async () => {
    const slow = held();
    const work = (item: string) => (item === 'e0' ? slow.promise : item);
    const w = await stepWorld((_fire, ctx) =>
      ctx.map(items(50), { ...byItself, batch: 10, concurrency: 2 }, work),
    );
    const { handled } = await begun(w);
    await w.time.pass(60_000);
    const recorded = Object.values(await w.steps()).flatMap(({ result }) => result as unknown[]);
    expect(recorded).toHaveLength(49);
    slow.settle('e0');
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'succeeded' });
    expect((await w.run()).result).toEqual(items(50));
  });

  it('is told by a late record as well that its run is another attempt’s', async () => {
    const slow = held();
    let met: unknown;
    const w = await stepWorld([
      (_fire, ctx) =>
        ctx
          .map(items(2), byItself, (item) => (item === 'e1' ? slow.promise : item))
          .catch((error) => {
            met = error;
            throw error;
          }),
      () => 'the other one',
    ]);
    const { handled } = await begun(w);
    await w.nextAttempt();
    await w.time.pass(6_000);
    slow.settle();
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'lost' });
    expect(met).toMatchObject({ name: 'FenceError' });
    expect(await w.steps()).toEqual({});
  });

  it('begins a new record before one has more than 100 KB', async () => {
    const large = 'x'.repeat(40 * 1024);
    const w = await stepWorld((_fire, ctx) => ctx.map(items(10), byItself, () => large).then(() => 'done'));
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    const sizes = w.asked.writes.map(({ step }) => JSON.stringify(step.result).length);
    expect(sizes.every((size) => size < 101 * 1024)).toBe(true);
    expect(w.asked.writes).toHaveLength(5);
  });

  it('whose answers get lost records nothing twice', async () => {
    const { work, most } = counted();
    const code = (_fire: unknown, ctx: Context) => ctx.map(items(30), { ...byItself, batch: 10 }, work);
    const w = await stepWorld(code, { verbs: losingAnswers(0, 2) });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(most()).toBe(1);
    expect(Object.keys(await w.steps())).toEqual(['map#0', 'map#1', 'map#2']);
  });

  it('has steps of its own in its items', async () => {
    let paid = 0;
    const w = await stepWorld([
      async (_fire, ctx) => {
        const pay = (item: string) => ctx.once(`pay ${item}`, () => ++paid);
        await ctx.map(items(3), { ...byItself, concurrency: 1 }, (item) =>
          item === 'e2' ? dies() : pay(item),
        );
      },
      (_fire, ctx) => ctx.map(items(3), byItself, (item) => ctx.once(`pay ${item}`, () => ++paid)),
    ]);
    await begun(w);
    expect(await w.nextAttempt()).toMatchObject({ outcome: 'succeeded' });
    expect(paid).toBe(3);
  });
});

describe('what can not be mapped', () => {
  it.each([
    [
      { key: () => 'same' },
      'ctx.map("map"): the key of items[1] is "same", which is that of items[0] as well',
    ],
    [
      { key: () => '' },
      'ctx.map("map"): the key of items[0] is ""; allowed is a text of 1 to 200 characters',
    ],
    [
      { ...byItself, concurrency: 0 },
      'ctx.map("map"): concurrency is 0; allowed is a whole number from 1 to 1000',
    ],
    [
      { ...byItself, batch: 1_001 },
      'ctx.map("map"): batch is 1001; allowed is a whole number from 1 to 1000',
    ],
  ])('%j: %s', async (options, message) => {
    const { work, done } = counted();
    const w = await stepWorld((_fire, ctx) => ctx.map(items(2), options, work));
    await w.deliver();
    expect((await w.run()).error).toMatchObject({ name: 'StepError', message });
    expect(done.size).toBe(0);
  });

  it('an item whose result has no JSON', async () => {
    const w = await stepWorld((_fire, ctx) => ctx.map('pay', ['a'], byItself, () => () => 1));
    await w.deliver();
    expect((await w.run()).error?.message).toBe(
      'ctx.map("pay"), the item "a": its result can not be kept: it has a function. Return plain JSON values, or nothing',
    );
  });
});
