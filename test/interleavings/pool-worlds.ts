import fc from 'fast-check';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import type { Weights } from '../../functions/domain/pools.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { minute } from '../../functions/domain/time.ts';
import { manifestJob } from '../support/jobs.ts';
import type { Act, Script } from './acts.ts';
import { acts, deployed, scripted } from './draw.ts';
import { atNoon, jobs, missing, type Of, swept, threeTimes } from './draw-jobs.ts';

const inventory = 'reports/inventory';
const sales = 'reports/sales';
const stock = 'reports/stock';

const db: Weights = { db: 2 };

const weight = fc.integer({ min: 1, max: 2 });

/** A job that takes one or two units of each of some pools. */
function contender(
  id: string,
  of: Of = atNoon,
  pools: readonly string[] = ['db'],
): fc.Arbitrary<ManifestJob> {
  const weights = fc.tuple(...pools.map((pool) => weight.map((units) => [pool, units] as const)));
  return fc
    .record({ priority: fc.nat(1), pools: weights.map((all) => Object.fromEntries(all)) })
    .chain((drawn) => jobs({ id, ...drawn, ...of }));
}

function contenders(
  drawn: readonly fc.Arbitrary<ManifestJob>[],
  played: readonly fc.Arbitrary<Act>[],
  capacities = db,
): fc.Arbitrary<Script> {
  return fc.tuple(...drawn).chain((all) => scripted([deployed(all, capacities)], played));
}

/** As above; then other versions of them are deployed. */
function redeployed(
  drawn: readonly fc.Arbitrary<ManifestJob>[],
  change: (job: ManifestJob) => ManifestJob | null,
  played: readonly fc.Arbitrary<Act>[],
): fc.Arbitrary<Script> {
  const capacities = { db: 2, api: 2 };
  return fc.tuple(...drawn).chain((all) => {
    const next = all.flatMap((job) => change(job) ?? []);
    return scripted([deployed(all, capacities), deployed(next, capacities)], played);
  });
}

/** Small worlds of jobs that share pools, each about one kind of race. Instants are seconds from noon. */
export const poolWorlds: Readonly<Record<string, fc.Arbitrary<Script>>> = {
  'two jobs at one pool': contenders(
    [contender(inventory), contender(sales)],
    [
      acts.delivery(inventory, 0),
      acts.delivery(sales, 0),
      acts.delivery(sales, 0, [0, 100]),
      acts.sweep([0, 100]),
      acts.sweep([60, 240]),
    ],
  ),

  'three jobs at two pools': contenders(
    [contender(inventory, atNoon, ['db', 'api']), contender(sales), contender(stock, atNoon, ['api', 'db'])],
    [
      acts.delivery(inventory, 0),
      acts.delivery(sales, 0),
      acts.delivery(stock, 0),
      acts.sweep([0, 100]),
      acts.sweep([60, 240]),
    ],
    { db: 2, api: 2 },
  ),

  'a heavy run that waits, and a light newcomer': contenders(
    [
      contender(inventory, { ...atNoon, pools: { db: 1 } }),
      contender(sales, { ...atNoon, pools: { db: 2 } }),
      contender(stock, { schedule: cron('1 12 * * *'), pools: { db: 1 } }),
    ],
    [
      acts.lasting(inventory, 0),
      acts.delivery(sales, 0, [0, 30]),
      acts.delivery(stock, 60),
      acts.sweep([30, 100]),
      acts.sweep([60, 240]),
    ],
  ),

  'a swept fire and an alarm at one pool': contenders(
    [contender(inventory, swept), contender(sales, { schedule: cron('4 12 * * *') })],
    [
      acts.delivery(sales, 240),
      acts.sweep([240, 260]),
      acts.sweep([240, 500]),
      acts.delivery(sales, 240, [240, 400]),
    ],
  ),

  "a dead run's hold and who waits for it": contenders(
    [contender(inventory), contender(sales, { schedule: cron('1 12 * * *') })],
    [
      acts.dying(inventory, 0),
      acts.delivery(sales, 60),
      acts.sweep([130, 200]),
      acts.sweep([130, 200]),
      acts.sweep([180, 500]),
    ],
  ),

  'a finish in the midst of the sweep that frees its hold': contenders(
    [contender(inventory), contender(sales, { schedule: cron('1 12 * * *') })],
    [
      acts.freezing(inventory, 0, [0, 0]),
      acts.delivery(sales, 60),
      acts.sweep([190, 200]),
      acts.sweep([200, 210]),
    ],
  ),

  'a run and the next fires at one pool': contenders(
    [contender(inventory, { schedule: cron('0-2 12 * * *') }), contender(sales)],
    [
      acts.delivery(sales, 0),
      acts.delivery(inventory, 0),
      acts.delivery(inventory, 60),
      acts.delivery(inventory, 120),
      acts.sweep([60, 300]),
      acts.sweep([120, 400]),
    ],
  ),

  'a run that gives way to the next fire': contenders(
    [
      contender(inventory, { schedule: cron('0-2 12 * * *'), overlap: 'cancel-running' }),
      contender(sales, { schedule: cron('1 12 * * *') }),
    ],
    [
      acts.lasting(inventory, 0),
      acts.delivery(inventory, 60),
      acts.delivery(inventory, 120),
      acts.delivery(sales, 60),
      acts.sweep([0, 100]),
      acts.sweep([60, 200]),
      acts.sweep([120, 240]),
    ],
  ),

  'a person cancels what runs, and what waits for it': contenders(
    [contender(inventory), contender(sales)],
    [
      acts.lasting(inventory, 0),
      acts.delivery(sales, 0),
      acts.canceling(inventory, 0, [0, 120]),
      acts.canceling(sales, 0, [0, 300]),
      acts.sweep([0, 200]),
      acts.sweep([60, 300]),
    ],
  ),

  'a person cancels a run that dies': contenders(
    [contender(inventory, { ...atNoon, crashed: 'rerun' }), contender(sales)],
    [
      acts.dying(inventory, 0),
      acts.delivery(sales, 0),
      acts.canceling(inventory, 0, [0, 400]),
      acts.sweep([130, 200]),
      acts.sweep([130, 200]),
    ],
  ),

  'a person cancels a run in the midst of the sweep that settles it': contenders(
    [contender(inventory, { ...atNoon, crashed: 'rerun' })],
    [acts.dying(inventory, 0, [0, 0]), acts.canceling(inventory, 0, [180, 180]), acts.sweep([180, 180])],
  ),

  'a pause, and a run that waits for a pool': contenders(
    [
      contender(inventory, { ...atNoon, pools: { db: 2 } }),
      contender(sales, { schedule: cron('0,5 12 * * *') }),
    ],
    [
      acts.lasting(inventory, 0, [-5, 5]),
      acts.delivery(sales, 0),
      acts.pausing('pause', sales, [0, 60]),
      acts.sweep([20, 60]),
      acts.sweep([20, 120]),
      acts.pausing('resume', sales, [40, 240]),
      acts.sweep([60, 300]),
      acts.delivery(sales, 300),
    ],
  ),

  'a run that has waited too long for a pool': contenders(
    [contender(inventory), contender(sales, { ...atNoon, maxWaitMs: minute })],
    [
      acts.lasting(inventory, 0),
      acts.delivery(sales, 0),
      acts.sweep([30, 110]),
      acts.sweep([40, 110]),
      acts.sweep([60, 240]),
    ],
  ),

  'missed fires of two jobs at one pool': contenders(
    [contender(inventory, { ...threeTimes, missed: missing('all') }), contender(sales, threeTimes)],
    [
      acts.sweep([180, 500]),
      acts.delivery(sales, 300),
      acts.sweep([480, 600]),
      acts.sweep([600, 840]),
      acts.delivery(inventory, 600, [600, 800]),
      acts.sweep([780, 1_000]),
    ],
  ),

  'a pool gets another capacity': fc
    .tuple(contender(inventory), contender(sales), contender(stock, { ...atNoon, pools: { db: 1 } }))
    .chain((all) =>
      fc.tuple(weight, weight).chain(([before, after]) => {
        const fitting = all.map((job) => manifestJob({ ...job, pools: { db: 1 } }));
        const versions = [before, after, 3].map((capacity) => deployed(fitting, { db: capacity }));
        return scripted(versions, [
          acts.delivery(inventory, 0),
          acts.delivery(sales, 0),
          acts.delivery(stock, 0, [0, 100]),
          acts.sweep([0, 100], 1),
          acts.sweep([0, 100], 1),
          acts.sweep([60, 240], 2),
        ]);
      }),
    ),

  'a job needs other pools': redeployed(
    [
      contender(inventory, { ...atNoon, pools: { db: 2 } }),
      contender(sales, { ...atNoon, pools: { db: 1 } }),
      contender(stock, { ...atNoon, pools: { api: 2 } }),
    ],
    (job) => manifestJob({ ...job, pools: { [inventory]: {}, [sales]: { api: 2 } }[job.id] ?? { api: 1 } }),
    [
      acts.lasting(inventory, 0, [-5, 5]),
      acts.lasting(stock, 0, [-5, 5]),
      acts.delivery(sales, 0),
      acts.sweep([0, 60]),
      acts.sweep([20, 60], 1),
      acts.delivery(sales, 0, [20, 100], 1),
      acts.sweep([60, 300], 1),
    ],
  ),

  'a removed job holds of a pool, and waits for one': redeployed(
    [contender(inventory), contender(sales)],
    (job) => (job.id === sales ? null : job),
    [
      acts.delivery(sales, 0),
      acts.delivery(inventory, 0),
      acts.sweep([0, 100]),
      acts.sweep([0, 100], 1),
      acts.sweep([60, 300], 1),
    ],
  ),
};
