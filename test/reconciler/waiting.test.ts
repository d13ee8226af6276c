import { expect, test } from 'vitest';
import { cron, every } from '../../functions/domain/schedule/index.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, take, World } from '../support/reconciler.ts';

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
  const other = manifestJob({ id: 'other', schedule: cron('0 12 * * *') });
  const world = new World(at('00:00:30'), [paused, other]);
  await world.sweep();
  await world.sweepAt(at('11:03:30'));
  expect((await world.runs('paused')).filter(({ state }) => state === 'waiting')).toHaveLength(600);
  await world.ledger.setPause('paused', { at: world.now, by: 'ops', note: 'bank holiday' });
  await world.sweepAt(at('12:03:30'));
  await world.sweepAt(at('12:03:35'));
  expect(world.invoked.map(({ jobId }) => jobId)).toEqual(['other']);
});

test('a fire whose delivery found the slot of a dead run is offered once the reconciler has decided about that', async () => {
  const job = manifestJob({ schedule: cron('0,7 12 * * *'), crashed: 'park' });
  const world = new World(at('11:59:30'), [job]);
  await world.sweep();
  await deliver(world, job, at('12:00'));
  await world.ledger.countStray(job.id, at('12:07'));
  await world.sweepAt(at('12:07:05'));
  expect(await world.lines()).toEqual(['12:00 parked crashed']);
  await world.sweepAt(at('12:07:10'));
  expect(await world.lines()).toEqual(['12:00 parked crashed', '12:07 offered']);
});

test('nor is a swept fire skipped for the slot of a dead run', async () => {
  const job = manifestJob({ schedule: every('7 minutes'), crashed: 'park' });
  const due = Math.ceil(at('12:00') / (7 * minute)) * 7 * minute;
  const world = new World(due - minute, [job]);
  await world.sweep();
  await world.sweepAt(due);
  for (const offered of world.invoked) await take(world, offered, job);
  await world.sweepAt(due + 7 * minute);
  await world.sweepAt(due + 7 * minute + 5_000);
  expect((await world.runs()).map(({ state }) => state)).toEqual(['parked', 'offered']);
});
