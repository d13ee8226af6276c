import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { killMarginMs } from '../../functions/contract.ts';
import { second, toIso } from '../../functions/domain/time.ts';
import type { Context } from '../../functions/job.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { fireTime, held, offered, type World, type WorldOptions, world } from '../runtime/world.ts';
import { newLedgerTable } from '../support/ledger-engines.ts';
import { isAllowed, list, type Statement, statementsOf } from './iam.ts';
import { type Asked, capture, questionsOf, type Sent } from './job-requests.ts';
import { type Synthesised, synthesise } from './synthesised.ts';

const ledgerArn = 'arn:aws:dynamodb:eu-central-1:111122223333:table/fireledger-dev';
const jobs = ['billing/send-invoices', 'billing/reconcile-payments'] as const;
const pools = { 'reports-db': 1 };

let dev: Synthesised;
let dynamo: DynamoDb;
beforeAll(async () => {
  dev = await synthesise('dev');
  dynamo = await startDynamoDb();
});
afterAll(async () => {
  dev?.dispose();
  await dynamo?.close();
});

/** The statements of the role of a job. */
function accessOf(jobId: string): Statement[] {
  const name = `fireledger-dev-1-${jobId.replaceAll('/', '_')}`;
  const of = dev
    .resources('AWS::Lambda::Function')
    .find(({ properties }) => properties.FunctionName === name);
  const role = dev.resources('AWS::IAM::Role').find(({ id }) => `<${id}.Arn>` === of?.properties.Role);
  if (role === undefined) throw new Error(`${name} has no role`);
  return statementsOf(role);
}

function may(jobId: string, { action, keys }: Asked): boolean {
  const context = { 'dynamodb:LeadingKeys': keys };
  return isAllowed(accessOf(jobId), { action: `dynamodb:${action}`, resource: ledgerArn, context });
}

interface Scene extends Pick<WorldOptions, 'code' | 'job' | 'now'> {
  readonly play: (w: World) => Promise<unknown>;
}

const everyVerb = async (_fire: unknown, ctx: Context) => {
  await ctx.previous();
  ctx.progress(1, 2);
  await ctx.step('a step', () => 1);
  await ctx.once('once', () => 2);
  await ctx.map([1, 2], { key: String }, (item) => item);
  await ctx.commit('a commit', []);
  await ctx.commit('the last', [], { final: true });
};

const twice = async (w: World) => {
  await w.deliver();
  await w.deliver();
};

/** Its code runs. */
const begun = (w: World) => expect.poll(() => w.started.length, { interval: 1 }).toBe(1);

/** While its first run is on. */
const overlapped = (overlap: 'skip' | 'queue' | 'queue-one' | 'cancel-running'): Scene => {
  const { code, settle } = held();
  return {
    code,
    job: { overlap, pools },
    play: async (w) => {
      const first = w.deliver();
      await begun(w);
      await w.time.pass(60 * second);
      await w.deliver({ scheduledTime: toIso(fireTime + 60 * second) });
      settle();
      await first;
    },
  };
};

/** All that a job's function does to the ledger. */
const scenes: Readonly<Record<string, Scene>> = {
  'every verb, and a duplicate': { code: everyVerb, job: { pools }, play: twice },
  'a failure that is tried again': {
    code: () => Promise.reject(new Error('no')),
    job: { pools, retry: { attempts: 3, backoffMs: second, capMs: second } },
    play: (w) => w.deliver(),
  },
  'a hop': { code: (_fire, ctx) => ctx.continueWith({ at: 1 }), job: { pools }, play: (w) => w.deliver() },
  'no room in the pool': { job: { pools: { 'reports-db': 3 } }, play: twice },
  'a pool is full': {
    code: held().code,
    job: { pools: { 'reports-db': 2 }, overlap: 'allow' },
    play: async (w) => {
      void w.deliver();
      await begun(w);
      await w.time.pass(60 * second);
      await w.deliver({ scheduledTime: toIso(fireTime + 60 * second) });
    },
  },
  'a stray': { play: (w) => w.deliver({ scheduledTime: '2026-12-01T01:00:30Z' }) },
  'a paused job': {
    play: async (w) => {
      await w.ledger.setPause(w.entry.id, { at: 0, by: 'ops', note: '' });
      await w.deliver();
    },
  },
  'a timeout that is ignored': {
    code: () => new Promise(() => undefined),
    job: { timeoutMs: 30 * second, pools },
    play: async (w) => {
      const handled = w.deliver({ remainingMs: 30 * second + killMarginMs });
      await begun(w);
      await w.time.pass(60 * second);
      await handled;
    },
  },
  'a made-up run that stands for others, resumed after a crash': {
    code: everyVerb,
    job: { crashed: 'resume', missed: { policy: 'latest', limit: 100, maxAgeMs: 1e9, ratePerMinute: 10 } },
    play: async (w) => {
      const attempts = [
        { number: 1, token: 'dead', requestId: 'r', pid: 1, startedAt: fireTime, leaseUntil: fireTime },
      ];
      const run = await offered(w, {
        coversFrom: fireTime - 120 * second,
        crashes: 1,
        attempts,
      });
      await w.send({ ...run, attempt: 2 });
    },
  },
  skip: overlapped('skip'),
  queue: overlapped('queue'),
  'queue-one': overlapped('queue-one'),
  'cancel-running': overlapped('cancel-running'),
};

/** Plays it on a DynamoDB; what is set up beforehand is not the job's. */
async function sentIn({ play, ...options }: Scene, jobId: string): Promise<Sent[]> {
  const { client, table } = await newLedgerTable(dynamo.endpoint);
  onTestFinished(() => client.destroy());
  const ledger = dynamoLedger({ client, table });
  await ledger.publishPool({ name: 'reports-db', capacity: 2 }, null);
  const w = await world({ ...options, job: { ...options.job, id: jobId }, ledger });
  const sent = capture(client);
  await play(w);
  return sent;
}

describe.each(jobs)('the role of %s', (jobId) => {
  const [other = ''] = jobs.filter((one) => one !== jobId);
  const asked = new Set<string>();

  test.each(Object.entries(scenes))('allows its function what it does: %s', async (_name, scene) => {
    const questions = (await sentIn(scene, jobId)).flatMap(questionsOf);
    expect(questions.length).toBeGreaterThan(0);
    for (const question of questions) {
      asked.add(question.action);
      expect([question, may(jobId, question)]).toEqual([question, true]);
      // The other job may do none of it, but for giving back to pools what it has taken.
      const touchesPoolsOnly = question.keys.every((key) => key.startsWith('pool#'));
      expect([question, may(other, question)]).toEqual([question, touchesPoolsOnly]);
    }
  });

  test('allows nothing of the ledger but that', () => {
    const granted = accessOf(jobId)
      .filter(({ Resource }) => list(Resource).includes(ledgerArn))
      .flatMap(({ Action }) => list(Action));
    expect([...new Set(granted)].sort()).toEqual([...asked].map((action) => `dynamodb:${action}`).sort());
  });

  test('allows no request that names no partition, nor the reconciler’s, nor to read a pool', () => {
    const actions = [...asked, 'Scan', 'DeleteItem', 'BatchWriteItem', 'PartiQLSelect', 'DescribeTable'];
    for (const action of actions) {
      expect([action, may(jobId, { action, keys: [] })]).toEqual([action, false]);
      expect([action, may(jobId, { action, keys: ['reconciler'] })]).toEqual([action, false]);
      expect([action, may(jobId, { action, keys: [`job#${jobId}`, 'reconciler'] })]).toEqual([action, false]);
      const writes = ['ConditionCheckItem', 'PutItem', 'UpdateItem'].includes(action);
      expect([action, may(jobId, { action, keys: ['pool#reports-db'] })]).toEqual([action, writes]);
    }
  });

  test.each([`job#${other}`, `run#${other}#2026-12-01T03:00:00Z`, `job#${jobId}-eu`, `run#${jobId}-eu#x`])(
    'reaches nothing of %s, alone or beside its own',
    (key) => {
      for (const action of asked)
        for (const keys of [[key], [`job#${jobId}`, key], [key, 'pool#reports-db']])
          expect([action, keys, may(jobId, { action, keys })]).toEqual([action, keys, false]);
    },
  );
});
