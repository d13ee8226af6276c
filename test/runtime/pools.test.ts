import { describe, expect, it } from 'vitest';
import type { Effect, Ledger } from '../../functions/domain/ledger.ts';
import { newRun, type Run } from '../../functions/domain/run.ts';
import { minute, second } from '../../functions/domain/time.ts';
import type { Context, Fire } from '../../functions/job.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import {
  fireTime,
  held,
  jobId,
  key,
  ledgerWith,
  losingFirstAnswer,
  offered,
  ref,
  type WorldOptions,
  world,
} from './world.ts';

const pools = { 'reports-db': 2, mail: 1 };
const next = '2026-12-01T03:01:00Z';
const id = `${jobId}#${key}`;
const start = fireTime + 2 * second;

/** A ledger with the pools, of which a test sees each write of a job's function. */
async function pooled(capacities: Readonly<Record<string, number>> = { 'reports-db': 3, mail: 1 }) {
  const memory = memoryLedger();
  for (const [name, capacity] of Object.entries(capacities))
    await memory.publishPool({ name, capacity }, null);
  await memory.publish({ jobId: 'reports/inventory', from: 0, specId: 's', spec: null }, null);
  const writes: { what: string; effect: Effect | undefined }[] = [];
  const ledger = ledgerWith(memory, {
    create: (run, effect) => {
      writes.push({ what: `create ${run.state}`, effect });
      return memory.create(run, effect);
    },
    move: (of, fence, change, options) => {
      writes.push({ what: `move ${change.set.state}`, effect: options?.effect });
      return memory.move(of, fence, change, options);
    },
  });
  return { memory, ledger, writes };
}

/** Whose job is in force already. */
function withoutPublish(ledger: Ledger): Ledger {
  return ledgerWith(ledger, { publish: async () => 'done' });
}

async function poolOf(ledger: Ledger, name = 'reports-db') {
  return (await ledger.pools([name])).get(name);
}

/** A run of another job does this to pools. */
async function another(ledger: Ledger, minutes: number, effect: Effect): Promise<Run> {
  const at = fireTime - minutes * minute;
  const run = newRun({
    ...{ jobId: 'reports/inventory', key: new Date(at).toISOString(), fireTime: at, createdAt: at },
    ...{ trigger: 'schedule', state: 'running', specId: 's', token: `of-${minutes}` },
  });
  expect(await ledger.create(run, effect)).toMatchObject({ kind: 'done' });
  return run;
}

/** The first fire runs with its holds until the test says so. */
async function running(options: WorldOptions & { ledger: Ledger }) {
  const work = held();
  const w = await world({ code: work.code, job: { pools }, ...options });
  const handled = w.deliver();
  await w.time.pass(0);
  const end = async (value?: unknown) => {
    work.settle(value);
    return w.time.until(handled);
  };
  return { w, end };
}

describe('a fire that needs pools', () => {
  it('takes them with its start and gives them back with its finish: two writes', async () => {
    const { ledger, writes } = await pooled();
    const { w, end } = await running({ ledger });
    expect(await poolOf(ledger)).toMatchObject({ free: 1, holds: { [id]: 2 } });
    expect(await poolOf(ledger, 'mail')).toMatchObject({ free: 0, holds: { [id]: 1 } });
    expect(await end()).toMatchObject({ outcome: 'succeeded' });
    expect(writes.map(({ what }) => what)).toEqual(['create running', 'move succeeded']);
    expect(await poolOf(ledger)).toMatchObject({ free: 3, holds: {} });
    expect(await poolOf(ledger, 'mail')).toMatchObject({ free: 1, holds: {} });
    expect(await w.run()).toMatchObject({ state: 'succeeded', holds: pools });
    expect(w.recording.nudges).toEqual([]);
  });

  it.each<[string, Effect['pools']]>([
    ['are full', [{ pool: 'reports-db', hold: { kind: 'take', weight: 2 } }]],
    ['are waited for', [{ pool: 'mail', addWaiting: 1 }]],
  ])('and whose pools %s waits for them with its slot, and runs nothing', async (_what, taken = []) => {
    const { ledger } = await pooled();
    await another(ledger, 1, { pools: taken });
    const w = await world({ ledger, job: { pools } });
    expect(await w.deliver()).toEqual({ outcome: 'waiting', run: id });
    expect(await w.run()).toMatchObject({
      ...{
        state: 'waiting',
        reason: 'pool',
        waitsFor: pools,
        waitingSince: start,
        hasSlot: true,
        attempts: [],
      },
    });
    expect(await w.ledger.job(jobId)).toMatchObject({ slot: key });
    expect((await poolOf(ledger))?.holds).not.toHaveProperty(id);
    expect((await poolOf(ledger))?.waiting).toBe(1);
    expect(w.recording.nudges).toEqual([`a fire of ${jobId} waits for its pools`]);
    expect(w.started).toEqual([]);
  });

  it('where a pool is not there yet is a stray, which the reconciler looks into', async () => {
    const { ledger } = await pooled({ mail: 1 });
    const w = await world({ ledger, job: { pools } });
    expect(await w.deliver()).toEqual({ outcome: 'stray' });
    expect(await w.ledger.run(ref)).toBeNull();
    expect(await poolOf(ledger, 'mail')).toMatchObject({ free: 1, holds: {} });
  });
});

describe('a finish that gives holds back', () => {
  it('while others wait for one of them is written once more, and tells the reconciler of that one', async () => {
    const { ledger, writes } = await pooled();
    const { w, end } = await running({ ledger });
    await another(ledger, 1, { pools: [{ pool: 'reports-db', addWaiting: 1 }] });
    const before = writes.length;
    expect(await end(7)).toMatchObject({ outcome: 'succeeded' });
    expect(writes.slice(before).map(({ what }) => what)).toEqual(['move succeeded', 'move succeeded']);
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: 7 });
    expect(await poolOf(ledger)).toMatchObject({ free: 3, waiting: 1, holds: {} });
    expect(await poolOf(ledger, 'mail')).toMatchObject({ free: 1, holds: {} });
    expect(w.recording.nudges).toEqual([`${jobId} gave back what others wait for: reports-db`]);
  });

  it('while others wait for the slot as well tells of all', async () => {
    const { ledger, writes } = await pooled();
    const { w, end } = await running({ ledger, job: { pools, overlap: 'queue' } });
    await w.time.pass(minute);
    expect(await w.deliver({ scheduledTime: next })).toMatchObject({ outcome: 'waiting' });
    await another(ledger, 1, { pools: Object.keys(pools).map((pool) => ({ pool, addWaiting: 1 })) });
    const before = writes.length;
    await end();
    expect(writes.length - before).toBe(2);
    expect(w.recording.nudges.at(-1)).toBe(
      `${jobId} gave back what others wait for: its slot, reports-db, mail`,
    );
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
  });

  it('is the same for a run that failed', async () => {
    const { ledger } = await pooled();
    const w = await world({ ledger, job: { pools }, code: () => Promise.reject(new Error('no')) });
    expect(await w.deliver()).toMatchObject({ outcome: 'failed' });
    expect(await poolOf(ledger)).toMatchObject({ free: 3, holds: {} });
  });

  it('is the same for a run that was canceled', async () => {
    const { ledger } = await pooled();
    const code = (_fire: Fire, { signal }: Context) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const w = await world({ ledger, job: { pools }, code });
    const handled = w.deliver();
    await w.time.pass(0);
    const { token } = await w.run();
    const cancelRequested = { at: start, by: 'ops', reason: 'operator' } as const;
    await ledger.move(ref, { state: 'running', token }, { set: { state: 'running', cancelRequested } });
    expect(await poolOf(ledger)).toMatchObject({ free: 1 });
    expect(await w.time.until(handled)).toMatchObject({ outcome: 'canceled' });
    expect(await poolOf(ledger)).toMatchObject({ free: 3, holds: {} });
  });

  it('gives back what its run took with its offer, whatever its job needs by now', async () => {
    const { ledger } = await pooled();
    const w = await world({ ledger, job: { pools: { mail: 1 } } });
    const offer = await offered(w, { holds: { mail: 1 } });
    expect(await poolOf(ledger, 'mail')).toMatchObject({ free: 0 });
    const edited = await world({ ledger: withoutPublish(ledger), job: { pools: { 'reports-db': 3 } } });
    expect(await edited.send(offer)).toMatchObject({ outcome: 'succeeded' });
    expect(await poolOf(ledger, 'mail')).toMatchObject({ free: 1, holds: {} });
    expect(await poolOf(ledger)).toMatchObject({ free: 3, holds: {} });
  });

  it('recognises itself when its answer was lost, and gives back once', async () => {
    const { memory } = await pooled();
    const { end } = await running({ ledger: losingFirstAnswer(memory, 'move') });
    expect(await end()).toMatchObject({ outcome: 'succeeded' });
    expect(await poolOf(memory)).toMatchObject({ free: 3, holds: {} });
  });

  it('is lost, and told with its pools, where a hold is not its own any more', async () => {
    const { ledger, memory } = await pooled();
    const { w, end } = await running({ ledger });
    const stolen = { effect: { pools: [{ pool: 'mail', hold: { kind: 'free', weight: 1 } }] } } as const;
    const { token } = await w.run();
    await memory.move(ref, { state: 'running', token }, { set: { state: 'running' } }, stolen);
    expect(await end()).toEqual({ outcome: 'lost', run: id });
    expect(w.recording.logs.at(-1)).toMatchObject({ level: 'error', fields: { pools: ['mail'] } });
    expect(w.recording.nudges).toEqual([]);
    expect(w.recording.counts).toEqual([]);
    expect(await poolOf(ledger)).toMatchObject({ free: 1, holds: { [id]: 2 } });
  });
});
