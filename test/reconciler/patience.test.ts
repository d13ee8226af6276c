import { expect, test } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import { sweep } from '../../functions/reconciler/sweep.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, World } from '../support/reconciler.ts';

/** A job due every minute, whose run of 12:05 takes 15 s while its missed fire of 12:01 waits; a sweep at 12:05:00. */
async function sweepWhileBusy(patient: boolean): Promise<{ world: World; looks: number }> {
  const job = manifestJob();
  const world = new World(at('12:00:30'), [job]);
  await world.sweep();
  for (const time of ['12:02', '12:03', '12:04']) await succeed(world, await deliver(world, job, at(time)));
  await world.sweepAt(at('12:04:30'));
  world.now = at('12:05');
  const live = await deliver(world, job, at('12:05'));
  let looks = 0;
  const ports = {
    ...world.ports,
    sleep: async (ms: number) => {
      looks += 1;
      const before = world.now;
      world.now += ms;
      const endsAt = at('12:05') + 15 * second;
      if (before < endsAt && world.now >= endsAt) await succeed(world, live);
    },
  };
  const remainingMs = () => at('12:05') + minute - world.now;
  await sweep(ports, { version: 1, jobs: [job] }, { compiled: compileOnce(), remainingMs, patient });
  return { world, looks };
}

test('a run that waits for its slot is started as soon as the slot is free, however short that is', async () => {
  const { world, looks } = await sweepWhileBusy(true);
  expect(world.invoked).toMatchObject([{ key: '2026-12-01T12:01:00Z' }]);
  expect(looks).toBe(3);
});

test('a sweep that messages wait behind looks only once', async () => {
  const { world, looks } = await sweepWhileBusy(false);
  expect(world.invoked).toEqual([]);
  expect(looks).toBe(0);
});
