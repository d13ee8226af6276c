import { describe, expect, it } from 'vitest';
import { second } from '../../functions/domain/time.ts';
import type { Context } from '../../functions/job.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { fireTime, held, ledgerWith, ref, world } from './world.ts';

const start = fireTime + 2 * second;

/** Runs on while the test says how far it is. */
async function reporting() {
  const running = held();
  const memory = memoryLedger();
  const writes: unknown[] = [];
  const move: typeof memory.move = (...args) => {
    if (args[2].set.progress) writes.push(args[2].set.progress);
    return memory.move(...args);
  };
  let ctx: Context | undefined;
  const code = (_fire: unknown, given: Context) => {
    ctx = given;
    return running.promise;
  };
  const w = await world({ code, ledger: ledgerWith(memory, { move }) });
  const handled = w.deliver();
  await w.time.pass(0);
  if (ctx === undefined) throw new Error('the code did not start');
  return { w, ctx, running, handled, writes };
}

describe('ctx.progress', () => {
  it('is on the record at once, and then at most every five seconds', async () => {
    const { w, ctx, running, handled, writes } = await reporting();
    for (const done of [1, 2, 3, 4, 5, 6, 7]) {
      ctx.progress(done, 500, 'invoices');
      await w.time.pass(second);
    }
    expect(await w.run()).toMatchObject({
      state: 'running',
      progress: { done: 6, total: 500, note: 'invoices', at: start + 5 * second },
    });
    expect(writes).toHaveLength(2);
    running.settle();
    await handled;
  });

  it('is kept by the last write, whatever it last said', async () => {
    const { w, ctx, running, handled, writes } = await reporting();
    ctx.progress(1);
    ctx.progress(2, 3);
    running.fail(new Error('the bank did not answer'));
    await handled;
    expect(await w.run()).toMatchObject({ state: 'failed', progress: { done: 2, total: 3, at: start } });
    expect(writes).toHaveLength(2);
  });

  it('changes nothing of a run that was taken over, and the code goes on', async () => {
    const { w, ctx, running, handled } = await reporting();
    const { token } = await w.run();
    const taken = { set: { state: 'parked', reason: 'crashed', token: 'taken-over' } } as const;
    await w.ledger.move(ref, { state: 'running', token }, taken);
    ctx.progress(7);
    await w.time.pass(0);
    expect(await w.run()).not.toHaveProperty('progress');
    running.settle();
    expect(await handled).toMatchObject({ outcome: 'lost' });
  });

  it('that can not be written is a warning', async () => {
    const memory = memoryLedger();
    const w = await world({
      code: async (_fire, ctx) => {
        ctx.progress(1);
        await Promise.resolve();
      },
      ledger: ledgerWith(memory, {
        move: async (...args) => {
          if (args[2].settle === undefined) throw new Error('no route');
          return memory.move(...args);
        },
      }),
    });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(w.recording.logs.map(({ message }) => message)).toContain(
      'how far the job is could not be written',
    );
  });

  it.each([
    [-1, undefined, 'ctx.progress: done is a number from 0, such as 120; got -1'],
    [Number.NaN, undefined, 'ctx.progress: done is a number from 0, such as 120; got NaN'],
    [1, Number.POSITIVE_INFINITY, 'ctx.progress: total is a number from 0, such as 120; got Infinity'],
  ])('refuses %s of %s', async (done, total, message) => {
    const w = await world({ code: (_fire, ctx) => ctx.progress(done, total) });
    await w.deliver();
    expect((await w.run()).error).toMatchObject({ name: 'RangeError', message });
  });

  it('keeps the beginning of a long note', async () => {
    const w = await world({ code: (_fire, ctx) => ctx.progress(1, 2, 'n'.repeat(500)) });
    await w.deliver();
    expect((await w.run()).progress?.note).toHaveLength(200);
  });

  it('keeps nothing of a note that no store could take: half a character', async () => {
    const w = await world({ code: (_fire, ctx) => ctx.progress(1, 2, `n${'😀'.repeat(150)}`) });
    await w.deliver();
    expect((await w.run()).progress?.note).toBe(`n${'😀'.repeat(99)}\ufffd`);
  });
});
