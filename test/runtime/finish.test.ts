import { describe, expect, it } from 'vitest';
import { killMarginMs } from '../../functions/contract.ts';
import { type Ledger, Unwritable } from '../../functions/domain/ledger.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { fireTime, held, jobId, key, ledgerWith, losingFirstAnswer, ref, world } from './world.ts';

const start = fireTime + 2 * second;
const killed = start + 5 * minute + killMarginMs;

describe('a finish', () => {
  it('that fails keeps the error, counts it, and frees the slot', async () => {
    const error = new RangeError('no bank file');
    const w = await world({ code: () => Promise.reject(error) });
    expect(await w.deliver()).toMatchObject({ outcome: 'failed' });
    expect(await w.run()).toMatchObject({
      state: 'failed',
      reason: 'error',
      error: { name: 'RangeError', message: 'no bank file', stack: error.stack },
    });
    const job = await w.ledger.job(jobId);
    expect(job).toMatchObject({ failuresInARow: 1 });
    expect(job).not.toHaveProperty('slot');
    expect(w.recording.counts).toEqual(['failed']);
  });

  it('of code that throws before its first await is no different', async () => {
    const w = await world({
      code: () => {
        throw new Error('at once');
      },
    });
    expect(await w.deliver()).toMatchObject({ outcome: 'failed' });
  });

  it('whose fence moved is lost: logged with both tokens, written nowhere, not counted', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(0);
    const { token } = await w.run();
    const taken = { set: { state: 'parked', reason: 'crashed', token: 'taken-over-by' } } as const;
    await w.ledger.move(ref, { state: 'running', token }, taken);
    running.settle({ sent: 3 });
    expect(await handled).toEqual({ outcome: 'lost', run: `${jobId}#${key}` });
    const run = await w.run();
    expect(run).toMatchObject({ state: 'parked', token: 'taken-over-by' });
    expect(run).not.toHaveProperty('result');
    expect(w.recording.counts).toEqual([]);
    expect(w.recording.logs.at(-1)).toMatchObject({
      level: 'error',
      fields: { ours: token.slice(0, 8), theirs: 'taken-ov', state: 'parked' },
    });
    expect(w.recording.logs.at(-1)?.fields.ours).not.toBe(token);
  });

  it('that landed without an answer recognises itself', async () => {
    const w = await world({ ledger: losingFirstAnswer(memoryLedger(), 'move') });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(w.recording.counts).toEqual(['succeeded']);
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
  });

  it.each(['rejected', 'collided'])('that is %s is tried again, the same write each time', async (how) => {
    const memory = memoryLedger();
    const writes: Parameters<Ledger['move']>[] = [];
    const move: Ledger['move'] = async (...args) => {
      writes.push(args);
      if (writes.length > 3) return memory.move(...args);
      if (how === 'rejected') throw new Error('no route');
      return { kind: 'conflict' };
    };
    const w = await world({ ledger: ledgerWith(memory, { move }), code: () => 7 });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(writes).toHaveLength(4);
    expect(new Set(writes.map((write) => JSON.stringify(write))).size).toBe(1);
    const { token } = await w.run();
    expect(writes[0]?.[3]?.requestToken).toBe(`${token}-finish`);
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: 7, settledAt: start });
  });

  it('pauses longer each time, with jitter', async () => {
    const pausesWith = async (random: number) => {
      const at: number[] = [];
      const memory = memoryLedger();
      const move: Ledger['move'] = async (...args) => {
        at.push(w.time.clock());
        if (at.length > 3) return memory.move(...args);
        throw new Error('no route');
      };
      const w = await world({
        ledger: ledgerWith(memory, { move }),
        ports: () => ({ random: () => random }),
      });
      await w.time.until(w.deliver());
      return at.slice(1).map((instant, index) => instant - (at[index] ?? 0));
    };
    expect(await pausesWith(0)).toEqual([25, 50, 100]);
    expect(await pausesWith(0.5)).toEqual([37.5, 75, 150]);
  });

  it.each([
    ['failed', { state: 'failed', error: { name: 'UnwritableError' } }],
    ['succeeded', { state: 'succeeded' }],
  ])('that says what the store can’t take is written without it: %s', async (outcome, kept) => {
    const memory = memoryLedger();
    const move: Ledger['move'] = async (...args) => {
      if (JSON.stringify(args).includes('odd')) throw new Unwritable('no Unicode');
      return memory.move(...args);
    };
    const code = async () => {
      if (outcome === 'failed') throw new Error('odd');
      return 'odd';
    };
    const w = await world({ ledger: ledgerWith(memory, { move }), code });
    expect(await w.deliver()).toMatchObject({ outcome });
    expect(await w.run()).toMatchObject(kept);
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
  });

  it('gives up a second before the kill, loudly: the end of the lease settles the run', async () => {
    const ledger = ledgerWith(memoryLedger(), { move: () => Promise.reject(new Error('no route')) });
    const w = await world({ ledger });
    await expect(w.time.until(w.deliver())).rejects.toThrow('no route');
    expect(w.time.clock()).toBeGreaterThan(killed - 4 * second);
    expect(w.time.clock()).toBeLessThanOrEqual(killed - second);
    expect(w.recording.logs.at(-1)).toMatchObject({ level: 'error' });
    expect(w.recording.counts).toEqual([]);
    expect(await w.run()).toMatchObject({ state: 'running', attentionAt: killed + minute });
  });

  it('keeps the key of the claim whatever the code does to its fire', async () => {
    const w = await world({
      code: (fire) => {
        Object.assign(fire, { id: 'changed', jobId: 'changed' });
        fire.fireTime.setFullYear(1999);
      },
    });
    expect(await w.deliver()).toEqual({ outcome: 'succeeded', run: `${jobId}#${key}` });
    expect(await w.deliver()).toMatchObject({ outcome: 'duplicate' });
    expect(w.started).toHaveLength(1);
  });
});

describe("an author's log line", () => {
  it('carries the job, the fire, the attempt, the request and a short token', async () => {
    const w = await world({ code: (_fire, { log }) => log.info('sent', { invoices: 3 }) });
    await w.deliver();
    const { token } = await w.run();
    expect(w.recording.logs.find(({ message }) => message === 'sent')).toEqual({
      level: 'info',
      message: 'sent',
      fields: {
        ...{ jobId, fireTime: key, attempt: 1, requestId: 'request-1', invoices: 3 },
        token: token.slice(0, 8),
      },
    });
  });
});
