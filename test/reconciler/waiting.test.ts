import { expect, test } from 'vitest';
import { cron } from '../../functions/domain/schedule/index.ts';
import { hour } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, World } from '../support/reconciler.ts';

test('however many runs wait, they hide no lease that ended', async () => {
  const jobs = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => manifestJob({ id }));
  const world = new World(at('00:00:30'), jobs);
  await world.sweep();
  await world.sweepAt(at('03:04'));
  for (const { id } of jobs)
    expect((await world.runs(id)).filter(({ state }) => state === 'waiting')).toHaveLength(100);
  const dying = await Promise.all(jobs.map((job) => deliver(world, job, at('03:05'))));
  await world.sweepAt(at('03:11'));
  for (const run of dying)
    expect(await world.ledger.run(run)).toMatchObject({ state: 'offered', crashes: 1 });
});

test('those of a paused job hide no other job’s', async () => {
  const missed = { policy: 'all', limit: 600, maxAgeMs: 24 * hour, ratePerMinute: 10 } as const;
  const paused = manifestJob({ id: 'paused', missed });
  const other = manifestJob({ id: 'other', schedule: cron('0 11 * * *') });
  const world = new World(at('00:00:30'), [paused, other]);
  await world.sweep();
  await world.sweepAt(at('11:03:30'));
  expect((await world.runs('paused')).filter(({ state }) => state === 'waiting')).toHaveLength(600);
  await world.ledger.setPause('paused', { at: world.now, by: 'ops', note: 'bank holiday' });
  await world.sweepAt(at('11:05'));
  expect(world.invoked.map(({ jobId }) => jobId)).toEqual(['other']);
});
