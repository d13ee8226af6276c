import { expect, test } from 'vitest';
import { type Audit, auditableUntil, isClean } from '../../functions/domain/audit.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, World } from '../support/reconciler.ts';

const hourly = manifestJob({ id: 'hourly', schedule: cron('0 * * * *') });
const busy = manifestJob({ id: 'busy', schedule: cron('*/10 * * * *'), overlap: 'allow' });
const jobs = [hourly, busy];

/** Two hours with deliveries, then an outage of two, then one sweep. */
async function afterOutage(): Promise<World> {
  const world = new World(at('00:30'), jobs);
  await world.sweep();
  for (const [job, time] of [
    [hourly, '01:00'],
    [busy, '01:00'],
    [hourly, '02:00'],
  ] as const) {
    world.now = at(time);
    await succeed(world, await deliver(world, job, at(time), `${job.id}-${time}`));
  }
  await world.sweepAt(at('04:30'));
  return world;
}

function audit(ledger: Ledger, now: number): Promise<Audit> {
  return auditLedger(
    ledger,
    jobs.map((job) => job.id),
    { from: at('00:00'), to: auditableUntil(now, jobs) },
  );
}

test('after an outage and a sweep every fire since the first deployment is accounted for', async () => {
  const world = await afterOutage();
  const audited = await audit(world.ledger, world.now);
  expect(isClean(audited)).toBe(true);
  expect(audited.jobs.hourly).toMatchObject({ expected: 4, recorded: 4, missing: [] });
  expect(audited.jobs.busy?.expected).toBe(23);
  expect(audited.states).toMatchObject({ succeeded: 3 });
});

test('a reconciler that stands still shows as missing fires, though nobody has looked for them', async () => {
  const world = await afterOutage();
  const audited = await audit(world.ledger, world.now + 2 * hour + 5 * minute);
  expect(isClean(audited)).toBe(false);
  expect(audited.jobs.hourly?.missing).toEqual([
    'hourly#2026-12-01T05:00:00Z',
    'hourly#2026-12-01T06:00:00Z',
  ]);
});

test('a record that is gone is named', async () => {
  const world = await afterOutage();
  const lossy: Ledger = Object.create(world.ledger, {
    history: {
      value: async function* (...[jobId, range]: Parameters<Ledger['history']>) {
        for await (const run of world.ledger.history(jobId, range))
          if (run.fireTime !== at('02:00')) yield run;
      },
    },
    specs: { value: (jobId: string) => world.ledger.specs(jobId) },
    jobs: { value: (jobIds: string[]) => world.ledger.jobs(jobIds) },
  });
  const audited = await audit(lossy, world.now);
  expect(audited.missing).toEqual(['hourly#2026-12-01T02:00:00Z', 'busy#2026-12-01T02:00:00Z']);
});
