import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { minute, second } from '../../functions/domain/time.ts';
import type { Context } from '../../functions/job.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { type CountedJob, CountedStage } from './counted-stage.ts';
import { plus, type Usage } from './usage.ts';

const due = at('03:00');
const pool = 'reports-db';
const letters = 'letters';
const mapped = 1_000;

interface Kind {
  readonly name: string;
  readonly jobs: readonly CountedJob[];
  /** What happens at the instant at which they are due. @default the alarm of the first one comes, once */
  readonly bring?: (stage: CountedStage) => Promise<void>;
  /** What of it would have been there anyway. @default nothing but the sweeps */
  readonly besides?: string;
}

const job = (of: Partial<ManifestJob> = {}, run: CountedJob['run'] = () => undefined): CountedJob => ({
  entry: manifestJob({ schedule: cron('0 3 * * *'), crashed: 'resume', ...of }),
  run,
});

const plain = job();
const pooled = job({ pools: { [pool]: 1 } });

const kinds: readonly Kind[] = [
  { name: 'a fire', jobs: [plain] },
  {
    name: 'its second delivery, refused',
    jobs: [plain],
    bring: async (stage) => {
      await stage.deliver(plain.entry.id, due);
      await stage.deliver(plain.entry.id, due);
    },
    besides: 'a fire',
  },
  { name: 'a fire that takes of a pool', jobs: [pooled] },
  { ...afterAnother(), name: 'one that waits for the pool first', besides: 'a fire that takes of a pool' },
  { ...failingOnce(), name: 'a fire that fails and is tried again' },
  { name: 'a missed fire, made up', jobs: [plain], bring: async () => {} },
  { name: 'a fire with 3 steps', jobs: [job({}, threeSteps)] },
  { name: 'a fire with a map of 1,000 commits', jobs: [job({}, commits)] },
];

/** Two jobs share a unit: one has it when the other is due, and gives it back 10 seconds later. */
function afterAnother(): Pick<Kind, 'jobs' | 'bring'> {
  let release = () => {};
  let begun = () => {};
  const first = job({ id: 'reports/first', pools: { [pool]: 1 } }, () => {
    begun();
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  return {
    jobs: [first, pooled],
    bring: async (stage) => {
      const began = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const ended = stage.deliver(first.entry.id, due);
      await began;
      await stage.deliver(pooled.entry.id, due);
      await stage.until(stage.now + 10 * second);
      release();
      await ended;
    },
  };
}

function failingOnce(): Pick<Kind, 'jobs'> {
  const retry = { attempts: 2, backoffMs: 20 * second, capMs: 20 * second };
  const run: CountedJob['run'] = ({ attempt }) => {
    // What is logged shall not depend on where this file lies.
    if (attempt === 1) throw Object.assign(new Error('the service answered 503'), { stack });
  };
  return { jobs: [job({ retry }, run)] };
}

const stack = 'Error: the service answered 503\n    at run (file:///var/task/index.js:4711:13)';

async function threeSteps(_fire: unknown, ctx: Context): Promise<void> {
  for (const name of ['collect', 'send', 'report']) await ctx.step(name, () => ({ invoices: 120 }));
}

async function commits(_fire: unknown, ctx: Context): Promise<void> {
  const numbers = Array.from({ length: mapped }, (_, n) => n);
  await ctx.map('letters', numbers, { key: (n) => `letter ${n}` }, (n) =>
    ctx.commit(`send ${n}`, [
      { Put: { TableName: letters, Item: { pk: `${n}`, sk: 'letter', to: 'somebody' } } },
    ]),
  );
}

export type OnDynamoDb = (work: (endpoint: string) => Promise<Usage>) => Promise<Usage>;

/**
 * The fires of README's table, and what each of them uses; the sweeps that are made anyway left out. `first`: so many of them.
 */
export async function measureFires(
  onDynamoDb: OnDynamoDb,
  first = kinds.length,
): Promise<ReadonlyMap<string, Usage>> {
  const found = new Map<string, Usage>();
  for (const kind of kinds.slice(0, first)) {
    const usage = await onDynamoDb((endpoint) => measure(endpoint, kind));
    const besides = kind.besides === undefined ? undefined : found.get(kind.besides);
    found.set(kind.name, besides === undefined ? usage : plus(usage, besides, -1));
  }
  return found;
}

/** Until no sweep looks at the fire any more. */
const lookedAtMinutes = 10;

async function measure(endpoint: string, { jobs, bring }: Kind): Promise<Usage> {
  const pools = { [pool]: { capacity: 1, describe: 'IO of the reporting database' } };
  const stage = await CountedStage.deployed(endpoint, due - 6 * minute, { jobs, pools, tables: [letters] });
  try {
    const idle = await minuteOf(stage);
    await stage.until(due + 2 * second);
    const before = await stage.usage();
    const [first] = jobs;
    if (bring !== undefined) await bring(stage);
    else if (first !== undefined) await stage.deliver(first.entry.id, due);
    await stage.until(due + lookedAtMinutes * minute + 2 * second);
    return plus(plus(await stage.usage(), before, -1), idle, -lookedAtMinutes);
  } finally {
    stage.close();
  }
}

/** What a stage uses in a minute in which nothing is due. */
export async function minuteOf(stage: CountedStage): Promise<Usage> {
  const before = await stage.usage();
  await stage.until(stage.now + minute);
  return plus(await stage.usage(), before, -1);
}
