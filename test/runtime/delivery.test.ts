import { describe, expect, it } from 'vitest';
import { alarmPayload } from '../../functions/contract.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { newRun } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { claimOf } from '../../functions/domain/start.ts';
import { minute, second } from '../../functions/domain/time.ts';
import type { Ports } from '../../functions/runtime/ports.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { fireTime, held, jobId, key, ledgerWith, losingFirstAnswer, ref, world } from './world.ts';

describe('a delivery', () => {
  it('claims its fire, runs the code once and records the success', async () => {
    const w = await world({ code: () => ({ sent: 3 }) });
    expect(await w.deliver()).toEqual({ outcome: 'succeeded', run: `${jobId}#${key}` });
    expect(await w.run()).toMatchObject({
      state: 'succeeded',
      result: { sent: 3 },
      attempts: [{ number: 1, requestId: 'request-1', outcome: 'succeeded' }],
    });
    expect(await w.ledger.job(jobId)).toMatchObject({ lastSuccess: { fireTime } });
    expect(w.recording.counts).toEqual(['succeeded']);
    expect(w.recording.lateness).toEqual([2 * second]);
    expect(w.recording.flushes()).toBe(1);
  });

  it('tells the author of the fire in the job’s own zone, and which one comes next', async () => {
    const w = await world({ job: { timezone: 'Asia/Taipei' } });
    await w.deliver();
    expect(w.started).toEqual([
      {
        id: `${jobId}#${key}`,
        jobId,
        fireTime: new Date(fireTime),
        localTime: '2026-12-01T11:00:00+08:00',
        timezone: 'Asia/Taipei',
        trigger: 'schedule',
        attempt: 1,
        covers: [],
        next: new Date(fireTime + minute),
        input: undefined,
      },
    ]);
  });

  it('of a fire that has its run is a duplicate: counted, logged as normal traffic, nothing run', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const first = w.deliver();
    await w.time.pass(0);
    expect(await w.deliver()).toEqual({ outcome: 'duplicate', run: `${jobId}#${key}` });
    running.settle();
    await first;
    expect(await w.deliver()).toMatchObject({ outcome: 'duplicate' });
    expect(w.started).toHaveLength(1);
    expect(await w.run()).toMatchObject({ state: 'succeeded', duplicates: 2 });
    expect(w.recording.counts).toEqual(['duplicates', 'succeeded', 'duplicates']);
    expect(w.recording.logs.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it.each([
    ['early', { now: fireTime - 30 * second - 1 }, '2026-12-01T03:00:00Z'],
    ['late', { now: fireTime + 3 * minute + 1 }, '2026-12-01T03:00:00Z'],
    ['off-schedule', { job: { schedule: cron('0 * * * *') } }, '2026-12-01T03:01:00Z'],
    ['unreadable-time', {}, 'tomorrow'],
  ] as const)(
    'that is %s is a stray: counted, logged, the reconciler nudged, no run',
    async (cause, given, text) => {
      const w = await world(given);
      expect(await w.deliver({ scheduledTime: text })).toEqual({ outcome: 'stray' });
      expect(w.started).toEqual([]);
      expect(await w.ledger.run(ref)).toBeNull();
      expect(await w.ledger.job(jobId)).toMatchObject({ strays: 1 });
      expect(w.recording.counts).toEqual(['strays']);
      expect(w.recording.nudges).toEqual([`stray delivery of ${jobId}: ${cause}`]);
      expect(w.recording.logs).toMatchObject([{ level: 'warn', fields: { scheduledTime: text, jobId } }]);
    },
  );

  it.each([fireTime - 30 * second, fireTime + 3 * minute])('at an end of its window runs', async (now) => {
    const w = await world({ now });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
  });

  it('whose placeholder arrived as it was means the latest fire', async () => {
    const w = await world();
    await w.deliver({ scheduledTime: '<aws.scheduler.scheduled-time>' });
    expect(await w.run()).toMatchObject({ state: 'succeeded' });
  });

  it('under a schedule that is no longer in force is a stray', async () => {
    const w = await world();
    await w.ledger.publish({ jobId, from: 1, spec: w.entry.spec, specId: 'another' }, w.entry.specId);
    expect(await w.deliver()).toEqual({ outcome: 'stray' });
    expect(await w.ledger.run(ref)).toBeNull();
    expect(w.recording.nudges).toEqual([`stray delivery of ${jobId}: other-spec`]);
  });

  it('of a fire that was due before its schedule took force is a stray, and tells the reconciler which one', async () => {
    const w = await world();
    await w.ledger.publish({ jobId, from: fireTime, spec: null, specId: '' }, w.entry.specId);
    await w.ledger.publish({ jobId, from: fireTime + 1, spec: w.entry.spec, specId: w.entry.specId }, null);
    expect(await w.deliver()).toEqual({ outcome: 'stray' });
    expect(await w.ledger.run(ref)).toBeNull();
    expect(await w.ledger.job(jobId)).toMatchObject({ strays: 1, refusedFire: fireTime });
  });

  it('of an excluded fire is recorded as skipped by one write, and nothing runs', async () => {
    const writes: string[] = [];
    const memory = memoryLedger();
    const create: Ledger['create'] = (run, effect) => {
      writes.push(`${run.state} ${run.reason}`);
      return memory.create(run, effect);
    };
    const spec = { schedules: [cron('* * * * *')], timezone: 'Asia/Taipei', except: ['2026-12-01'] };
    const w = await world({ job: { spec }, ledger: ledgerWith(memory, { create }) });
    expect(await w.deliver()).toEqual({ outcome: 'skipped', run: `${jobId}#${key}` });
    expect(writes).toEqual(['skipped excluded']);
    expect(w.started).toEqual([]);
    expect(await w.run()).toMatchObject({
      state: 'skipped',
      reason: 'excluded',
      attempts: [],
      hasSlot: false,
    });
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(w.recording.logs).toMatchObject([{ level: 'info', message: 'skipped: excluded' }]);
    expect(await w.deliver()).toMatchObject({ outcome: 'duplicate' });
  });

  it('of a fire that only a version out of force excludes is a stray: it may have to run', async () => {
    const spec = { schedules: [cron('* * * * *')], timezone: 'UTC', except: ['2026-12-01'] };
    const w = await world({ job: { spec } });
    await w.ledger.publish(
      { jobId, from: 1, spec: { ...spec, except: [] }, specId: 'another' },
      w.entry.specId,
    );
    expect(await w.deliver()).toEqual({ outcome: 'stray' });
    expect(await w.ledger.run(ref)).toBeNull();
    expect(await w.ledger.job(jobId)).toMatchObject({ refusedFire: fireTime });
  });

  it('of a paused job is recorded as skipped, once', async () => {
    const w = await world();
    await w.ledger.setPause(jobId, { at: fireTime, by: 'op', note: 'stock-taking' });
    expect(await w.deliver()).toMatchObject({ outcome: 'skipped' });
    expect(await w.deliver()).toMatchObject({ outcome: 'duplicate' });
    expect(await w.run()).toMatchObject({ state: 'skipped', reason: 'paused', attempts: [], duplicates: 1 });
    expect(w.recording.counts).toEqual(['skipped', 'duplicates']);
  });

  it('at the end of its job’s pause leaves no record, and tells the reconciler which fire it was of', async () => {
    const w = await world();
    await w.ledger.setPause(jobId, { at: 0, by: 'op', note: '', until: fireTime });
    expect(await w.deliver()).toEqual({ outcome: 'stray' });
    expect(await w.ledger.run(ref)).toBeNull();
    expect(await w.ledger.job(jobId)).toMatchObject({ strays: 1, refusedFire: fireTime });
    expect(w.recording.nudges).toEqual([`stray delivery of ${jobId}: pause-over`]);
  });

  it('while the fire before still runs is recorded as skipped', async () => {
    const running = held();
    const w = await world({ code: running.code });
    const first = w.deliver();
    await w.time.pass(minute);
    expect(await w.deliver({ scheduledTime: '2026-12-01T03:01:00Z' })).toMatchObject({ outcome: 'skipped' });
    running.settle();
    await first;
    expect(await w.run('2026-12-01T03:01:00Z')).toMatchObject({ state: 'skipped', reason: 'overlap' });
    expect(w.started).toHaveLength(1);
  });

  it('that finds the slot of a dead run leaves no record, and tells the reconciler which fire it was of', async () => {
    const w = await world();
    const next = { scheduledTime: '2026-12-01T03:07:00Z' };
    const entry = { token: 'dead', requestId: 'r', pid: 1, now: fireTime, remainingMs: 5 * minute };
    const { run, effect } = claimOf(w.entry, fireTime, entry);
    await w.ledger.create(run, effect);
    await w.time.pass(7 * minute);
    expect(await w.deliver(next)).toEqual({ outcome: 'stray' });
    expect(await w.ledger.run({ jobId, key: next.scheduledTime })).toBeNull();
    expect(await w.ledger.job(jobId)).toMatchObject({ strays: 1, refusedFire: fireTime + 7 * minute });
    expect(w.recording.nudges).toEqual([`stray delivery of ${jobId}: dead-slot`]);
  });

  it('while the fire before still runs is started under overlap: allow', async () => {
    const running = held();
    const w = await world({ code: running.code, job: { overlap: 'allow' } });
    const first = w.deliver();
    await w.time.pass(minute);
    const second = w.deliver({ scheduledTime: '2026-12-01T03:01:00Z' });
    running.settle();
    expect([await first, await second]).toMatchObject([{ outcome: 'succeeded' }, { outcome: 'succeeded' }]);
  });

  it('whose skip lost the race to a run is a duplicate', async () => {
    const memory = memoryLedger();
    const create: Ledger['create'] = async (run, effect) => {
      if (run.state === 'skipped') await memory.create(newRun({ ...run, token: 'of-another' }));
      return memory.create(run, effect);
    };
    const w = await world({ ledger: ledgerWith(memory, { create }) });
    await w.ledger.setPause(jobId, { at: fireTime, by: 'op', note: '' });
    expect(await w.deliver()).toMatchObject({ outcome: 'duplicate' });
    expect(await w.run()).toMatchObject({ token: 'of-another', duplicates: 1 });
  });

  it('that keeps colliding leaves no record, and tells the reconciler which fire it was of', async () => {
    const ledger = ledgerWith(memoryLedger(), { create: async () => ({ kind: 'conflict' }) });
    const w = await world({ ledger });
    expect(await w.deliver()).toEqual({ outcome: 'conflict', run: `${jobId}#${key}` });
    expect(w.started).toEqual([]);
    expect(await w.ledger.run(ref)).toBeNull();
    expect(await w.ledger.job(jobId)).toMatchObject({ strays: 1, refusedFire: fireTime });
    expect(w.recording.nudges).toEqual([`a start of ${jobId} gave up`]);
  });

  it('runs when its claim had landed and nothing but its own slot stood in the way of the next try', async () => {
    const memory = memoryLedger();
    const create: Ledger['create'] = async (run, effect) => {
      const answer = await memory.create(run, effect);
      return effect === undefined ? answer : { kind: 'refused', job: await memory.job(jobId) };
    };
    const w = await world({ ledger: ledgerWith(memory, { create }) });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(w.started).toHaveLength(1);
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
  });

  it('fails closed: while the store rejects its claim, nothing runs', async () => {
    const ledger = ledgerWith(memoryLedger(), { create: () => Promise.reject(new Error('no route')) });
    const w = await world({ ledger });
    await expect(w.time.until(w.deliver())).rejects.toThrow('no route');
    expect(w.started).toEqual([]);
    expect(w.recording.logs.at(-1)).toMatchObject({
      level: 'error',
      fields: { error: new Error('no route') },
    });
    expect(w.recording.flushes()).toBe(1);
  });

  it('whose claim landed without an answer recognises itself, and runs', async () => {
    const w = await world({ ledger: losingFirstAnswer(memoryLedger(), 'create') });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(w.started).toHaveLength(1);
    expect(await w.run()).toMatchObject({ state: 'succeeded', duplicates: 0 });
  });

  it('whose skip landed without an answer is no duplicate of itself', async () => {
    const ledger = memoryLedger();
    let creates = 0;
    const create: Ledger['create'] = async (...args) => {
      creates += 1;
      const answer = await ledger.create(...args);
      if (creates === 2) throw new Error('the answer was lost');
      return answer;
    };
    const w = await world({ ledger: ledgerWith(ledger, { create }) });
    await ledger.setPause(jobId, { at: fireTime, by: 'op', note: '' });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'skipped' });
    expect(creates).toBe(3);
    expect(await w.run()).toMatchObject({ state: 'skipped', duplicates: 0 });
  });

  it('reads its remaining time before its clock: a pause between them makes the lease longer, never shorter', async () => {
    const order: string[] = [];
    const noted = <T>(what: string, value: T): T => {
      order.push(what);
      return value;
    };
    const ports = ({ clock }: Ports) => ({ clock: () => noted('clock', clock()) });
    const w = await world({ ports });
    await w.send(
      { ...alarmPayload(jobId), scheduledTime: key },
      { remainingMs: () => noted('remaining', 100 * second) },
    );
    expect(order.slice(0, 2)).toEqual(['remaining', 'clock']);
    const [attempt] = (await w.run()).attempts;
    expect(attempt?.leaseUntil).toBe(fireTime + 2 * second + 100 * second + minute);
  });

  it.each([0, 1, -5])('with %i ms left gets a lease that ends, and starts no code', async (remainingMs) => {
    const w = await world();
    expect(await w.deliver({ remainingMs })).toMatchObject({ outcome: 'timed-out' });
    const [attempt] = (await w.run()).attempts;
    expect(attempt?.leaseUntil).toBe(fireTime + 2 * second + Math.max(0, remainingMs) + minute);
    expect(w.started).toEqual([]);
  });
});
