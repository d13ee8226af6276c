import { describe, expect, test } from 'vitest';
import type { Run } from '../../functions/domain/run.ts';
import { every } from '../../functions/domain/schedule/index.ts';
import { minute } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { ledgerWith } from '../runtime/world.ts';
import { at } from '../support/jobs.ts';
import { deliver, queue, succeed, World, wait } from '../support/reconciler.ts';
import { db, declare, deployed, expectNoLeak, offered, poolOf, report, runs } from './pool-world.ts';

const a = report('a');
const b = report('b');
const c = report('c');
const abc = ['a', 'b', 'c'];

describe('a pool', () => {
  test('is in force before the schedules are whose runs take of it', async () => {
    const memory = memoryLedger();
    const order: string[] = [];
    const ledger = ledgerWith(memory, {
      publish: (version, replaces) => {
        order.push(version.jobId);
        return memory.publish(version, replaces);
      },
      publishPool: (pool, replaces) => {
        order.push(pool.name);
        return memory.publishPool(pool, replaces);
      },
    });
    const world = new World(at('11:59:30'), [a, b], ledger);
    declare(world, { [db]: 3, cache: 1 });
    await world.sweep();
    expect(order).toEqual([db, 'cache', 'a', 'b']);
    declare(world, { [db]: 3, cache: 2 });
    await world.sweepAt(at('11:59:40'));
    expect(order.slice(4)).toEqual(['cache']);
    expect(await poolOf(world)).toEqual({ capacity: 3, free: 3, waiting: 0, holders: 0 });
  });

  test('gets the capacity of a deploy once, however often the turn dies that gives it', async () => {
    const world = await deployed({ [db]: 1 }, [a]);
    await runs(world, a);
    declare(world, { [db]: 3 });
    const { open } = world.ledger;
    world.ledger.open = () => Promise.reject(new Error('killed'));
    for (let deaths = 0; deaths < 3; deaths += 1)
      await expect(world.sweepAt(at('12:00:10'))).rejects.toThrow();
    world.ledger.open = open;
    await world.sweepAt(at('12:00:20'));
    await world.sweepAt(at('12:00:30'));
    expect(await poolOf(world)).toEqual({ capacity: 3, free: 2, waiting: 0, holders: 1 });
  });

  test('starts those that wait in the sweep that raises its capacity', async () => {
    const world = await deployed({ [db]: 1 }, [a, b, c]);
    await runs(world, a);
    await wait(world, b, at('12:00'));
    await wait(world, c, at('12:00'));
    declare(world, { [db]: 3 });
    await world.sweepAt(at('12:00:30'));
    expect(offered(world)).toEqual(['b', 'c']);
    await expectNoLeak(world, abc);
  });

  test('of a lowered capacity drains: what runs goes on, and nobody comes in until enough was given back', async () => {
    const world = await deployed({ [db]: 2 }, [a, b, c]);
    const holders = [await runs(world, a), await runs(world, b)];
    declare(world, { [db]: 1 });
    await world.sweepAt(at('12:00:10'));
    expect(await poolOf(world)).toEqual({ capacity: 1, free: -1, waiting: 0, holders: 2 });
    await wait(world, c, at('12:00'));
    for (const run of holders) {
      await world.sweepAt(world.now + 10_000);
      expect(await world.lines('c')).toEqual(['12:00 waiting pool']);
      expect(await succeed(world, run)).toBe('finished');
    }
    await world.sweepAt(at('12:00:50'));
    expect(await world.lines('c')).toEqual(['12:00 offered']);
    expect(await poolOf(world)).toEqual({ capacity: 1, free: 0, waiting: 0, holders: 1 });
  });

  test('that can’t be published is told, stops no other pool and no job, and is published by the next sweep', async () => {
    const memory = memoryLedger();
    let fails = true;
    const ledger = ledgerWith(memory, {
      publishPool: (pool, replaces) =>
        fails && pool.name === 'cache'
          ? Promise.reject(new Error('throttled'))
          : memory.publishPool(pool, replaces),
    });
    const cached = report('cached', { pools: { cache: 1 }, schedule: every('7 minutes') });
    const world = new World(at('11:59:30'), [cached, a], ledger);
    declare(world, { cache: 1, [db]: 1 });
    await world.sweep();
    expect(world.problems).toEqual(['a pool could not be given its capacity']);
    expect(await runs(world, a)).toMatchObject({ holds: { [db]: 1 } });
    const due = Math.ceil(at('12:00') / (7 * minute)) * 7 * minute;
    await expect(deliver(world, cached, due)).rejects.toThrow('other-spec');
    await world.sweepAt(due);
    expect(await world.lines('cached')).toEqual([]);
    fails = false;
    await world.sweepAt(due + 5_000);
    expect(await world.runs('cached')).toMatchObject([{ state: 'offered', holds: { cache: 1 } }]);
  });

  test('that is declared no more keeps its item until nobody holds anything of it', async () => {
    const world = await deployed({ [db]: 1 }, [a]);
    const run = await runs(world, a);
    world.jobs = [report('a', { pools: {} })];
    declare(world, {});
    await world.sweepAt(at('12:00:10'));
    expect(await poolOf(world)).toMatchObject({ free: 0, holders: 1 });
    expect(await succeed(world, run)).toBe('finished');
    expect(await poolOf(world)).toMatchObject({ free: 1, holders: 0 });
    expect(await deliver(world, report('a', { pools: {} }), at('12:01'))).not.toHaveProperty('holds');
  });
});

describe('a pool whose item has lost a hold', () => {
  async function losing({ ledger }: World, run: Run): Promise<void> {
    const pools = Object.entries(run.holds ?? {}).map(([pool, weight]) => {
      return { pool, hold: { kind: 'free', weight } } as const;
    });
    const { state, token } = run;
    const answer = await ledger.move(run, { state, token }, { set: { state } }, { effect: { pools } });
    expect(answer.kind).toBe('done');
  }

  test('keeps no dead run open: it is parked, and its slot is free', async () => {
    const job = report('a', { crashed: 'park' });
    const world = await deployed({ [db]: 2 }, [job]);
    await losing(world, await runs(world, job));
    await world.sweepAt(at('12:20'));
    expect(await world.lines('a')).toEqual(['12:00 parked crashed']);
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    expect(await poolOf(world)).toEqual({ capacity: 2, free: 2, waiting: 0, holders: 0 });
  });

  test('keeps no offer of a removed job open: it is canceled', async () => {
    const job = report('a', { crashed: 'rerun' });
    const world = await deployed({ [db]: 2 }, [job, report('b')]);
    await runs(world, job);
    await world.sweepAt(at('12:20'));
    const [offer] = await world.runs('a');
    if (offer === undefined) throw new Error('there is no offer');
    await losing(world, offer);
    world.jobs = [report('b')];
    await world.sweepAt(at('12:21'));
    expect((await world.lines('a'))[0]).toBe('12:00 canceled removed');
  });
});

describe('a fire whose pools are full', () => {
  test('waits with its slot, holds nothing, and starts when there is room', async () => {
    const world = await deployed({ [db]: 1 }, [a, b]);
    const running = await runs(world, a);
    await wait(world, b, at('12:00'));
    expect(await world.runs('b')).toMatchObject([
      { state: 'waiting', reason: 'pool', hasSlot: true, waitsFor: { [db]: 1 }, waitingSince: at('12:00') },
    ]);
    expect((await world.ledger.job('b'))?.slot).toBe('2026-12-01T12:00:00Z');
    expect(await poolOf(world)).toEqual({ capacity: 1, free: 0, waiting: 1, holders: 1 });
    await world.sweepAt(at('12:00:30'));
    expect(offered(world)).toEqual([]);
    await succeed(world, running);
    await world.sweepAt(at('12:00:40'));
    expect(offered(world)).toEqual(['b']);
    await expectNoLeak(world, abc);
  });

  test('has on its record for how long it waited, and for what', async () => {
    const world = await deployed({ [db]: 2 }, [a, report('b', { pools: { [db]: 2 } })]);
    const running = await runs(world, a);
    const [, heavy = a] = world.jobs;
    await wait(world, heavy, at('12:00'));
    await succeed(world, running);
    await world.sweepAt(at('12:00:40'));
    const [run] = await world.runs('b');
    expect(run).toMatchObject({
      ...{ state: 'offered', holds: { [db]: 2 } },
      waits: [{ reason: 'pool', from: at('12:00'), until: at('12:00:40'), pools: { [db]: 2 } }],
    });
    for (const field of ['reason', 'waitsFor', 'waitingSince']) expect(run).not.toHaveProperty(field);
  });

  test('waits also when no alarm but the reconciler starts it, which then looks again', async () => {
    const swept = report('swept', { schedule: every('7 minutes') });
    const due = Math.ceil(at('12:00') / (7 * minute)) * 7 * minute;
    const world = await deployed({ [db]: 1 }, [a, swept]);
    const running = await deliver(world, a, due - minute);
    await world.sweepAt(due);
    expect(await world.runs('swept')).toMatchObject([{ state: 'waiting', reason: 'pool', hasSlot: true }]);
    expect(world.nudges).toEqual([{ why: 'a fire of swept waits for its pools', delaySeconds: 0 }]);
    expect(await poolOf(world)).toMatchObject({ waiting: 1 });
    await succeed(world, running);
    await world.sweepAt(due + 1_000);
    expect(offered(world)).toEqual(['swept']);
    await expectNoLeak(world, ['a', 'swept']);
  });

  test('overtakes none of those that wait, though there is room for it', async () => {
    const heavy = report('heavy', { pools: { [db]: 2 } });
    const world = await deployed({ [db]: 2 }, [a, heavy, c]);
    const running = await runs(world, a);
    await wait(world, heavy, at('12:00'));
    await wait(world, c, at('12:01'));
    await succeed(world, running);
    await world.sweepAt(at('12:01:10'));
    expect(offered(world)).toEqual(['heavy']);
    expect(await world.lines('c')).toEqual(['12:01 waiting pool']);
  });

  test('is in nobody’s way who does not need them', async () => {
    const free = report('free', { pools: { cache: 1 } });
    const none = report('none', { pools: {}, overlap: 'queue' });
    const world = await deployed({ [db]: 1, cache: 1 }, [a, b, free, none]);
    await runs(world, a);
    await wait(world, b, at('12:00'));
    expect(await runs(world, free)).toMatchObject({ holds: { cache: 1 } });
    const first = await runs(world, none);
    await queue(world, none, at('12:01'));
    await succeed(world, first);
    await world.sweepAt(at('12:01:10'));
    expect(offered(world)).toEqual(['none']);
  });

  test('counts as overlap for the next one of a job that skips', async () => {
    const world = await deployed({ [db]: 1 }, [a, b]);
    await runs(world, a);
    await wait(world, b, at('12:00'));
    await expect(deliver(world, b, at('12:01'))).rejects.toThrow('skip');
  });
});

describe('a run of the queue whose turn for the slot has come while its pools are full', () => {
  test('takes the slot, and waits for them behind those that wait already', async () => {
    const queueing = report('a', { overlap: 'queue' });
    const world = await deployed({ [db]: 1 }, [queueing, b]);
    const first = await runs(world, queueing);
    await wait(world, b, at('12:00'));
    await queue(world, queueing, at('12:01'));
    await succeed(world, first);
    await world.sweepAt(at('12:01:10'));
    expect(offered(world)).toEqual(['b']);
    expect(await world.runs('a')).toMatchObject([
      { state: 'succeeded' },
      {
        ...{ state: 'waiting', reason: 'pool', hasSlot: true, waitingSince: at('12:01:10') },
        waits: [{ reason: 'slot', from: at('12:01'), until: at('12:01:10') }],
      },
    ]);
    expect(await poolOf(world)).toMatchObject({ waiting: 1 });
    await expectNoLeak(world, abc);
  });

  test('starts at once when they have room', async () => {
    const queueing = report('a', { overlap: 'queue' });
    const world = await deployed({ [db]: 1 }, [queueing]);
    const first = await runs(world, queueing);
    await queue(world, queueing, at('12:01'));
    await succeed(world, first);
    await world.sweepAt(at('12:01:10'));
    expect(await world.lines('a')).toEqual(['12:00 succeeded', '12:01 offered']);
    await expectNoLeak(world, abc);
  });
});
