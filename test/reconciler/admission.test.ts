import { describe, expect, test } from 'vitest';
import { cron } from '../../functions/domain/schedule/index.ts';
import { at } from '../support/jobs.ts';
import { succeed, wait } from '../support/reconciler.ts';
import { db, deployed, expectNoLeak, offered, poolOf, punctual, report, runs, taken } from './pool-world.ts';

const holder = report('holder');

/** Has the pool's only unit while others come to wait, each at its time. */
async function waiting(...line: readonly (readonly [job: ReturnType<typeof report>, time: string])[]) {
  const world = await deployed({ [db]: 1 }, [holder, ...line.map(([job]) => job)]);
  const running = await runs(world, holder);
  for (const [job, time] of line) await wait(world, job, at(time));
  return { world, running };
}

/** Each that is admitted succeeds at once, until nobody waits any more: who, in order. */
async function order(
  { world, running }: Awaited<ReturnType<typeof waiting>>,
  from: string,
): Promise<string[]> {
  const came: string[] = [];
  world.now = at(from);
  await succeed(world, running);
  for (;;) {
    await world.sweepAt(world.now + 1_000);
    const started = await taken(world);
    if (started.length === 0) return came;
    came.push(started.map(({ jobId }) => jobId).join(' and '));
    for (const run of started) await succeed(world, run);
  }
}

describe('those that wait for a pool are admitted in one order over all jobs', () => {
  test('higher priority first, then the oldest', async () => {
    const line = await waiting(
      [report('plain'), '12:00:10'],
      [report('low', { priority: -1 }), '12:00:05'],
      [report('high-late', { priority: 5 }), '12:00:30'],
      [report('high', { priority: 5 }), '12:00:20'],
    );
    expect(await order(line, '12:01')).toEqual(['high', 'high-late', 'plain', 'low']);
  });

  test('after five minutes the oldest first, whatever its priority', async () => {
    const line = await waiting(
      [report('low', { priority: -1 }), '12:00:05'],
      [report('plain'), '12:00:10'],
      [report('high', { priority: 5 }), '12:02'],
      [report('higher', { priority: 6 }), '12:03'],
    );
    expect(await order(line, '12:05:30')).toEqual(['low', 'plain', 'higher', 'high']);
  });

  test('as many at once as there is room for, in one sweep', async () => {
    const line = ['a', 'b', 'c', 'd'].map((id) => report(id));
    const all = report('all', { pools: { [db]: 3 } });
    const world = await deployed({ [db]: 3 }, [all, ...line]);
    const running = await runs(world, all);
    for (const job of line) await wait(world, job, at('12:00'));
    await succeed(world, running);
    await world.sweepAt(at('12:00:30'));
    expect(offered(world)).toEqual(['a', 'b', 'c']);
    expect(await poolOf(world)).toEqual({ capacity: 3, free: 0, waiting: 1, holders: 3 });
  });

  test('several of one job that lets its runs overlap', async () => {
    const allow = report('allow', { overlap: 'allow' });
    const world = await deployed({ [db]: 2 }, [report('all', { pools: { [db]: 2 } }), allow]);
    const [all = holder] = world.jobs;
    const running = await runs(world, all);
    for (const time of ['12:00', '12:01', '12:02']) await wait(world, allow, at(time));
    await succeed(world, running);
    await world.sweepAt(at('12:02:30'));
    expect(await world.lines('allow')).toEqual(['12:00 offered', '12:01 offered', '12:02 waiting pool']);
    await expectNoLeak(world, ['all', 'allow']);
  });

  test('what is made up counts one step lower than its job says', async () => {
    const madeUp = punctual('made-up', { schedule: cron('0 12 * * *'), priority: 1 });
    const live = report('live');
    const world = await deployed({ [db]: 1 }, [holder, madeUp, live]);
    const running = await runs(world, holder);
    await world.sweepAt(at('12:03:30'));
    await wait(world, live, at('12:04'));
    expect(await world.lines('made-up')).toEqual(['12:00 waiting catch-up']);
    expect(await order({ world, running }, '12:04:10')).toEqual(['live', 'made-up']);
  });
});

describe('a run that needs several pools', () => {
  const both = report('both', { pools: { [db]: 1, cache: 1 } });
  const cached = report('cached', { pools: { cache: 1 } });

  test('takes all of them or nothing, and is passed by meanwhile', async () => {
    const world = await deployed({ [db]: 1, cache: 2 }, [holder, both, cached]);
    const running = await runs(world, holder);
    await wait(world, both, at('12:00'));
    await wait(world, cached, at('12:00'));
    await world.sweepAt(at('12:00:30'));
    expect(offered(world)).toEqual(['cached']);
    expect(await poolOf(world, 'cache')).toEqual({ capacity: 2, free: 1, waiting: 1, holders: 1 });
    await succeed(world, running);
    await world.sweepAt(at('12:00:40'));
    expect(await world.runs('both')).toMatchObject([{ state: 'offered', holds: { [db]: 1, cache: 1 } }]);
    await expectNoLeak(world, ['holder', 'both', 'cached'], [db, 'cache']);
  });

  test('runs in the end though another one needs the same two, declared the other way around', async () => {
    const other = report('other', { pools: { cache: 1, [db]: 1 } });
    const world = await deployed({ [db]: 1, cache: 1 }, [holder, cached, both, other]);
    const running = [await runs(world, holder), await runs(world, cached)];
    await wait(world, both, at('12:00'));
    await wait(world, other, at('12:00:01'));
    const came: string[] = [];
    for (const run of running) {
      await succeed(world, run);
      await world.sweepAt(world.now + 1_000);
      for (const started of await taken(world)) {
        came.push(started.jobId);
        running.push(started);
      }
    }
    expect(came).toEqual(['both', 'other']);
    await expectNoLeak(world, ['holder', 'both', 'cached', 'other'], [db, 'cache']);
  });
});

describe('a heavy run among light ones', () => {
  const heavy = report('heavy', { pools: { [db]: 2 } });
  const lights = ['1', '2', '3', '4'].map((id) => report(`light-${id}`));

  test('is passed by for five minutes, and then has what it needs kept', async () => {
    const [first = holder, second = holder, third = holder, fourth = holder] = lights;
    const world = await deployed({ [db]: 2 }, [heavy, ...lights]);
    const running = [await runs(world, first), await runs(world, second)];
    await wait(world, heavy, at('12:00'));
    await wait(world, third, at('12:01'));
    const ends = async (index: number, time: string) => {
      const run = running[index];
      world.now = at(time);
      if (run === undefined || (await succeed(world, run)) === 'lost') throw new Error('it did not run');
      await world.sweepAt(at(time) + 1_000);
      const started = await taken(world);
      running.push(...started);
      return started.map(({ jobId }) => jobId);
    };
    expect(await ends(0, '12:02')).toEqual(['light-3']);
    await wait(world, fourth, at('12:03'));
    expect(await ends(1, '12:05')).toEqual([]);
    expect(await ends(2, '12:06')).toEqual(['heavy']);
    expect(await ends(3, '12:07')).toEqual(['light-4']);
    await expectNoLeak(world, ['heavy', ...lights.map(({ id }) => id)]);
  });

  test('that needs more than there is of a lowered capacity waits in vain, and is in nobody’s way', async () => {
    const [light = holder] = lights;
    const world = await deployed({ [db]: 1 }, [heavy, light]);
    await wait(world, heavy, at('12:00'));
    await wait(world, light, at('12:01'));
    await world.sweepAt(at('12:10'));
    expect(offered(world)).toEqual(['light-1']);
    expect(await world.lines('heavy')).toEqual(['12:00 waiting pool']);
  });
});

describe('a missed fire whose pools are full', () => {
  const missed = punctual('missed', { schedule: cron('0,6 12 * * *') });

  async function found() {
    const world = await deployed({ [db]: 1 }, [holder, missed]);
    const running = await runs(world, holder);
    await world.sweepAt(at('12:03:30'));
    return { world, running };
  }

  test('waits for its turn without slot or place for five minutes, and bars no live one', async () => {
    const { world } = await found();
    await world.sweepAt(at('12:06'));
    expect(await world.lines('missed')).toEqual(['12:00 waiting catch-up']);
    expect(await poolOf(world)).toMatchObject({ waiting: 0 });
    expect((await world.ledger.job('missed'))?.catchUp.waiting).toBe(1);
    expect(await wait(world, missed, at('12:06'))).toMatchObject({ hasSlot: true });
    await expectNoLeak(world, ['holder', 'missed']);
  });

  test('starts meanwhile when there is room', async () => {
    const { world, running } = await found();
    await world.sweepAt(at('12:04'));
    await succeed(world, running);
    await world.sweepAt(at('12:04:10'));
    expect(await world.runs('missed')).toMatchObject([
      {
        ...{ state: 'offered', trigger: 'backfill', holds: { [db]: 1 } },
        waits: [{ reason: 'catch-up', from: at('12:03:30'), until: at('12:04:10') }],
      },
    ]);
    expect((await world.ledger.job('missed'))?.catchUp.waiting).toBe(0);
    await expectNoLeak(world, ['holder', 'missed']);
  });

  test('then takes its slot and its place as any other, and is counted no more among the missed', async () => {
    const { world, running } = await found();
    await world.sweepAt(at('12:08:30'));
    expect(await world.runs('missed')).toMatchObject([
      { state: 'waiting', reason: 'pool', hasSlot: true, waitingSince: at('12:08:30') },
    ]);
    expect(await poolOf(world)).toMatchObject({ waiting: 1 });
    expect((await world.ledger.job('missed'))?.catchUp).toMatchObject({ waiting: 0, admitted: 1 });
    await succeed(world, running);
    await world.sweepAt(at('12:08:40'));
    expect((await world.lines('missed'))[0]).toBe('12:00 offered');
    await expectNoLeak(world, ['holder', 'missed']);
  });

  test('of several of one outage takes no more than there is', async () => {
    const all = punctual('all', { schedule: cron('0-4 12 * * *'), overlap: 'allow' });
    const world = await deployed({ [db]: 2 }, [all]);
    await world.sweepAt(at('12:08'));
    await world.sweepAt(at('12:08:05'));
    expect((await world.lines('all')).filter((line) => line.includes('offered'))).toHaveLength(2);
    await expectNoLeak(world, ['all']);
  });
});
