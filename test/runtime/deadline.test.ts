import { describe, expect, it } from 'vitest';
import { killMarginMs } from '../../functions/contract.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { fireTime, held, jobId, key, ledgerWith, world } from './world.ts';

const timeout = 5 * minute;
const start = fireTime + 2 * second;
const ignores = () => new Promise(() => undefined);

function honours(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

describe('the deadline', () => {
  it("aborts the signal at the job's timeout, not before", async () => {
    const aborted: number[] = [];
    const w = await world({
      code: (_fire, ctx) => {
        ctx.signal.addEventListener('abort', () => aborted.push(w.time.clock()));
        return honours(ctx.signal);
      },
    });
    const handled = w.deliver();
    await w.time.pass(timeout - 1);
    expect(aborted).toEqual([]);
    await w.time.pass(1);
    expect(aborted).toEqual([start + timeout]);
    expect(await handled).toMatchObject({ outcome: 'timed-out' });
    expect(await w.run()).toMatchObject({
      state: 'failed',
      reason: 'timed-out',
      settledAt: start + timeout,
      error: { name: 'TimeoutError' },
      attempts: [{ outcome: 'timed-out' }],
    });
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(w.recording.exits).toEqual([]);
  });

  it('comes 30 s before the kill when the invocation has less left than the timeout', async () => {
    const w = await world({ code: (_fire, { signal }) => honours(signal) });
    const handled = w.deliver({ remainingMs: minute });
    await w.time.pass(minute - killMarginMs);
    await handled;
    expect(await w.run()).toMatchObject({ settledAt: start + minute - killMarginMs });
  });

  it('is what ctx.remainingMs counts down to', async () => {
    const left: number[] = [];
    const running = held();
    const w = await world({
      code: async (_fire, ctx) => {
        left.push(ctx.remainingMs());
        await running.promise;
        left.push(ctx.remainingMs());
      },
    });
    const handled = w.deliver();
    await w.time.pass(minute);
    running.settle();
    await handled;
    expect(left).toEqual([timeout, timeout - minute]);
  });

  it('leaves a handler that returns after its abort succeeded: the work is done', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(timeout + 14 * second);
    running.settle({ sent: 3 });
    expect(await handled).toMatchObject({ outcome: 'succeeded' });
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: { sent: 3 } });
    expect(w.recording.exits).toEqual([]);
  });

  it("keeps the error and the stack of a handler that throws after its abort, under the timeout's name", async () => {
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(timeout);
    const error = new Error('half-way');
    running.fail(error);
    await handled;
    expect(await w.run()).toMatchObject({
      reason: 'timed-out',
      error: {
        name: 'TimeoutError',
        message: 'ran past its timeout of 300 s; its abort ended in Error: half-way',
        stack: error.stack,
      },
    });
  });

  it('leaves no timer behind when the handler settles in time', async () => {
    const w = await world();
    await w.deliver();
    expect(w.time.sleepers).toBe(0);
    await w.time.pass(10 * minute);
    expect(await w.run()).toMatchObject({ state: 'succeeded', settledAt: start });
    expect(w.recording.exits).toEqual([]);
  });
});

describe('a handler that ignores its abort for 15 s', () => {
  it('has its run marked, keeps slot and lease, and ends its process', async () => {
    const w = await world({ code: ignores });
    const handled = w.deliver();
    await w.time.pass(timeout + 15 * second - 1);
    expect(w.recording.exits).toEqual([]);
    await w.time.pass(1);
    expect(await handled).toMatchObject({ outcome: 'timed-out' });
    expect(w.recording.exits).toEqual([1]);
    expect(await w.run()).toMatchObject({
      state: 'running',
      timedOutAt: start + timeout + 15 * second,
      attentionAt: start + timeout + killMarginMs + minute,
      error: { message: 'ran past its timeout of 300 s; the handler then ignored its abort for 15 s' },
    });
    expect(await w.ledger.job(jobId)).toMatchObject({ slot: key });
    expect(w.recording.logs.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('publishes its metrics before the process ends', async () => {
    const order: string[] = [];
    const w = await world({
      code: ignores,
      ports: ({ metrics }) => ({
        metrics: { ...metrics, flush: () => void order.push('flush') },
        exit: () => void order.push('exit'),
      }),
    });
    await w.time.until(w.deliver());
    expect(order).toEqual(['flush', 'exit']);
  });

  it('ends its process before the kill even when the mark can’t be written', async () => {
    const ledger = ledgerWith(memoryLedger(), { move: () => Promise.reject(new Error('no route')) });
    const w = await world({ ledger, code: ignores });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'timed-out' });
    expect(w.recording.exits).toEqual([1]);
    expect(w.time.clock()).toBeLessThan(start + timeout + killMarginMs);
    expect(w.recording.logs.at(-1)).toMatchObject({
      level: 'error',
      fields: { error: new Error('no route') },
    });
  });

  it('whose run was taken over meanwhile marks nothing', async () => {
    const w = await world({ code: ignores });
    const handled = w.deliver();
    await w.time.pass(0);
    const { token } = await w.run();
    await w.ledger.move(
      { jobId, key },
      { state: 'running', token },
      { set: { state: 'parked', reason: 'crashed', token: 'taken-over' } },
    );
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'lost' });
    expect(await w.run()).not.toHaveProperty('timedOutAt');
    expect(w.recording.exits).toEqual([1]);
  });
});
