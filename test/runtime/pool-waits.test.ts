import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { fireTime, jobId, key, ledgerWith, ref, type WorldOptions, world } from './world.ts';

const pools = { 'reports-db': 1 };
const run = `${jobId}#${key}`;
const nudge = `a fire of ${jobId} waits for its pools`;

/** A ledger whose only pool is full. */
async function full() {
  const memory = memoryLedger();
  await memory.publishPool({ name: 'reports-db', capacity: 1 }, null);
  await memory.publish({ jobId: 'other', from: 0, specId: 's', spec: null }, null);
  const holder = {
    jobId: 'other',
    key,
    fireTime,
    trigger: 'schedule',
    state: 'running',
    specId: 's',
  } as const;
  const tallies = { hasSlot: false, attempts: [], crashes: 0, duplicates: 0, reoffers: 0 };
  const effect = { pools: [{ pool: 'reports-db', hold: { kind: 'take', weight: 1 } }] } as const;
  await memory.create({ ...holder, ...tallies, token: 'of the holder', createdAt: fireTime }, effect);
  return memory;
}

/** A job that needs it, on a ledger some of whose writes a test answers itself. */
async function needing(memory: Ledger, create = memory.create.bind(memory), job: WorldOptions['job'] = {}) {
  return world({ ledger: ledgerWith(memory, { create }), job: { pools, ...job } });
}

/** What is done to the ledger between the claim that was refused and the record of the wait. */
async function meanwhile(change: (memory: Ledger) => Promise<unknown>, job: WorldOptions['job'] = {}) {
  const memory = await full();
  let changed = false;
  const create: Ledger['create'] = async (of, effect) => {
    if (of.state === 'waiting' && !changed) await change(memory);
    changed ||= of.state === 'waiting';
    return memory.create(of, effect);
  };
  return { memory, w: await needing(memory, create, job) };
}

async function waitingFor(memory: Ledger): Promise<number | undefined> {
  return (await memory.pools(['reports-db'])).get('reports-db')?.waiting;
}

/** Another run of the same job takes the slot. */
async function takeSlot(memory: Ledger): Promise<void> {
  const holder = await memory.run({ jobId: 'other', key });
  if (holder === null) throw new Error('the pool is not held');
  const other = { ...holder, jobId, key: '2026-12-01T02:59:00Z', token: 'of the slot', hasSlot: true };
  await memory.create(other, { slot: 'take' });
}

describe('a delivery that has to wait for pools', () => {
  it('and comes again is a duplicate of the run that waits, which is counted once', async () => {
    const memory = await full();
    const w = await needing(memory);
    expect(await w.deliver()).toEqual({ outcome: 'waiting', run });
    expect(await w.deliver()).toEqual({ outcome: 'duplicate', run });
    expect(await w.run()).toMatchObject({ state: 'waiting', duplicates: 1 });
    expect(await waitingFor(memory)).toBe(1);
    expect(w.recording.nudges).toEqual([nudge]);
  });

  it('whose record landed without an answer recognises itself, and is counted once', async () => {
    const memory = await full();
    let lost = false;
    const create: Ledger['create'] = async (of, effect) => {
      const answer = await memory.create(of, effect);
      if (of.state !== 'waiting' || lost) return answer;
      lost = true;
      throw new Error('the answer was lost');
    };
    const w = await needing(memory, create);
    expect(await w.time.until(w.deliver())).toEqual({ outcome: 'waiting', run });
    expect(await w.run()).toMatchObject({ state: 'waiting', duplicates: 0 });
    expect(await waitingFor(memory)).toBe(1);
    expect(w.recording.nudges).toEqual([nudge]);
  });

  it('runs when its claim had landed, and only its own holds stood in the way of the next try', async () => {
    const memory = memoryLedger();
    await memory.publishPool({ name: 'reports-db', capacity: 1 }, null);
    const create: Ledger['create'] = async (of, effect) => {
      const answer = await memory.create(of, effect);
      return of.state === 'waiting'
        ? answer
        : { kind: 'refused', pools: Object.fromEntries(await memory.pools(['reports-db'])) };
    };
    const w = await needing(memory, create);
    expect(await w.deliver()).toEqual({ outcome: 'succeeded', run });
    expect((await memory.pools(['reports-db'])).get('reports-db')).toMatchObject({ free: 1, waiting: 0 });
    expect(w.recording.nudges).toEqual([]);
  });

  it('waits though there is room by then, and the reconciler is told, who has it start', async () => {
    const { memory, w } = await meanwhile(async (ledger) => {
      const freed = { pools: [{ pool: 'reports-db', hold: { kind: 'free', weight: 1 } }] } as const;
      const fence = { state: 'running', token: 'of the holder' } as const;
      await ledger.move({ jobId: 'other', key }, fence, { set: { state: 'succeeded' } }, { effect: freed });
    });
    expect(await w.deliver()).toEqual({ outcome: 'waiting', run });
    expect((await memory.pools(['reports-db'])).get('reports-db')).toMatchObject({ free: 1, waiting: 1 });
    expect(w.recording.nudges).toEqual([nudge]);
  });

  it.each<[string, (ledger: Ledger) => Promise<unknown>, WorldOptions['job'], string]>([
    [
      'its job was paused',
      (ledger) => ledger.setPause(jobId, { at: fireTime, by: 'op', note: '' }),
      {},
      'skipped',
    ],
    [
      'its schedule was changed',
      async (ledger) => {
        const [version] = await ledger.specs(jobId);
        if (version === undefined) throw new Error('no schedule');
        await ledger.publish({ ...version, from: fireTime, specId: 'another' }, version.specId);
      },
      {},
      'stray',
    ],
    ['its slot was taken', takeSlot, { overlap: 'queue' }, 'waiting'],
  ])('decides again when %s before it could', async (_what, change, job, then) => {
    const { memory, w } = await meanwhile(change, job);
    expect(await w.deliver()).toMatchObject({ outcome: then });
    expect(await waitingFor(memory)).toBe(0);
    expect((await memory.run(ref))?.reason).not.toBe('pool');
    expect(w.started).toEqual([]);
  });

  it('leaves nothing behind and nudges when its job stands in the way each time', async () => {
    const memory = await full();
    const create: Ledger['create'] = async (of, effect) =>
      of.state === 'waiting' ? { kind: 'refused', job: await memory.job(jobId) } : memory.create(of, effect);
    const w = await needing(memory, create);
    expect(await w.deliver()).toEqual({ outcome: 'conflict', run });
    expect(await memory.run(ref)).toBeNull();
    expect(await waitingFor(memory)).toBe(0);
    expect(await memory.job(jobId)).not.toHaveProperty('slot');
    expect(w.recording.nudges).toEqual([`a start of ${jobId} gave up`]);
  });
});
