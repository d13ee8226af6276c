import { describe, expect, test } from 'vitest';
import { mostCrashes } from '../../functions/domain/attention.ts';
import type { Run } from '../../functions/domain/run.ts';
import { at } from '../support/jobs.ts';
import { deliver, end, succeed, type World } from '../support/reconciler.ts';
import { db, deployed, expectNoLeak, first, offered, poolOf, report, runs, taken } from './pool-world.ts';

const job = report('a', { crashed: 'resume' });
const pause = { at: 0, by: 'ops', note: '' };

/** The fire of 12:00 wants to go on from page 1 at 12:14. */
async function continued(of: Parameters<typeof report>[1] = {}) {
  const long = report('a', { crashed: 'resume', ...of });
  const world = await deployed({ [db]: 1 }, [long]);
  const run = await runs(world, long);
  world.now = at('12:14');
  await hop(world, run, 1);
  return { world, run };
}

function hop(world: World, run: Run, page: number) {
  return end(world, run, { kind: 'continued', cursor: { page } });
}

async function next(world: World): Promise<Run> {
  const [run] = await taken(world);
  if (run === undefined) throw new Error('nothing was offered');
  return run;
}

/** Its process dies, and its lease ends. */
async function die(world: World): Promise<void> {
  const { attentionAt = 0 } = await first(world);
  await world.sweepAt(attentionAt);
}

describe('a run that goes on', () => {
  test('is sent at once under a token of its own, with what it has; that is no offer made anew', async () => {
    const { world, run } = await continued();
    await world.sweepAt(at('12:14'));
    const offer = await first(world);
    expect(offer).toMatchObject({
      state: 'offered',
      reoffers: 0,
      hops: 1,
      cursor: { page: 1 },
      hasSlot: true,
    });
    expect(offer).not.toHaveProperty('unsent');
    expect(offer.token).not.toBe(run.token);
    expect(world.invoked).toMatchObject([{ key: run.key, token: offer.token }]);
    expect(await poolOf(world)).toMatchObject({ free: 0, holders: 1 });
    expect(world.warnings).toEqual([]);
    expect(world.reports.at(-1)).toMatchObject({ reoffered: 0 });
    await expectNoLeak(world, ['a']);
  });

  test('is sent once: the next sweep leaves the offer to whom it was sent', async () => {
    const { world } = await continued();
    await world.sweepAt(at('12:14'));
    await world.sweepAt(at('12:14:30'));
    expect(offered(world)).toEqual(['a']);
  });

  test('is offered anew when nobody took it, which is no crash', async () => {
    const { world } = await continued();
    await world.sweepAt(at('12:14'));
    await die(world);
    expect(await first(world)).toMatchObject({
      state: 'offered',
      reoffers: 1,
      crashes: 0,
      cursor: { page: 1 },
    });
    expect(offered(world)).toEqual(['a', 'a']);
  });

  test('bars the fires that come meanwhile, and comes to one end', async () => {
    const { world } = await continued();
    await expect(deliver(world, job, at('12:14'))).rejects.toThrow('skip');
    await world.sweepAt(at('12:14'));
    const second = await next(world);
    await hop(world, second, 2);
    await world.sweepAt(at('12:14:01'));
    await succeed(world, await next(world));
    expect(await first(world)).toMatchObject({ state: 'succeeded', hops: 2 });
    expect((await first(world)).attempts.map(({ outcome }) => outcome)).toEqual([
      ...['continued', 'continued', 'succeeded'],
    ]);
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    await expectNoLeak(world, ['a']);
  });

  test('while its job is paused waits without slot and holds, and goes on from its cursor when it is resumed', async () => {
    const { world } = await continued();
    await world.ledger.setPause('a', pause);
    await world.sweepAt(at('12:14'));
    expect(await world.lines('a')).toEqual(['12:00 waiting slot']);
    expect(await poolOf(world)).toMatchObject({ free: 1 });
    await expectNoLeak(world, ['a']);
    await world.ledger.setPause('a', null);
    await world.sweepAt(at('12:15'));
    expect(await next(world)).toMatchObject({ cursor: { page: 1 }, hasSlot: true, holds: { [db]: 1 } });
  });

  test('though somebody had asked that it end is canceled instead', async () => {
    const world = await deployed({ [db]: 1 }, [job]);
    const run = await runs(world, job);
    const cancelRequested = { at: at('12:13'), by: 'ops', reason: 'operator' } as const;
    const fence = { state: 'running', token: run.token } as const;
    await world.ledger.move(run, fence, { set: { state: 'running', cancelRequested } });
    world.now = at('12:14');
    await hop(world, run, 1);
    await world.sweepAt(at('12:14'));
    expect(await world.lines('a')).toEqual(['12:00 canceled operator']);
    expect(offered(world)).toEqual([]);
    expect(await world.ledger.job('a')).not.toHaveProperty('slot');
    await expectNoLeak(world, ['a']);
  });
});

describe('a run that goes on and dies', () => {
  test('under resume goes on from the cursor of its last hop, with its steps', async () => {
    const { world } = await continued();
    await world.sweepAt(at('12:14'));
    await next(world);
    await die(world);
    const again = await next(world);
    expect(again).toMatchObject({ cursor: { page: 1 }, crashes: 1, hops: 1, hasSlot: true });
    expect(again).not.toHaveProperty('restarts');
  });

  test('under rerun begins from its start: without a cursor, and plain steps of before count no more', async () => {
    const { world } = await continued({ crashed: 'rerun' });
    await world.sweepAt(at('12:14'));
    await next(world);
    await die(world);
    const again = await next(world);
    expect(again).toMatchObject({ restarts: 1, crashes: 1, hops: 1 });
    expect(again).not.toHaveProperty('cursor');
  });

  test('under park is left to a person', async () => {
    const { world } = await continued({ crashed: 'park' });
    await world.sweepAt(at('12:14'));
    await next(world);
    await die(world);
    expect(await first(world)).toMatchObject({ state: 'parked', reason: 'crashed', cursor: { page: 1 } });
    await expectNoLeak(world, ['a']);
  });

  test('in each of its hops makes headway under resume, and comes to its end', async () => {
    const world = await deployed({ [db]: 1 }, [job]);
    let run = await runs(world, job);
    for (const page of [1, 2, 3, 4, 5]) {
      await die(world);
      run = await next(world);
      await hop(world, run, page);
      await world.sweep();
      run = await next(world);
    }
    await succeed(world, run);
    expect(await first(world)).toMatchObject({ state: 'succeeded', crashes: 5, hops: 5 });
    await expectNoLeak(world, ['a']);
  });

  test.each(['resume', 'rerun'] as const)(
    `${mostCrashes} times in one hop is given up under %s`,
    async (crashed) => {
      const { world } = await continued({ crashed });
      await world.sweepAt(at('12:14'));
      for (let count = 0; count < mostCrashes; count += 1) {
        await next(world);
        await die(world);
      }
      expect(await first(world)).toMatchObject({ state: 'failed', reason: 'crashed', crashes: mostCrashes });
      expect(await world.ledger.job('a')).toMatchObject({ failuresInARow: 1 });
      await expectNoLeak(world, ['a']);
    },
  );

  test(`${mostCrashes} times under rerun is given up, also in different hops: each crash begins it anew`, async () => {
    const { world } = await continued({ crashed: 'rerun' });
    for (let count = 1; count <= mostCrashes; count += 1) {
      await world.sweep();
      await next(world);
      await die(world);
      if (count === mostCrashes) break;
      await hop(world, await next(world), 1);
    }
    expect(await first(world)).toMatchObject({ state: 'failed', reason: 'crashed', hops: mostCrashes });
  });
});
