import { describe, expect, test } from 'vitest';
import { cancelRun } from '../../functions/domain/cancel.ts';
import type { Run } from '../../functions/domain/run.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';
import { deliver, end, queue, succeed, type World, wait } from '../support/reconciler.ts';
import { db, deployed, expectNoLeak, first, offered, poolOf, report, runs, taken } from './pool-world.ts';

const retry = { attempts: 3, backoffMs: minute, capMs: hour };
const error = { name: 'Error', message: 'the bank did not answer' };
const pause = { at: 0, by: 'ops', note: '' };
const job = report('a', { retry });
const other = report('other');

/** The fire of 12:00 has failed at 12:01, and is to be tried again at 12:01:30. */
async function failed(
  of: Parameters<typeof report>[1] = {},
  others: readonly ReturnType<typeof report>[] = [],
) {
  const failing = report('a', { retry, ...of });
  const world = await deployed({ [db]: 1 }, [failing, ...others]);
  const run = await runs(world, failing);
  await fail(world, run, at('12:01'));
  return { world, job: failing };
}

async function fail(world: World, run: Run, now: number) {
  world.now = now;
  await end(world, run, { kind: 'failed', error }, retry);
}

describe('a run that is to be tried again', () => {
  test('is left alone until it is due; then it is offered, and takes its pools again', async () => {
    const { world } = await failed();
    expect(await poolOf(world)).toMatchObject({ free: 1 });
    await world.sweepAt(at('12:01:29'));
    expect(await world.lines('a')).toEqual(['12:00 retrying error']);
    await world.sweepAt(at('12:01:30'));
    expect(await world.lines('a')).toEqual(['12:00 offered']);
    expect(await first(world)).toMatchObject({ failures: 1, reoffers: 0, hasSlot: true, holds: { [db]: 1 } });
    expect(await poolOf(world)).toMatchObject({ free: 0, holders: 1 });
    const [again] = await taken(world);
    expect(again?.attempts).toMatchObject([{ outcome: 'failed' }, { number: 2 }]);
    await expectNoLeak(world, ['a']);
  });

  test('comes to its end: tried as often as it may be, then failed, and counted once', async () => {
    const { world } = await failed();
    for (const now of ['12:02', '12:05']) {
      await world.sweepAt(at(now));
      const [again] = await taken(world);
      if (again === undefined) throw new Error('it was not offered');
      await fail(world, again, at(now) + 1_000);
    }
    expect(await first(world)).toMatchObject({ state: 'failed', reason: 'error', failures: 3 });
    expect(await world.ledger.job('a')).toMatchObject({ failuresInARow: 1 });
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    await expectNoLeak(world, ['a']);
  });

  test('waits for its pools where too little is left, with its slot, and is no newcomer there', async () => {
    const { world } = await failed({}, [other]);
    const holder = await deliver(world, other, at('12:01'));
    await world.sweepAt(at('12:01:30'));
    expect(await world.lines('a')).toEqual(['12:00 waiting pool']);
    expect(await first(world)).toMatchObject({ hasSlot: true, waitingSince: at('12:01:30'), failures: 1 });
    expect(await poolOf(world)).toMatchObject({ waiting: 1 });
    world.now = at('12:02');
    await succeed(world, holder);
    await wait(world, other, at('12:02'));
    await world.sweepAt(at('12:02:05'));
    expect(offered(world)).toEqual(['a']);
    expect((await first(world)).waits).toMatchObject([{ reason: 'pool', from: at('12:01:30') }]);
    await expectNoLeak(world, ['a', 'other']);
  });

  test('leaves its pools to others meanwhile, so that two that fail do not wait for each other', async () => {
    const both = ['a', 'b'].map((id) => report(id, { retry }));
    const [a = job, b = job] = both;
    const world = await deployed({ [db]: 1 }, both);
    const one = await deliver(world, a, at('12:00'));
    await wait(world, b, at('12:00'));
    await fail(world, one, at('12:00:10'));
    await world.sweepAt(at('12:00:11'));
    const [two] = await taken(world);
    if (two?.jobId !== 'b') throw new Error('the other one was not offered');
    await fail(world, two, at('12:00:20'));
    for (const now of ['12:01', '12:02']) {
      await world.sweepAt(at(now));
      for (const again of await taken(world)) await succeed(world, again);
    }
    expect([await world.lines('a'), await world.lines('b')]).toEqual([
      ['12:00 succeeded'],
      ['12:00 succeeded'],
    ]);
    await expectNoLeak(world, ['a', 'b']);
  });

  test('keeps its slot: a newer fire is skipped', async () => {
    const { world } = await failed();
    await expect(deliver(world, job, at('12:01'))).rejects.toThrow('skip');
  });

  test('keeps its slot: a newer fire queues behind it', async () => {
    const { world, job: queueing } = await failed({ overlap: 'queue' });
    await queue(world, queueing, at('12:01'));
    await world.sweepAt(at('12:01:30'));
    expect(await world.lines('a')).toEqual(['12:00 offered', '12:01 waiting slot']);
  });

  test('gives way where a newer fire cancels what runs', async () => {
    const { world, job: canceling } = await failed({ overlap: 'cancel-running' });
    await queue(world, canceling, at('12:01'));
    await world.sweepAt(at('12:01:05'));
    expect(await world.lines('a')).toEqual(['12:00 canceled superseded', '12:01 offered']);
    await expectNoLeak(world, ['a']);
  });

  test('has no slot where its job has none, and is tried again all the same', async () => {
    const { world } = await failed({ overlap: 'allow' });
    await world.sweepAt(at('12:01:30'));
    expect(await world.lines('a')).toEqual(['12:00 offered']);
    expect(await first(world)).toMatchObject({ hasSlot: false });
    await expectNoLeak(world, ['a']);
  });

  test('while its job is paused waits without its slot, and goes on when it is resumed', async () => {
    const { world } = await failed();
    await world.ledger.setPause('a', pause);
    await world.sweepAt(at('12:01:30'));
    expect(await world.lines('a')).toEqual(['12:00 waiting slot']);
    expect(await world.ledger.job('a')).toMatchObject({ queued: 1 });
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    await world.ledger.setPause('a', null);
    await world.sweepAt(at('12:01:40'));
    expect(await world.lines('a')).toEqual(['12:00 offered']);
    expect(await world.ledger.job('a')).toMatchObject({ queued: 0, slot: (await first(world)).key });
    await expectNoLeak(world, ['a']);
  });

  test('of a removed job is canceled by the sweep that finds it gone, whenever it is due', async () => {
    const { world } = await failed({}, [other]);
    world.jobs = [other];
    await world.sweepAt(at('12:01:10'));
    expect((await world.lines('a'))[0]).toBe('12:00 canceled removed');
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    await expectNoLeak(world, ['a', 'other']);
  });

  test('is canceled at once by a person, and its slot is free', async () => {
    const { world } = await failed();
    const run = await first(world);
    const request = { at: at('12:01:10'), by: 'ops', reason: 'operator' } as const;
    const canceled = cancelRun(run, request, { state: await world.ledger.job('a'), token: 'ops' });
    if (canceled.kind === 'refused') throw new Error(canceled.why);
    const { effect = {} } = canceled;
    expect(await world.ledger.move(run, canceled.fence, canceled.change, { effect })).toMatchObject({
      kind: 'done',
    });
    expect(await world.lines('a')).toEqual(['12:00 canceled operator']);
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    await world.sweepAt(at('12:02'));
    expect(offered(world)).toEqual([]);
    await expectNoLeak(world, ['a']);
  });

  test('of which somebody asked that it end before it failed is not tried again', async () => {
    const world = await deployed({ [db]: 1 }, [job]);
    const run = await runs(world, job);
    await ask(world, run);
    await fail(world, run, at('12:01'));
    await world.sweepAt(at('12:01:30'));
    expect(await world.lines('a')).toEqual(['12:00 canceled operator']);
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    await expectNoLeak(world, ['a']);
  });

  test('that ignored its abort is tried again once its lease is over, and is not taken for dead a second time', async () => {
    const world = await deployed({ [db]: 1 }, [job]);
    const run = await runs(world, job);
    const mark = { set: { state: 'running', timedOutAt: at('12:10'), error } } as const;
    await world.ledger.move(run, { state: 'running', token: run.token }, mark);
    const { attentionAt: leaseEnd = 0 } = run;
    await world.sweepAt(leaseEnd);
    expect(await first(world)).toMatchObject({
      ...{ state: 'retrying', reason: 'timed-out', failures: 1, attentionAt: leaseEnd + minute },
      attempts: [{ outcome: 'timed-out' }],
    });
    expect(await first(world)).not.toHaveProperty('timedOutAt');
    expect(await end(world, run, { kind: 'succeeded' })).toBe('lost');
    await world.sweepAt(leaseEnd + minute);
    const [again] = await taken(world);
    await world.sweepAt(again?.attentionAt ?? 0);
    expect(await first(world)).toMatchObject({ crashes: 1 });
    await expectNoLeak(world, ['a']);
  });
});

/** A person asks that a running run end. */
async function ask(world: World, run: Run): Promise<void> {
  const cancelRequested = { at: at('12:00:30'), by: 'ops', reason: 'operator' } as const;
  await world.ledger.move(
    run,
    { state: 'running', token: run.token },
    { set: { state: 'running', cancelRequested } },
  );
}
