import { expect, test } from 'vitest';
import type { JobsAnswer, PoolsAnswer } from '../../functions/console/data.ts';
import { day, hour, minute, toIso } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { sales, seedContention, stock } from '../cli/contended.ts';
import { inventory, invoices, runOf, seed } from '../cli/seeded.ts';
import { at } from '../support/jobs.ts';
import { serve } from './served.ts';

/** 02:00 in Taipei. */
const start = at('00:00') - 6 * hour;
const now = start + 125 * minute;

async function contended() {
  const ledger = memoryLedger();
  await seedContention(ledger, start);
  return { ledger, ...(await serve(ledger, () => now)) };
}

test('jobs: by name, when each is due next, and its newest runs, the oldest first', async () => {
  const { get } = await contended();
  const { jobs, removed } = await get<JobsAnswer>('/api/jobs');
  const ids = jobs.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
  expect({ count: ids.length, removed }).toEqual({ count: 5, removed: [] });
  const line = jobs.find(({ id }) => id === sales.id);
  expect(line).toMatchObject({ schedule: 'At 02:00', timezone: 'Asia/Taipei', parked: 0, paused: null });
  expect(line?.next).toMatchObject({ at: toIso(start + day), local: '2026-12-02 02:00 +08:00' });
  expect(line?.strip.map(({ fireTime, state }) => [fireTime, state])).toEqual([
    ...[6, 5, 4, 3, 2, 1].map((nights) => [toIso(start - nights * day), 'succeeded']),
    [toIso(start), 'failed'],
  ]);
});

test('jobs: what holds one up, and what goes wrong with it; a pause that will be over does not', async () => {
  const ledger = memoryLedger();
  await seed(ledger, at('00:00'));
  const { get } = await serve(ledger, () => at('04:00'));
  const lines = async () => new Map((await get<JobsAnswer>('/api/jobs')).jobs.map((job) => [job.id, job]));
  const before = await lines();
  expect(before.get(invoices.id)).toMatchObject({ parked: 1, paused: null, failuresInARow: 0 });
  expect(before.get(inventory.id)).toMatchObject({
    ...{ parked: 0, paused: { by: 'ops', note: 'stock is being counted', until: null } },
    next: { paused: true },
  });
  const until = at('04:30');
  await ledger.setPause(inventory.id, { at: at('04:00'), by: 'ops', note: '', until });
  expect((await lines()).get(inventory.id)).toMatchObject({
    ...{ paused: { until: toIso(until) }, next: { paused: false } },
  });
});

test('jobs: one that was removed is named while its records are kept, and one that never ran has no runs', async () => {
  const { ledger, get } = await contended();
  const fresh = { ...stock, id: 'reports/fresh' };
  const { id, spec } = sales;
  await ledger.saveManifest({
    ...{ version: 1, jobs: [stock, fresh] },
    removed: [{ id, timezone: spec.timezone }],
  });
  const { jobs, removed } = await get<JobsAnswer>('/api/jobs');
  expect(removed).toEqual([sales.id]);
  expect(jobs.find((job) => job.id === fresh.id)).toMatchObject({ strip: [], parked: 0 });
});

test('jobs: of a job that is due often, the newest twelve', async () => {
  const { ledger, get } = await contended();
  for (let n = 1; n <= 20; n += 1)
    await ledger.create(runOf(stock, now - n * minute, { state: 'missed', settledAt: now }));
  const { jobs } = await get<JobsAnswer>('/api/jobs');
  const strip = jobs.find(({ id }) => id === stock.id)?.strip ?? [];
  expect(strip).toHaveLength(12);
  expect(strip.at(-1)?.fireTime).toBe(toIso(now - minute));
});

test('pools: what is held of each, by how many runs, how many wait, and how many jobs take of it', async () => {
  const { get } = await contended();
  expect(await get<PoolsAnswer>('/api/pools')).toEqual({
    pools: [
      {
        ...{ name: 'reports-db', description: 'IO of the reporting database' },
        ...{ capacity: 3, free: 1, holders: 1, waiting: 1, jobs: 2 },
      },
    ],
  });
});
