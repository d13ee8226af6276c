import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { minute } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { fireTime, held, jobId, key, ledgerWith, type WorldOptions, world } from './world.ts';

const next = '2026-12-01T03:01:00Z';
const toNext = { scheduledTime: next };
const queues = { overlap: 'queue' } as const;
const nudged = {
  queued: `a fire of ${jobId} waits for its slot`,
  freed: `${jobId} gave back what others wait for: its slot`,
};

/** The first fire runs until the test says so; the next one is due. */
async function occupied(options: WorldOptions = {}) {
  const running = held();
  const w = await world({ code: running.code, job: queues, ...options });
  const first = w.deliver();
  await w.time.pass(minute);
  const end = async (value?: unknown) => {
    running.settle(value);
    return w.time.until(first);
  };
  return { w, end };
}

/** The ledger, of which a test sees each write of a job's function, and may answer it in its place. */
function watched(answer: (verb: 'create' | 'move', write: number) => 'lose' | 'pass' = () => 'pass') {
  const memory = memoryLedger();
  const writes: string[] = [];
  const write = async <T>(verb: 'create' | 'move', state: string, answered: Promise<T>): Promise<T> => {
    writes.push(`${verb} ${state}`);
    const given = await answered;
    if (answer(verb, writes.length) === 'lose') throw new Error('the answer was lost');
    return given;
  };
  const ledger = ledgerWith(memory, {
    create: (run, effect) => write('create', run.state, memory.create(run, effect)),
    move: (ref, fence, change, options) =>
      write('move', change.set.state, memory.move(ref, fence, change, options)),
  });
  return { ledger, memory, writes };
}

describe('a delivery that finds the slot taken where fires queue', () => {
  it.each(['queue', 'queue-one'] as const)(
    'waits, is counted, and tells the reconciler (%s)',
    async (overlap) => {
      const { w, end } = await occupied({ job: { overlap } });
      expect(await w.deliver(toNext)).toEqual({ outcome: 'waiting', run: `${jobId}#${next}` });
      expect(await w.run(next)).toMatchObject({
        ...{ state: 'waiting', reason: 'slot', trigger: 'schedule', attempts: [], hasSlot: false },
        createdAt: w.time.clock(),
      });
      expect(await w.ledger.job(jobId)).toMatchObject({ slot: key, queued: 1 });
      expect(w.recording.nudges).toEqual([nudged.queued]);
      expect(w.recording.counts).toEqual([]);
      await end();
      expect(w.started).toHaveLength(1);
    },
  );

  it('and comes again is a duplicate of the run that waits', async () => {
    const { w, end } = await occupied();
    await w.deliver(toNext);
    expect(await w.deliver(toNext)).toEqual({ outcome: 'duplicate', run: `${jobId}#${next}` });
    expect(await w.run(next)).toMatchObject({ state: 'waiting', duplicates: 1 });
    expect(await w.ledger.job(jobId)).toMatchObject({ queued: 1 });
    expect(w.recording.nudges).toEqual([nudged.queued]);
    await end();
  });

  it('waits behind those that wait, though the slot is free', async () => {
    const { w, end } = await occupied();
    await w.deliver(toNext);
    await end();
    await w.time.pass(minute);
    expect(await w.deliver({ scheduledTime: '2026-12-01T03:02:00Z' })).toMatchObject({ outcome: 'waiting' });
    const job = await w.ledger.job(jobId);
    expect(job).toMatchObject({ queued: 2 });
    expect(job).not.toHaveProperty('slot');
    expect(w.started).toHaveLength(1);
  });

  it('starts at once when nobody has the slot or waits for it', async () => {
    const { ledger, writes } = watched();
    const w = await world({ job: queues, ledger });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(writes).toEqual(['create running', 'move succeeded']);
    expect(w.recording.nudges).toEqual([]);
  });

  it('whose record landed without an answer recognises itself, and is counted once', async () => {
    // The first fire's claim, this one's claim, and its record as one that waits.
    const { ledger } = watched((_verb, write) => (write === 3 ? 'lose' : 'pass'));
    const { w, end } = await occupied({ ledger });
    expect(await w.time.until(w.deliver(toNext))).toMatchObject({ outcome: 'waiting' });
    expect(await w.run(next)).toMatchObject({ state: 'waiting', duplicates: 0 });
    expect(await w.ledger.job(jobId)).toMatchObject({ queued: 1 });
    expect(w.recording.nudges).toEqual([nudged.queued]);
    await end();
  });

  it('runs when its claim had landed and nothing but its own slot stood in the way of the next try', async () => {
    const memory = memoryLedger();
    const create: Ledger['create'] = async (run, effect) => {
      const answer = await memory.create(run, effect);
      return run.state === 'waiting' ? answer : { kind: 'refused', job: await memory.job(jobId) };
    };
    const w = await world({ job: queues, ledger: ledgerWith(memory, { create }) });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(await w.ledger.job(jobId)).toMatchObject({ queued: 0 });
  });

  it.each([
    [
      'its job was paused',
      (ledger: Ledger) => ledger.setPause(jobId, { at: fireTime, by: 'op', note: '' }),
      'skipped',
    ],
    [
      'its schedule was changed',
      async (ledger: Ledger) => {
        const [version] = await ledger.specs(jobId);
        if (version === undefined) throw new Error('no schedule');
        await ledger.publish({ ...version, from: fireTime, specId: 'another' }, version.specId);
      },
      'stray',
    ],
  ])('decides again when %s before it could wait', async (_what, change, then) => {
    const memory = memoryLedger();
    const create: Ledger['create'] = async (run, effect) => {
      if (run.state === 'waiting') await change(memory);
      return memory.create(run, effect);
    };
    const { w, end } = await occupied({ ledger: ledgerWith(memory, { create }) });
    expect(await w.deliver(toNext)).toMatchObject({ outcome: then });
    expect(await w.ledger.job(jobId)).toMatchObject({ queued: 0 });
    await end();
  });

  it('leaves nothing behind and nudges when its job stands in the way each time', async () => {
    const memory = memoryLedger();
    const create: Ledger['create'] = async (run, effect) =>
      run.state === 'waiting'
        ? { kind: 'refused', job: await memory.job(jobId) }
        : memory.create(run, effect);
    const { w, end } = await occupied({ ledger: ledgerWith(memory, { create }) });
    expect(await w.deliver(toNext)).toEqual({ outcome: 'conflict', run: `${jobId}#${next}` });
    expect(await w.ledger.run({ jobId, key: next })).toBeNull();
    expect(w.recording.nudges).toEqual([`a start of ${jobId} gave up`]);
    await end();
  });
});

describe('a finish', () => {
  it('while others wait frees the slot by one more write, and tells the reconciler', async () => {
    const { ledger, writes } = watched();
    const { w, end } = await occupied({ ledger });
    await w.deliver(toNext);
    const before = writes.length;
    expect(await end(7)).toMatchObject({ outcome: 'succeeded' });
    expect(writes.slice(before)).toEqual(['move succeeded', 'move succeeded']);
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: 7 });
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(await w.ledger.job(jobId)).toMatchObject({ queued: 1 });
    expect(w.recording.nudges).toEqual([nudged.queued, nudged.freed]);
  });

  it('while others wait recognises itself when its answer was lost, and tells the reconciler all the same', async () => {
    let moves = 0;
    const { ledger, writes } = watched((verb) => {
      if (verb === 'move') moves += 1;
      return verb === 'move' && moves === 2 ? 'lose' : 'pass';
    });
    const { w, end } = await occupied({ ledger });
    await w.deliver(toNext);
    expect(await end()).toMatchObject({ outcome: 'succeeded' });
    expect(writes.filter((write) => write === 'move succeeded')).toHaveLength(3);
    expect(w.recording.nudges).toEqual([nudged.queued, nudged.freed]);
  });

  it('of a run that a job without a queue released behind it is told as well', async () => {
    const { w, end } = await occupied({ job: { overlap: 'skip' } });
    const released = { ...(await w.run()), key: next, state: 'waiting', reason: 'slot' } as const;
    await w.ledger.create({ ...released, token: 'of a person', hasSlot: false }, { addQueued: 1 });
    expect(await end()).toMatchObject({ outcome: 'succeeded' });
    expect(w.recording.nudges).toEqual([nudged.freed]);
  });

  it('while others wait is lost when its fence moved, and nobody is told of a slot', async () => {
    const { w, end } = await occupied();
    await w.deliver(toNext);
    const { token } = await w.run();
    const taken = { set: { state: 'parked', token: 'taken-over-by', hasSlot: false } } as const;
    const options = { effect: { slot: 'free' } } as const;
    await w.ledger.move({ jobId, key }, { state: 'running', token }, taken, options);
    expect(await end()).toMatchObject({ outcome: 'lost' });
    expect(w.recording.nudges).toEqual([nudged.queued]);
  });
});
