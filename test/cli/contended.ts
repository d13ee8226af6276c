import type { Bill } from '../../functions/domain/bill.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { type Run, turnOf, waitingForSlot } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { day, minute, second } from '../../functions/domain/time.ts';
import { manifestJob } from '../support/jobs.ts';
import { attemptOf, runOf } from './seeded.ts';

const pools = { 'reports-db': 2 };
const zone = { timezone: 'Asia/Taipei', overlap: 'queue' } as const;

/** Two reports that read one database and take nothing of pools. */
export const sales = manifestJob({ id: 'reports/daily-sales', schedule: cron('0 2 * * *'), ...zone });
export const stock = manifestJob({ id: 'reports/inventory', schedule: cron('5 2 * * *'), ...zone });
/** The same with a pool of 3, of which each takes 2. */
export const pooledSales = manifestJob({
  id: 'pooled/daily-sales',
  schedule: cron('0 3 * * *'),
  ...zone,
  pools,
});
export const pooledStock = manifestJob({
  id: 'pooled/inventory',
  schedule: cron('5 3 * * *'),
  ...zone,
  pools,
});
/** It has to do with no database. */
export const rates = manifestJob({ id: 'rates/pull-fx', schedule: cron('0 * * * *'), ...zone });

export function reads(amount: number, more: Partial<Bill> = {}): Bill {
  return {
    wallMs: 60_000,
    cpuUserMs: 900,
    cpuSystemMs: 100,
    receivedBytes: amount * 1_000,
    metered: { 'reports-db': { reads: amount } },
    ...more,
  };
}

/** A run of one attempt, `takesMs` long; `late` after it was due. */
export function ranOf(
  job: Parameters<typeof runOf>[0],
  due: number,
  {
    late = second,
    takesMs = 10 * minute,
    bill,
    ...more
  }: Partial<Run> & { late?: number; takesMs?: number; bill?: Bill },
): Run {
  const startedAt = due + late;
  const settledAt = startedAt + takesMs;
  const outcome = more.state === 'failed' ? 'failed' : 'succeeded';
  return runOf(job, due, {
    createdAt: due + second,
    settledAt,
    attempts: [attemptOf(1, startedAt, { settledAt, outcome, ...(bill && { bill }) })],
    ...more,
  });
}

const refused = {
  state: 'failed',
  reason: 'error',
  error: { name: 'QueueFull', message: 'reports-db refused 12 reads' },
} as const;

/**
 * The night of `start` (02:00 in Taipei), and the six before it. At 02:00 the sales read 14 times what they usually do; the
 * stock, due at 02:05, runs beside them, and both fail. At 03:00 the same goes well: the stock waits for the pool. At 04:00
 * the sales hold the pool once more, and the stock waits still.
 */
export async function seedContention(ledger: Ledger, start: number): Promise<void> {
  const jobs = [sales, stock, pooledSales, pooledStock, rates];
  for (const job of jobs)
    await ledger.publish({ jobId: job.id, from: start - 30 * day, specId: job.specId, spec: job.spec }, null);
  await ledger.publishPool({ name: 'reports-db', capacity: 3 }, null);
  await ledger.saveManifest({
    version: 1,
    jobs,
    pools: { 'reports-db': { capacity: 3, describe: 'IO of the reporting database' } },
  });
  for (const run of [...before(start), ...unpooled(start), ...pooled(start + 60 * minute)])
    await ledger.create(run);
  await seedWaiting(ledger, start + 120 * minute);
}

function before(start: number): Run[] {
  return [1, 2, 3, 4, 5, 6].flatMap((nights) => {
    const due = start - nights * day;
    return [
      ranOf(sales, due, { takesMs: 4 * minute, bill: reads(6_000) }),
      ranOf(stock, due + 5 * minute, { takesMs: 3 * minute, bill: reads(2_600) }),
      ranOf(pooledSales, due + 60 * minute, { takesMs: 4 * minute, bill: reads(6_000) }),
      ranOf(pooledStock, due + 65 * minute, { takesMs: 3 * minute, bill: reads(2_600) }),
    ];
  });
}

function unpooled(start: number): Run[] {
  return [
    ranOf(sales, start, { takesMs: 18 * minute, bill: reads(84_000), ...refused }),
    ranOf(stock, start + 5 * minute, { takesMs: 9 * minute, bill: reads(2_600), ...refused }),
    ranOf(rates, start, { takesMs: 7 * minute, bill: { wallMs: 5_000, cpuUserMs: 40, cpuSystemMs: 10 } }),
    skipped(start + 5 * minute),
    crashedOnce(start + 60 * minute),
  ];
}

/** Since the one before it, of 02:00, still ran. */
function skipped(due: number): Run {
  return runOf(rates, due, { state: 'skipped', reason: 'overlap', createdAt: due, settledAt: due });
}

function crashedOnce(due: number): Run {
  const crashed = attemptOf(1, due + second, { settledAt: due + 7 * minute, outcome: 'crashed' });
  const again = attemptOf(2, due + 8 * minute, { settledAt: due + 9 * minute, outcome: 'succeeded' });
  return runOf(rates, due, {
    crashes: 1,
    restarts: 1,
    settledAt: due + 9 * minute,
    attempts: [crashed, again],
  });
}

function pooled(start: number): Run[] {
  const ended = start + second + 12 * minute;
  const wait = { reason: 'pool', from: start + 5 * minute + second, until: ended + second, pools } as const;
  return [
    ranOf(pooledSales, start, { takesMs: 12 * minute, bill: reads(84_000), holds: pools }),
    ranOf(pooledStock, start + 5 * minute, {
      late: 7 * minute + 4 * second,
      takesMs: 4 * minute,
      bill: reads(2_600),
      holds: pools,
      waits: [wait],
    }),
  ];
}

/** The sales have run for two minutes; the stock waits for the pool, and the next stock for its slot. */
async function seedWaiting(ledger: Ledger, start: number): Promise<void> {
  const holder = runOf(pooledSales, start, {
    state: 'running',
    attentionAt: start + 20 * minute,
    hasSlot: true,
    holds: pools,
    attempts: [attemptOf(1, start + second, { leaseUntil: start + 20 * minute })],
  });
  await ledger.create(holder, {
    slot: 'take',
    pools: [{ pool: 'reports-db', hold: { kind: 'take', weight: 2 } }],
  });
  const waiter = runOf(pooledStock, start + minute, {
    state: 'waiting',
    reason: 'pool',
    attentionAt: turnOf(start + minute, 'pool'),
    hasSlot: true,
    waitsFor: pools,
    waitingSince: start + minute + second,
  });
  await ledger.create(waiter, { slot: 'take', pools: [{ pool: 'reports-db', addWaiting: 1 }] });
  const behind = { ...waitingForSlot({ fireTime: start + 2 * minute }, start + 2 * minute) };
  await ledger.create(runOf(pooledStock, start + 2 * minute, behind), { addQueued: 1 });
}
