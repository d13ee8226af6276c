import { describe, expect, test } from 'vitest';
import { type Audit, auditableUntil, isClean } from '../../functions/domain/audit.ts';
import { reopening } from '../../functions/domain/closed-days/index.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import type { Run } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { type MemoryLedger, memoryLedger } from '../../functions/store/memory.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { all } from '../support/ledger-records.ts';
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
    closedDays: { value: world.ledger.closedDays.bind(world.ledger) },
    jobs: { value: (jobIds: string[]) => world.ledger.jobs(jobIds) },
  });
  const audited = await audit(lossy, world.now);
  expect(audited.missing).toEqual(['hourly#2026-12-01T02:00:00Z', 'busy#2026-12-01T02:00:00Z']);
});

describe('days that are closed', () => {
  const [from, to] = [at('00:00'), at('00:00') + 2 * day - 1];

  /** Two days, all of whose fires were missed; the first is closed, and the records are gone. */
  async function expired(): Promise<MemoryLedger> {
    const ledger = memoryLedger();
    const world = new World(at('00:30'), [skipping], ledger);
    for (let hours = 0; hours <= 50; hours += 1) await world.sweepAt(at('00:30') + hours * hour);
    const second = judged(await world.runs(), at('00:00') + day);
    expect((await all(ledger.closedDays(skipping.id, { from, to }))).map((closed) => closed.day)).toEqual([
      from,
      from + day,
    ]);
    for (const run of await world.runs()) ledger.expire(run);
    await ledger.create(second, { reopens: reopening({ ...second, token: 'again' }) });
    return ledger;
  }

  const skipping = {
    ...hourly,
    missed: { policy: 'skip', limit: 1, maxAgeMs: day, ratePerMinute: 1 },
  } as const;

  function judged(runs: readonly Run[], since: number): Run {
    const run = runs.find(({ fireTime }) => fireTime > since);
    if (run === undefined) throw new Error('There is no run.');
    return run;
  }

  test('prove their fires when their records are gone, and of the others says how many nobody can judge', async () => {
    const ledger = await expired();
    const audited = await auditLedger(ledger, [skipping.id], { from, to, keptSince: to + 1 });
    expect(audited).toMatchObject({ expected: 23, recorded: 23, missing: [], unjudged: 24 });
    expect(audited.states).toMatchObject({ missed: 23 });
    expect(isClean(audited)).toBe(true);
  });

  test('prove a part of theirs as well', async () => {
    const ledger = await expired();
    const audited = await auditLedger(ledger, [skipping.id], { from: at('05:30'), to: at('08:00') });
    expect(audited).toMatchObject({ expected: 3, recorded: 3, states: { missed: 3 }, unjudged: 0 });
  });

  test('take nothing from the others, whose records are asked for', async () => {
    const ledger = await expired();
    const audited = await auditLedger(ledger, [skipping.id], { from, to });
    expect(audited).toMatchObject({ expected: 47, recorded: 24, unjudged: 0 });
    expect(audited.missing).toHaveLength(23);
  });
});
