import { describe, expect, test } from 'vitest';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { minute } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';
import { deliver, queue, succeed, wait } from '../support/reconciler.ts';
import { db, declare, deployed, expectNoLeak, offered, poolOf, report, runs, taken } from './pool-world.ts';

const pause = { at: 0, by: 'ops', note: 'stock-taking' };
const holder = report('holder');
const jobIds = ['holder', 'a', 'b'];

/** The pool's only unit is held while `a` waits for it. */
async function waits(a: ManifestJob = report('a'), ...others: readonly ManifestJob[]) {
  const world = await deployed({ [db]: 1, cache: 1 }, [holder, a, ...others]);
  const running = await runs(world, holder);
  const waiter = await wait(world, a, at('12:00'));
  return { world, running, waiter };
}

const slotOf = async ({ world }: Pick<Awaited<ReturnType<typeof waits>>, 'world'>, jobId = 'a') =>
  (await world.ledger.job(jobId))?.slot;

describe('a run that waits for pools', () => {
  test('is skipped when that lasts longer than its job lets it, and leaves nothing', async () => {
    const made = await waits(report('a', { maxWaitMs: 5 * minute }));
    const { world } = made;
    await world.sweepAt(at('12:05'));
    expect(await world.lines('a')).toEqual(['12:00 waiting pool']);
    await world.sweepAt(at('12:05:01'));
    expect(await world.runs('a')).toMatchObject([
      {
        ...{ state: 'skipped', reason: 'waited-too-long', hasSlot: false },
        waits: [{ reason: 'pool', from: at('12:00'), until: at('12:05:01'), pools: { [db]: 1 } }],
      },
    ]);
    expect(await slotOf(made)).toBeUndefined();
    expect(await poolOf(world)).toMatchObject({ waiting: 0 });
    expect(world.reports.at(-1)?.skipped).toBe(1);
    await expectNoLeak(world, jobIds);
  });

  test('may wait no longer for slot and pools together', async () => {
    const a = report('a', { maxWaitMs: 5 * minute, overlap: 'queue' });
    const world = await deployed({ [db]: 2 }, [holder, a]);
    await runs(world, holder);
    const first = await deliver(world, a, at('12:00'));
    await queue(world, a, at('12:01'));
    declare(world, { [db]: 1 });
    await succeed(world, first);
    await world.sweepAt(at('12:04'));
    expect((await world.lines('a'))[1]).toBe('12:01 waiting pool');
    await world.sweepAt(at('12:06:01'));
    expect((await world.runs('a'))[1]).toMatchObject({
      reason: 'waited-too-long',
      waits: [{ reason: 'slot' }, { reason: 'pool' }],
    });
    await expectNoLeak(world, jobIds);
  });

  test('that is skipped for it gives its slot to the next one in the same sweep', async () => {
    const a = report('a', { maxWaitMs: 5 * minute, overlap: 'queue' });
    const { world } = await waits(a);
    await queue(world, a, at('12:03'));
    await world.sweepAt(at('12:05:01'));
    expect(await world.lines('a')).toEqual(['12:00 skipped waited-too-long', '12:03 waiting pool']);
    await expectNoLeak(world, jobIds);
  });

  test('keeps its turn while fires behind it give way to others that the index does not show yet', async () => {
    const a = report('a', { overlap: 'queue', maxQueued: 1 });
    const { world, running } = await waits(a, report('b'));
    await wait(world, report('b'), at('12:01'));
    for (const time of ['12:01', '12:02', '12:03']) await queue(world, a, at(time));
    await succeed(world, running);
    const open = world.ledger.open.bind(world.ledger);
    world.ledger.open = async (...of) =>
      (await open(...of)).filter(({ key }) => key !== '2026-12-01T12:03:00Z');
    await world.sweepAt(at('12:05:30'));
    expect(await world.lines('a')).toEqual([
      '12:00 offered',
      '12:01 skipped superseded',
      '12:02 waiting slot',
      '12:03 waiting slot',
    ]);
    expect(await world.lines('b')).toEqual(['12:01 waiting pool']);
    await expectNoLeak(world, jobIds);
  });

  test('stands back while its job is paused: its slot is free, and others pass', async () => {
    const made = await waits(report('a'), report('b'));
    const { world, running } = made;
    await world.ledger.setPause('a', pause);
    await world.sweepAt(at('12:00:30'));
    expect(await world.lines('a')).toEqual(['12:00 waiting slot']);
    expect(await slotOf(made)).toBeUndefined();
    expect(await world.ledger.job('a')).toMatchObject({ queued: 1 });
    expect(await poolOf(world)).toMatchObject({ waiting: 0 });
    await succeed(world, running);
    expect(await deliver(world, report('b'), at('12:01'))).toMatchObject({ state: 'running' });
    await expectNoLeak(world, jobIds);
  });

  test('waits for its pools again once its job is paused no longer, and starts', async () => {
    const { world, running } = await waits();
    await world.ledger.setPause('a', pause);
    await world.sweepAt(at('12:00:30'));
    await world.ledger.setPause('a', null);
    await world.sweepAt(at('12:00:40'));
    expect(await world.lines('a')).toEqual(['12:00 waiting pool']);
    await succeed(world, running);
    await world.sweepAt(at('12:00:50'));
    const [run] = await world.runs('a');
    expect(run).toMatchObject({
      state: 'offered',
      waits: [{ reason: 'pool' }, { reason: 'slot' }, { reason: 'pool' }],
    });
    await expectNoLeak(world, jobIds);
  });

  test('is canceled with its job, and counted no more', async () => {
    const made = await waits();
    made.world.jobs = [holder];
    await made.world.sweepAt(at('12:00:30'));
    expect(await made.world.runs('a')).toMatchObject([
      { state: 'canceled', reason: 'removed', waits: [{ reason: 'pool', until: at('12:00:30') }] },
    ]);
    expect(await slotOf(made)).toBeUndefined();
    expect(await poolOf(made.world)).toMatchObject({ waiting: 0 });
    await expectNoLeak(made.world, jobIds);
  });

  test('is skipped when an edit within the hour no longer wants it, and counted no more', async () => {
    const a = report('a', { overlap: 'queue' });
    const { world } = await waits(a);
    world.jobs = [holder, report('a', { overlap: 'queue', schedule: cron('1-59/2 * * * *') })];
    await world.sweepAt(at('12:00:30'));
    expect(await world.runs('a')).toMatchObject([
      { state: 'skipped', reason: 'edited', waits: [{ reason: 'pool', until: at('12:00:30') }] },
    ]);
    expect(await poolOf(world)).toMatchObject({ waiting: 0 });
    await expectNoLeak(world, jobIds);
  });
});

describe('a run whose job is edited while it waits for pools', () => {
  test('is admitted to those that its job now needs, and counted at none of them any more', async () => {
    const { world } = await waits();
    world.jobs = [holder, report('a', { pools: { cache: 1 } })];
    await world.sweepAt(at('12:00:30'));
    expect(await world.runs('a')).toMatchObject([{ state: 'offered', holds: { cache: 1 } }]);
    expect(await poolOf(world)).toEqual({ capacity: 1, free: 0, waiting: 0, holders: 1 });
    expect(await poolOf(world, 'cache')).toEqual({ capacity: 1, free: 0, waiting: 0, holders: 1 });
    await expectNoLeak(world, jobIds, [db, 'cache']);
  });

  test('starts when it needs none any more', async () => {
    const { world } = await waits();
    world.jobs = [holder, report('a', { pools: {} })];
    await world.sweepAt(at('12:00:30'));
    expect(await world.lines('a')).toEqual(['12:00 offered']);
    expect((await world.runs('a'))[0]).not.toHaveProperty('holds');
    await expectNoLeak(world, jobIds);
  });

  test('is counted at those that its job now needs when they are full, and waits from when it did', async () => {
    const cached = report('b', { pools: { cache: 1 } });
    const { world, running } = await waits(report('a'), cached);
    const other = await runs(world, cached);
    world.jobs = [holder, report('a', { pools: { cache: 1 } }), cached];
    await world.sweepAt(at('12:00:30'));
    expect(await world.runs('a')).toMatchObject([
      { state: 'waiting', waitsFor: { cache: 1 }, waitingSince: at('12:00') },
    ]);
    expect(await poolOf(world)).toMatchObject({ waiting: 0 });
    expect(await poolOf(world, 'cache')).toMatchObject({ waiting: 1 });
    await expectNoLeak(world, jobIds, [db, 'cache']);
    await succeed(world, running);
    await deliver(world, holder, at('12:01'));
    await succeed(world, other);
    await wait(world, cached, at('12:01'));
    await world.sweepAt(at('12:01:10'));
    expect(offered(world)).toEqual(['a']);
    await expectNoLeak(world, jobIds, [db, 'cache']);
  });

  test.each([
    ['allow', 'skip'],
    ['skip', 'allow'],
    ['queue', 'allow'],
  ] as const)('from %s to %s starts with what it then needs, and gives that back', async (before, after) => {
    const { world, running } = await waits(report('a', { overlap: before }));
    world.jobs = [holder, report('a', { overlap: after })];
    await succeed(world, running);
    await world.sweepAt(at('12:00:30'));
    await expectNoLeak(world, jobIds);
    const [run] = await taken(world);
    expect(run?.jobId).toBe('a');
    if (run) await succeed(world, run);
    expect(await slotOf({ world })).toBeUndefined();
    await expectNoLeak(world, jobIds);
  });
});

describe('what a run holds', () => {
  const lease = at('12:15');

  test('is kept when it crashed and is to run again, and given back once', async () => {
    const { world } = await waits();
    await world.sweepAt(lease);
    expect(await world.runs('holder')).toMatchObject([{ state: 'offered', crashes: 1, holds: { [db]: 1 } }]);
    expect(await world.lines('a')).toEqual(['12:00 waiting pool']);
    await expectNoLeak(world, jobIds);
    const [again] = await taken(world);
    if (again) expect(await succeed(world, again)).toBe('finished');
    expect(await poolOf(world)).toMatchObject({ free: 1, holders: 0 });
    await expectNoLeak(world, jobIds);
  });

  test('is what it took, whatever its job needs by then', async () => {
    const world = await deployed({ [db]: 2 }, [holder]);
    const run = await runs(world, holder);
    world.jobs = [report('holder', { pools: { [db]: 2 } })];
    await world.sweepAt(at('12:00:10'));
    expect(await succeed(world, run)).toBe('finished');
    expect(await poolOf(world)).toMatchObject({ free: 2, holders: 0 });
    await expectNoLeak(world, jobIds);
  });

  test('goes to the next one in the sweep that parks it, and its owner frees nothing though it still lives', async () => {
    const parking = report('holder', { crashed: 'park' });
    const world = await deployed({ [db]: 1 }, [parking, report('a')]);
    const zombie = await runs(world, parking);
    await wait(world, report('a'), at('12:00'));
    await world.sweepAt(lease);
    expect(await world.lines('holder')).toEqual(['12:00 parked crashed']);
    expect(offered(world)).toEqual(['a']);
    expect(await succeed(world, zombie)).toBe('lost');
    expect(await poolOf(world)).toMatchObject({ free: 0, holders: 1 });
    await expectNoLeak(world, jobIds);
  });

  test('is given back when it crashed while its job is paused', async () => {
    const { world } = await waits();
    await world.ledger.setPause('holder', pause);
    await world.sweepAt(lease);
    expect(await world.lines('holder')).toEqual(['12:00 waiting slot']);
    expect(offered(world)).toEqual(['a']);
    await world.ledger.setPause('holder', null);
    await world.sweepAt(lease + 1_000);
    expect(await world.lines('holder')).toEqual(['12:00 waiting pool']);
    await expectNoLeak(world, jobIds);
  });

  test('is given back once though it runs again when its job needs no pools any more', async () => {
    const { world } = await waits();
    await world.ledger.setPause('holder', pause);
    await world.sweepAt(lease);
    await world.ledger.setPause('holder', null);
    world.jobs = [report('holder', { pools: {} }), report('a')];
    await world.sweepAt(lease + 1_000);
    const again = (await taken(world)).find(({ jobId }) => jobId === 'holder');
    expect(again).not.toHaveProperty('holds');
    if (again) expect(await succeed(world, again)).toBe('finished');
    expect(await poolOf(world)).toMatchObject({ free: 0, holders: 1 });
    await expectNoLeak(world, jobIds);
  });

  test('is given back when it has crashed too often', async () => {
    const { world } = await waits();
    for (let crashes = 1; crashes <= 3; crashes += 1) {
      await world.sweepAt(world.now + 20 * minute);
      await taken(world);
    }
    expect(await world.lines('holder')).toEqual(['12:00 failed crashed']);
    expect(await world.lines('a')).toEqual(['12:00 running']);
    await expectNoLeak(world, jobIds);
  });

  test('is kept when nobody took its offer, which is made anew', async () => {
    const { world, running } = await waits(report('a', { schedule: cron('0 12 * * *') }));
    await succeed(world, running);
    await world.sweepAt(at('12:00:30'));
    expect(offered(world)).toEqual(['a']);
    await world.sweepAt(at('18:02'));
    expect(await world.runs('a')).toMatchObject([{ state: 'offered', reoffers: 1, holds: { [db]: 1 } }]);
    await expectNoLeak(world, jobIds);
  });

  test('is given back with an offer whose job is removed; a running attempt’s at the end of its lease', async () => {
    const { world, running } = await waits(report('a'), report('b'));
    await succeed(world, running);
    await world.sweepAt(at('12:00:30'));
    world.jobs = [report('b')];
    await world.sweepAt(at('12:00:40'));
    expect(await world.lines('a')).toEqual(['12:00 canceled removed']);
    expect(await poolOf(world)).toMatchObject({ free: 1, holders: 0 });
    const other = await deliver(world, report('b'), at('12:01'));
    world.jobs = [];
    await world.sweepAt(at('12:01:30'));
    expect(await poolOf(world)).toMatchObject({ free: 0, holders: 1 });
    await world.sweepAt(other.attentionAt ?? 0);
    expect(await world.ledger.run(other)).toMatchObject({ state: 'canceled', reason: 'removed' });
    await expectNoLeak(world, jobIds);
  });
});
