import { describe, expect, test } from 'vitest';
import { cron } from '../../functions/domain/schedule/index.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { World } from '../support/reconciler.ts';

const kept = manifestJob({ id: 'kept', schedule: cron('0 * * * *') });
const added = manifestJob({ id: 'added', schedule: cron('* * * * *') });
const before = [kept];
const after = [kept, added];
const deployedAt = at('03:00:05');

const warning =
  'a newer manifest has taken force: this reconciler of an earlier deploy leaves the sweep to it';

/** The new manifest has taken force. */
async function deployed(): Promise<World> {
  const world = new World(at('02:58:05'), before);
  await world.sweep();
  world.jobs = after;
  await world.sweepAt(deployedAt);
  return world;
}

/** A reconciler with the manifest of before is called, in a process that was loaded then. */
async function echo(world: World, now: number, loadedAt = at('02:58:05')): Promise<unknown> {
  Object.assign(world, { jobs: before, loadedAt });
  const counts = await world.sweepAt(now);
  Object.assign(world, { jobs: after, loadedAt: null });
  return counts;
}

describe('a reconciler of before a deploy that is called once more', () => {
  test('takes nothing back: it publishes nothing, cancels nothing, and reports no sweep', async () => {
    const world = await deployed();
    const known = async () => [await world.ledger.manifest(), await world.ledger.job('added')];
    const [reports, was] = [world.reports.length, await known()];
    expect(await echo(world, deployedAt + minute)).toBeNull();
    expect(await known()).toEqual(was);
    expect(world.reports).toHaveLength(reports);
    expect(world.warnings.map(({ message }) => message)).toEqual([warning]);
  });

  test('ends no run that waits', async () => {
    const world = await deployed();
    const later = deployedAt + 4 * minute + 30 * second;
    // Three minutes are over by then, so the deploy's publication is told anew by another one.
    world.jobs = [kept, added, manifestJob({ id: 'third', schedule: cron('0 * * * *') })];
    await world.sweepAt(later);
    const open = await world.lines('added');
    expect(open.length).toBeGreaterThan(0);
    world.jobs = after;
    world.loadedAt = deployedAt;
    expect(await world.sweepAt(later + second)).toBeNull();
    expect(await world.lines('added')).toEqual(open);
  });

  test('holds nobody up: the new one sweeps on at once', async () => {
    const world = await deployed();
    await echo(world, deployedAt + 30 * second);
    expect(await world.sweepAt(deployedAt + 31 * second)).not.toBeNull();
  });

  test('is what is deployed, if it is still called when three minutes have gone by', async () => {
    const world = await deployed();
    expect(await echo(world, deployedAt + 3 * minute - second)).toBeNull();
    expect(await echo(world, deployedAt + 3 * minute)).not.toBeNull();
    expect((await world.ledger.manifest())?.jobs.map(({ id }) => id)).toEqual(['kept']);
  });
});

test('a rollback takes force at once: its process was loaded later', async () => {
  const world = await deployed();
  expect(await echo(world, deployedAt + minute, deployedAt + 40 * second)).not.toBeNull();
  expect((await world.ledger.manifest())?.jobs.map(({ id }) => id)).toEqual(['kept']);
});
