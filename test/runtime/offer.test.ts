import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, it } from 'vitest';
import { fireKey } from '../../functions/domain/names.ts';
import { newRun } from '../../functions/domain/run.ts';
import { day, minute } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { supersede } from '../../functions/testing/past.ts';
import { fireTime, held, jobId, key, ledgerWith, losingFirstAnswer, offered, ref, world } from './world.ts';

const latest = { missed: { policy: 'latest', limit: 100, maxAgeMs: day, ratePerMinute: 10 } } as const;

describe('an offer', () => {
  it("is taken by putting the entry's own token in the place of the offer's", async () => {
    const w = await world();
    expect(await w.send(await offered(w))).toEqual({ outcome: 'succeeded', run: `${jobId}#${key}` });
    const run = await w.run();
    expect(run).toMatchObject({ state: 'succeeded', trigger: 'backfill', attempts: [{ number: 1 }] });
    expect(run.token).not.toBe('of-the-offer');
    expect(w.started).toMatchObject([{ trigger: 'backfill', attempt: 1 }]);
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
  });

  it('delivered twice starts once; the second finds it gone', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const offer = await offered(w);
    const first = w.send(offer);
    await w.time.pass(0);
    expect(await w.send(offer)).toEqual({ outcome: 'offer-gone', run: `${jobId}#${key}` });
    running.settle();
    expect(await first).toMatchObject({ outcome: 'succeeded' });
    expect(w.started).toHaveLength(1);
  });

  it('that was made anew with another token is gone', async () => {
    const w = await world();
    const offer = await offered(w);
    await w.ledger.move(
      ref,
      { state: 'offered', token: offer.token },
      { set: { state: 'offered', token: 'anew' } },
    );
    expect(await w.send(offer)).toMatchObject({ outcome: 'offer-gone' });
    expect(await w.run()).toMatchObject({ state: 'offered', token: 'anew' });
    expect(w.recording.logs.every(({ level }) => level === 'info')).toBe(true);
  });

  it('of a run that does not exist starts nothing', async () => {
    const w = await world();
    const offer = { fireledger: 'offer', jobId, run: key, token: 'x', attempt: 1 };
    expect(await w.send(offer)).toMatchObject({ outcome: 'offer-gone' });
  });

  it('taken without an answer recognises itself, and runs', async () => {
    const w = await world({ ledger: losingFirstAnswer(memoryLedger(), 'move') });
    const offer = await offered(w);
    expect(await w.time.until(w.send(offer))).toMatchObject({ outcome: 'succeeded' });
    expect(w.started).toHaveLength(1);
  });

  it('that was written before a pause still starts', async () => {
    const w = await world();
    const offer = await offered(w);
    await w.ledger.setPause(jobId, { at: fireTime, by: 'op', note: '' });
    expect(await w.send(offer)).toMatchObject({ outcome: 'succeeded' });
  });

  it('keeps its slot to itself: a live fire meanwhile is skipped by the same claim', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const first = w.send(await offered(w));
    await w.time.pass(minute);
    expect(await w.deliver({ scheduledTime: '2026-12-01T03:01:00Z' })).toMatchObject({ outcome: 'skipped' });
    running.settle();
    await first;
    expect(w.started).toHaveLength(1);
  });

  it('of the second attempt says so to its author, and settles that attempt', async () => {
    const w = await world({ job: { crashed: 'rerun' } });
    const crashed = { number: 1, token: 'dead', requestId: 'dead', pid: 1, startedAt: 0, leaseUntil: 1 };
    const offer = await offered(w, {
      trigger: 'schedule',
      crashes: 1,
      attempts: [{ ...crashed, outcome: 'crashed' }],
    });
    await w.send({ ...offer, attempt: 2 });
    expect(w.started).toMatchObject([{ attempt: 2, trigger: 'schedule' }]);
    expect(await w.run()).toMatchObject({
      attempts: [{ outcome: 'crashed' }, { number: 2, outcome: 'succeeded' }],
    });
    expect(w.recording.lateness).toEqual([]);
  });

  it('of a made-up fire nudges at its end, since others may wait for their turn; a live fire does not', async () => {
    const w = await world();
    await w.send(await offered(w));
    expect(w.recording.nudges).toEqual([`${jobId} ended a made-up run`]);
    await w.time.pass(minute);
    await w.deliver({ scheduledTime: '2026-12-01T03:01:00Z' });
    expect(w.recording.nudges).toHaveLength(1);
  });
});

describe('a run that stands for missed fires', () => {
  it('stands for the fires whose chain leads to it, told to its author and kept on its record', async () => {
    const w = await world();
    const fireTimes = [fireTime - 3 * minute, fireTime - 2 * minute, fireTime - minute];
    await supersede(w.ledger, w.entry, { fireTimes, standIn: fireTime });
    await w.send(await offered(w, { coversFrom: fireTime - day }));
    expect(w.started[0]?.covers.map(Number)).toEqual(fireTimes);
    expect(await w.run()).toMatchObject({ covers: fireTimes });
  });

  // Its job may have had another policy when the others were left to it.
  it('stands for them whatever its job says today', async () => {
    const w = await world({ job: { missed: { ...latest.missed, policy: 'skip' } } });
    await supersede(w.ledger, w.entry, { fireTimes: [fireTime - 2 * day], standIn: fireTime });
    await w.send(await offered(w, { coversFrom: fireTime - 3 * day }));
    expect(await w.run()).toMatchObject({ covers: [fireTime - 2 * day] });
  });

  it('looks back no further than to where it covers', async () => {
    const w = await world();
    await supersede(w.ledger, w.entry, { fireTimes: [fireTime - day - minute], standIn: fireTime });
    await w.send(await offered(w, { coversFrom: fireTime - day }));
    expect(w.started[0]?.covers).toEqual([]);
  });

  it('alone looks back: a live fire costs no read', async () => {
    const history = () => {
      throw new Error('the history was read');
    };
    const w = await world({ job: latest, ledger: ledgerWith(memoryLedger(), { history }) });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
  });

  it('that fails or times out still shows what it stood for', async () => {
    const failing = await world({ job: latest, code: () => Promise.reject(new Error('no')) });
    const ignoring = await world({ job: latest, code: () => new Promise(() => undefined) });
    for (const w of [failing, ignoring]) {
      await supersede(w.ledger, w.entry, { fireTimes: [fireTime - minute], standIn: fireTime });
      await w.time.until(w.send(await offered(w, { coversFrom: fireTime - day })));
      expect(await w.run()).toMatchObject({ covers: [fireTime - minute] });
    }
  });
});

describe('a manual run', () => {
  const amount: StandardSchemaV1<unknown, { amount: number }> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) =>
        typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'number'
          ? { value: { amount: value.amount * 100 } }
          : { issues: [{ message: 'must be a number', path: ['amount'] }, { message: 'and not missing' }] },
    },
  };
  const manual = { key: `${fireKey(fireTime)}~manual-x`, trigger: 'manual' } as const;

  it('with an input fails where its job takes none, before its code is started', async () => {
    const w = await world();
    await w.send(await offered(w, { ...manual, input: { amount: 3 } }));
    expect(w.started).toEqual([]);
    expect((await w.run(manual.key)).error?.message).toBe(
      "the input of this manual run was refused: its job takes none, since its file has no 'input'",
    );
  });

  it('is given what its schema made of the input', async () => {
    const w = await world({ input: amount });
    await w.send(await offered(w, { ...manual, input: { amount: 3 } }));
    expect(w.started).toMatchObject([{ trigger: 'manual', input: { amount: 300 } }]);
  });

  it('whose input its schema refuses fails with what is wrong, before its code is started', async () => {
    const w = await world({ input: amount });
    await w.send(await offered(w, { ...manual, input: { amount: '3' } }));
    expect(w.started).toEqual([]);
    const run = await w.run(manual.key);
    expect(run.state).toBe('failed');
    expect(run.error?.message).toMatchInlineSnapshot(
      `"the input of this manual run was refused: amount: must be a number; and not missing"`,
    );
  });

  it('has a schema that scheduled fires, which have no input, need not pass', async () => {
    const w = await world({ input: amount });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
  });
});

describe('ctx.previous', () => {
  it('finds the newest success before this fire, over failures and skips', async () => {
    const found: unknown[] = [];
    const w = await world({ code: async (_fire, ctx) => void found.push(await ctx.previous()) });
    await w.send(await offered(w));
    for (const [minutes, state] of [
      [4, 'succeeded'],
      [3, 'succeeded'],
      [2, 'failed'],
      [1, 'skipped'],
    ] as const) {
      const at = fireTime - minutes * minute;
      const first = { jobId, key: fireKey(at), fireTime: at, specId: w.entry.specId, createdAt: at };
      await w.ledger.create(
        newRun({ ...first, trigger: 'schedule', state, token: 't', result: { minutes } }),
      );
    }
    const later = fireTime + minute;
    await w.ledger.create(
      newRun({
        ...{ jobId, key: fireKey(later), fireTime: later, specId: w.entry.specId, createdAt: later },
        ...{ trigger: 'schedule', state: 'succeeded', token: 't' },
      }),
    );
    await w.send(await offered(w, { key: `${key}~manual-y`, trigger: 'manual' }));
    expect(found).toEqual([null, { fireTime: new Date(fireTime - 3 * minute), result: { minutes: 3 } }]);
  });

  it('says of a success whose result was trimmed that it was, and gives no part of it', async () => {
    const found: unknown[] = [];
    const w = await world({ code: async (_fire, ctx) => void found.push(await ctx.previous()) });
    const at = fireTime - minute;
    const first = { jobId, key: fireKey(at), fireTime: at, specId: w.entry.specId, createdAt: at };
    const resultTrimmed = { bytes: 400_000, text: '[1,2' };
    await w.ledger.create(
      newRun({ ...first, trigger: 'schedule', state: 'succeeded', token: 't', resultTrimmed }),
    );
    await w.deliver();
    expect(found).toEqual([{ fireTime: new Date(at), result: undefined, trimmed: true }]);
  });
});
