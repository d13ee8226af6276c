import { admit, type Pools, patienceMs, type Waiter } from '../../functions/domain/admission.ts';
import { minute } from '../../functions/domain/time.ts';
import { Random } from '../../functions/simulator/random.ts';
import { benchContention } from './contention.ts';
import { type BenchRow, median, row } from './row.ts';

const waiters = 1_000;
const pools = 20;
const warmUps = 50;
const rounds = 500;
const budgetMs = 5;

/** How long the reconciler takes to decide about a crowd, and what a crowd costs. */
export async function benchAdmission(): Promise<BenchRow[]> {
  return [
    decision('of all ages', 2 * patienceMs),
    decision('all patient', minute),
    ...(await benchContention()),
  ];
}

/** Waiters of up to `oldestMs`, each of which needs 1 to 4 of the pools; these are free in part. */
function decision(who: string, oldestMs: number): BenchRow {
  const random = new Random(20261130);
  const free = drawPools(random);
  const now = 100 * patienceMs;
  const crowd = Array.from({ length: waiters }, (_, n) => drawWaiter(random, n, now - oldestMs));
  const walls: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const began = performance.now();
    admit(free, crowd, now);
    if (round >= 0) walls.push(performance.now() - began);
  }
  const metric = `median ms to decide about ${waiters} waiters at ${pools} pools, ${who}`;
  const of = { name: 'admission', metric, ours: median(walls) };
  return row({ ...of, peer: budgetMs, peerName: 'its budget', target: 1 });
}

function drawPools(random: Random): Pools {
  const names = Array.from({ length: pools }, (_, n) => `pool-${n}`);
  return new Map(names.map((name) => [name, { capacity: 50, free: random.whole(0, 50) }]));
}

function drawWaiter(random: Random, n: number, since: number): Waiter {
  const needed = Array.from({ length: random.whole(1, 4) }, () => `pool-${random.whole(0, pools - 1)}`);
  return {
    id: `reports/daily-${n}#2026-12-01T03:00:00Z`,
    needs: Object.fromEntries(needed.map((pool) => [pool, random.whole(1, 5)])),
    priority: random.whole(-1, 2),
    since: since + random.whole(0, 100 * patienceMs - since),
  };
}
