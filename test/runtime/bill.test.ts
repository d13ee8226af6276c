import { describe, expect, it } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import type { Ports } from '../../functions/runtime/ports.ts';
import { fireTime, held, ledgerWith, offered, ref, world } from './world.ts';

/** What the first attempt of the fire used, as its record has it. */
async function billOf(w: Awaited<ReturnType<typeof world>>) {
  return (await w.run()).attempts[0]?.bill;
}

const used = { wallMs: 12.5, cpuUserMs: 3, peakMemoryMb: 80 };

describe('the bill of an attempt', () => {
  it('has what was measured while its code ran, and what the code declared, added up', async () => {
    const order: string[] = [];
    const meter = {
      start: () => {
        order.push('start');
        return { used: () => used, stop: () => void order.push('stop') };
      },
    };
    const w = await world({
      ports: () => ({ meter }),
      code: async (_fire, ctx) => {
        order.push('code');
        ctx.meter('reports-db', { reads: 1_000 });
        await null;
        ctx.meter('reports-db', { reads: 200, rows: 7 });
        ctx.meter('mail', { messages: 1 });
      },
    });
    await w.deliver();
    expect(order).toEqual(['start', 'code', 'stop']);
    const metered = { 'reports-db': { reads: 1_200, rows: 7 }, mail: { messages: 1 } };
    expect(await billOf(w)).toEqual({ ...used, metered });
    expect(w.recording.logs.at(-1)).toMatchObject({ message: 'succeeded', fields: { bill: { metered } } });
    expect(w.recording.bills).toEqual([{ ...used, metered }]);
  });

  it('says nothing of what was not declared', async () => {
    const w = await world();
    await w.deliver();
    expect(await billOf(w)).toEqual({ wallMs: 0 });
  });

  it('goes with a failure too: what it had used when it threw', async () => {
    const w = await world({
      code: (_fire, ctx) => {
        ctx.meter('reports-db', { reads: 3 });
        throw new Error('the database is gone');
      },
    });
    await w.deliver();
    expect(await w.run()).toMatchObject({ state: 'failed', attempts: [{ outcome: 'failed' }] });
    expect(await billOf(w)).toEqual({ wallMs: 0, metered: { 'reports-db': { reads: 3 } } });
    expect(w.recording.logs.at(-1)).toMatchObject({ message: 'failed', fields: { bill: { wallMs: 0 } } });
  });

  it('goes with the mark of a handler that ignores its abort, and stays when the run is settled', async () => {
    const w = await world({ code: held().code });
    const handled = w.deliver();
    await w.time.pass(6 * minute);
    expect(await handled).toMatchObject({ outcome: 'timed-out' });
    const bill = { wallMs: 5 * minute + 15 * second };
    const { token } = await w.run();
    expect(await w.run()).toMatchObject({ state: 'running', attempts: [{ bill }] });
    expect(w.recording.bills).toEqual([bill]);
    const settle = { number: 1, settledAt: 0, outcome: 'timed-out' } as const;
    await w.ledger.move(ref, { state: 'running', token }, { set: { state: 'failed' }, settle });
    expect(await billOf(w)).toEqual(bill);
  });

  it('of an attempt that lost its run is in the log and the metrics alone', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(second);
    const { token } = await w.run();
    await w.ledger.move(ref, { state: 'running', token }, { set: { state: 'parked', token: 'another' } });
    running.settle();
    expect(await handled).toMatchObject({ outcome: 'lost' });
    expect(await billOf(w)).toBeUndefined();
    expect(w.recording.logs.at(-1)?.fields).toMatchObject({ bill: { wallMs: second } });
    expect(w.recording.bills).toEqual([{ wallMs: second }]);
  });

  it('has how long its run had waited for each pool before this attempt, and not before an earlier one', async () => {
    const w = await world();
    const pool = (from: number, until: number, pools: Record<string, number>) => {
      const instants = { from: fireTime + from * second, until: fireTime + until * second };
      return { reason: 'pool', ...instants, pools } as const;
    };
    const waits = [
      pool(0, 5, { 'reports-db': 2 }),
      { reason: 'slot', from: fireTime + 20 * second, until: fireTime + 30 * second },
      pool(30, 40, { 'reports-db': 2, mail: 1 }),
      pool(41, 42.5, { mail: 1 }),
    ] as const;
    const before = { token: 'before', requestId: 'request-0', pid: 1, leaseUntil: fireTime + 12 * second };
    const first = {
      ...before,
      number: 1,
      startedAt: fireTime + 5 * second,
      settledAt: fireTime + 12 * second,
    };
    const offer = await offered(w, { waits, attempts: [first] });
    await w.send({ ...offer, attempt: 2 });
    const bill = { wallMs: 0, waitedMs: { 'reports-db': 10 * second, mail: 11.5 * second } };
    expect((await w.run()).attempts[1]).toMatchObject({ number: 2, bill });
    expect(w.recording.bills).toEqual([bill]);
    expect(w.recording.logs.at(-1)).toMatchObject({ message: 'succeeded', fields: { bill } });
  });

  it('there is none when no code ran', async () => {
    const ledgerOf = ({ ledger }: Ports) =>
      ledgerWith(ledger, {
        history: () => {
          throw new Error('out of reach');
        },
      });
    const w = await world({ ports: (ports) => ({ ledger: ledgerOf(ports) }) });
    const offer = await offered(w, { coversFrom: 0 });
    await w.time.until(w.send(offer));
    expect(await w.run()).toMatchObject({ state: 'failed', error: { message: 'out of reach' } });
    expect(await billOf(w)).toBeUndefined();
    expect(w.recording.bills).toEqual([]);
  });
});

describe('what a bill does not take', () => {
  it('is an error of the code that declared it, and leaves what was declared before', async () => {
    const w = await world({
      code: (_fire, ctx) => {
        ctx.meter('reports-db', { reads: 3 });
        ctx.meter('reports-db', { rows: 1, reads: Number.NaN });
      },
    });
    await w.deliver();
    expect(await w.run()).toMatchObject({
      state: 'failed',
      error: {
        name: 'RangeError',
        message: expect.stringContaining("ctx.meter('reports-db', { reads: … })"),
      },
    });
    expect((await billOf(w))?.metered).toEqual({ 'reports-db': { reads: 3 } });
  });

  it('fails nothing when the code catches it', async () => {
    const w = await world({
      code: (_fire, ctx) => {
        try {
          ctx.meter('Not A Name', { reads: 1 });
          return 'taken';
        } catch {
          return 'caught';
        }
      },
    });
    await w.deliver();
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: 'caught' });
    expect(await billOf(w)).toEqual({ wallMs: 0 });
  });
});
