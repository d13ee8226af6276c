import { describe, expect, it } from 'vitest';
import { killMarginMs } from '../../functions/contract.ts';
import { takeOver } from '../../functions/domain/attention.ts';
import { cancelRun } from '../../functions/domain/cancel.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { CancelRequest } from '../../functions/domain/run.ts';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import {
  fireTime,
  held,
  jobId,
  key,
  ledgerWith,
  ref,
  type World,
  type WorldOptions,
  world,
} from './world.ts';

const start = fireTime + 2 * second;
const heeds = (signal: AbortSignal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const ignores = () => new Promise(() => undefined);

/** Somebody asks now that the run be ended. */
async function ask(w: World, of: Partial<CancelRequest> = {}): Promise<CancelRequest> {
  const request = { at: w.time.clock(), by: 'ops', reason: 'operator', ...of } as const;
  const asked = cancelRun(await w.run(), request, { state: null, token: 'of the request' });
  if (asked.kind !== 'requested') throw new Error(`the run is not asked to end: ${asked.kind}`);
  expect((await w.ledger.move(ref, asked.fence, asked.change)).kind).toBe('done');
  return request;
}

/** A run that heeds its signal, whose abort is told with its instant. */
async function heeding(options: WorldOptions = {}) {
  const aborts: { at: number; reason: unknown }[] = [];
  const w = await world({
    code: (_fire, { signal }) => {
      signal.addEventListener('abort', () => aborts.push({ at: w.time.clock(), reason: signal.reason }));
      return heeds(signal);
    },
    ...options,
  });
  return { w, aborts };
}

/** The ledger, whose reads of the run are told with their instants, and may fail. */
function watched(clock: () => number, read: (count: number) => void = () => undefined) {
  const memory = memoryLedger();
  const reads: number[] = [];
  const run: Ledger['run'] = async (of) => {
    reads.push(clock());
    read(reads.length);
    return memory.run(of);
  };
  return { ledger: ledgerWith(memory, { run }), memory, reads };
}

describe('a request to cancel', () => {
  it.each([0, 3, 9.999, 10, 14, 25.5, 60])(
    'reaches running code within 15 s, when it comes after %s s',
    async (after) => {
      const { w, aborts } = await heeding();
      const handled = w.deliver();
      await w.time.pass(after * second);
      const { at } = await ask(w);
      await w.time.pass(15 * second);
      expect(await handled).toEqual({ outcome: 'canceled', run: `${jobId}#${key}` });
      expect(aborts).toHaveLength(1);
      expect((aborts[0]?.at ?? 0) - at).toBeLessThanOrEqual(15 * second);
    },
  );

  it('ends the run canceled where its code throws, and gives its slot back', async () => {
    const { w } = await heeding();
    const handled = w.deliver();
    await w.time.pass(4 * second);
    const request = await ask(w, { note: 'wrong file' });
    await w.time.until(handled);
    const run = await w.run();
    expect(run).toMatchObject({
      ...{ state: 'canceled', reason: 'operator', settledAt: start + 10 * second, cancelRequested: request },
      error: { name: 'CanceledError', message: 'canceled by ops at 2026-12-01T03:00:06Z: wrong file' },
      attempts: [{ outcome: 'canceled' }],
    });
    expect(run).not.toHaveProperty('supersededBy');
    expect(run).not.toHaveProperty('attentionAt');
    expect(await w.ledger.job(jobId)).toMatchObject({ failuresInARow: 0 });
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(w.recording.exits).toEqual([]);
    expect(w.recording.counts).toEqual(['canceled']);
    expect(w.recording.logs.at(-1)).toMatchObject({ level: 'warn', message: 'canceled' });
    expect(w.time.sleepers).toBe(0);
  });

  it('of a newer fire says which one takes its place', async () => {
    const { w, aborts } = await heeding();
    const handled = w.deliver();
    await w.time.pass(0);
    const by = toIso(fireTime + minute);
    await ask(w, { by, reason: 'superseded' });
    await w.time.until(handled);
    expect(await w.run()).toMatchObject({ state: 'canceled', reason: 'superseded', supersededBy: by });
    expect(aborts[0]?.reason).toMatchObject({
      name: 'CanceledError',
      message: `canceled at 2026-12-01T03:00:02Z: the fire of ${by} takes its place`,
    });
  });

  it('keeps the error and the stack of code that throws one of its own, under its name', async () => {
    const error = new Error('half-way');
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(0);
    await ask(w);
    await w.time.pass(10 * second);
    running.fail(error);
    await handled;
    const message = 'canceled by ops at 2026-12-01T03:00:02Z; its abort ended in Error: half-way';
    expect(await w.run()).toMatchObject({
      ...{ state: 'canceled', error: { name: 'CanceledError', message, stack: error.stack } },
    });
  });

  it('leaves the run succeeded where its code returns all the same: the work is done', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(0);
    await ask(w);
    await w.time.pass(24 * second);
    running.settle({ sent: 3 });
    expect(await handled).toMatchObject({ outcome: 'succeeded' });
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: { sent: 3 } });
    expect(w.recording.exits).toEqual([]);
  });

  it('that comes when the code is about to end changes nothing', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const handled = w.deliver();
    await w.time.pass(9 * second);
    await ask(w);
    running.settle();
    expect(await handled).toMatchObject({ outcome: 'succeeded' });
    expect(w.time.sleepers).toBe(0);
  });

  it('that code ignores for 15 s has the run marked, ends the process, and the end of the lease cancels it', async () => {
    const w = await world({ code: ignores });
    const handled = w.deliver();
    await w.time.pass(0);
    await ask(w);
    await w.time.pass(25 * second - 1);
    expect(w.recording.exits).toEqual([]);
    await w.time.pass(1);
    expect(await handled).toMatchObject({ outcome: 'canceled' });
    expect(w.recording.exits).toEqual([1]);
    const marked = await w.run();
    const message = 'canceled by ops at 2026-12-01T03:00:02Z; the handler then ignored its abort for 15 s';
    expect(marked).toMatchObject({
      ...{ state: 'running', timedOutAt: start + 25 * second, error: { name: 'CanceledError', message } },
    });
    const state = await w.ledger.job(jobId);
    expect(state).toMatchObject({ slot: key });
    const leaseOver = start + 5 * minute + killMarginMs + minute;
    const at = { job: w.entry, state, pools: new Map(), token: 'of the reconciler' };
    expect(takeOver(marked, { ...at, now: leaseOver - 1 })).toBeNull();
    const taken = takeOver(marked, { ...at, now: leaseOver });
    expect(taken?.what).toBe('canceled');
    if (taken !== null) await w.ledger.move(ref, taken.fence, taken.change, taken);
    expect(await w.run()).toMatchObject({ state: 'canceled', reason: 'operator' });
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
  });
});

describe('an attempt looks at its own record', () => {
  it('every 10 s, and not before: a shorter run costs no request for it', async () => {
    const running = held();
    const { ledger, reads } = watched(() => w.time.clock());
    const w = await world({ code: running.code, ledger });
    const handled = w.deliver();
    await w.time.pass(10 * second - 1);
    expect(reads).toEqual([]);
    await w.time.pass(25 * second);
    running.settle();
    await handled;
    await w.time.pass(minute);
    expect(reads.map((at) => at - start)).toEqual([10, 20, 30].map((seconds) => seconds * second));
  });

  it('and goes on to the next look where one fails, which is told', async () => {
    const { ledger } = watched(
      () => w.time.clock(),
      (count) => {
        if (count <= 2) throw new Error('no route');
      },
    );
    const { w, aborts } = await heeding({ ledger });
    const handled = w.deliver();
    await w.time.pass(20 * second);
    const failed = w.recording.logs.filter(({ level }) => level === 'warn');
    expect(failed.map(({ fields }) => fields.error)).toEqual([new Error('no route'), new Error('no route')]);
    await ask(w);
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'canceled' });
    expect(aborts.map(({ at }) => at)).toEqual([start + 30 * second]);
  });

  it.each(['throws', 'returns', 'goes on'])(
    'and stops code whose run was taken over; its outcome is lost when it then %s',
    async (then) => {
      const { w, aborts } = await heeding({
        code: async (_fire, { signal }) => {
          signal.addEventListener('abort', () => aborts.push({ at: w.time.clock(), reason: signal.reason }));
          if (then === 'goes on') return ignores();
          const settled = heeds(signal);
          return then === 'throws' ? settled : settled.catch(() => 'done');
        },
      });
      const handled = w.deliver();
      await w.time.pass(3 * second);
      const { token } = await w.run();
      const taken = { set: { state: 'parked', reason: 'crashed', token: 'taken-over-by' } } as const;
      await w.ledger.move(ref, { state: 'running', token }, taken);
      expect(await w.time.until(handled)).toMatchObject({ outcome: 'lost' });
      expect(aborts).toMatchObject([{ at: start + 10 * second, reason: { name: 'FenceError' } }]);
      expect(await w.run()).toMatchObject({ state: 'parked', token: 'taken-over-by' });
      expect(w.recording.exits).toEqual(then === 'goes on' ? [1] : []);
      expect(w.recording.counts).toEqual([]);
    },
  );
});
