import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import { newRun } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import type { CommitWrite, Context } from '../../../functions/job.ts';
import { type DynamoDb, startDynamoDb } from '../../../functions/local/dynamodb/start.ts';
import { dynamoLedger } from '../../../functions/store/dynamodb/index.ts';
import { newLedgerTable } from '../../support/ledger-engines.ts';
import { fireTime, jobId, key, ref, world } from '../world.ts';
import { begun, dies, losingAnswers, stepWorld } from './attempts.ts';

const start = fireTime + 2_000;

function pay(employee: string, amount = 5): CommitWrite[] {
  return [
    {
      Put: {
        TableName: 'payments',
        Item: { id: employee, amount },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    },
    {
      Update: {
        TableName: 'totals',
        Key: { id: 'all' },
        UpdateExpression: 'ADD paid :amount',
        ExpressionAttributeValues: { ':amount': amount },
      },
    },
  ];
}

const paidOnce = { payments: [{ id: 'e1', amount: 5 }], totals: [{ id: 'all', paid: 5 }] };

describe('a commit', () => {
  it('costs one request, and writes its writes with its record', async () => {
    const w = await stepWorld((_fire, ctx) => ctx.commit('pay e1', pay('e1')));
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(w.tables.items).toEqual(paidOnce);
    expect(await w.steps()).toMatchObject({ 'pay e1': { kind: 'commit', state: 'done' } });
    expect(w.asked).toMatchObject({ reads: 0, writes: [{}] });
  });

  it.each([0, 1])('happens once across attempts, runs begun anew %j times included', async (restarts) => {
    const w = await stepWorld([
      async (_fire, ctx) => {
        await ctx.commit('pay e1', pay('e1'));
        await dies();
      },
      (_fire, ctx) => ctx.commit('pay e1', pay('e1')),
    ]);
    await begun(w);
    expect(await w.nextAttempt({ restarts })).toMatchObject({ outcome: 'succeeded' });
    expect(w.tables.items).toEqual(paidOnce);
    expect(w.asked.writes).toHaveLength(1);
  });

  it('whose answer was lost recognises itself', async () => {
    const w = await stepWorld((_fire, ctx) => ctx.commit('pay e1', pay('e1')), { verbs: losingAnswers(0) });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(w.tables.items).toEqual(paidOnce);
    expect(w.asked.writes).toHaveLength(2);
  });

  it('whose writes are refused says which, writes nothing, and may be made again', async () => {
    const w = await stepWorld(async (_fire, ctx) => {
      await ctx.commit('pay e1', pay('e1'));
      const refused = await ctx
        .commit('pay e2', [...pay('e2', 7).slice(1), ...pay('e1').slice(0, 1)])
        .catch((error) => error);
      expect(refused).toMatchObject({ name: 'CommitRefused', fireledger: 'commit-refused', failed: [1] });
      expect(refused.message).toBe(
        'ctx.commit("pay e2"): nothing was written, since the condition of writes[1] does not hold',
      );
      expect(w.tables.items).toEqual(paidOnce);
      await ctx.commit('pay e2', pay('e2', 7));
    });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(w.tables.items.totals).toEqual([{ id: 'all', paid: 12 }]);
  });

  const puts = (count: number): CommitWrite[] =>
    Array.from({ length: count }, (_, index) => ({
      Put: { TableName: 'payments', Item: { id: `e${index}` } },
    }));

  it.each([
    [
      puts(99),
      {},
      'ctx.commit("pay"): 99 writes; at most 98 fit in one transaction with fireledger\'s own. Make several commits',
    ],
    [
      puts(98),
      { final: true },
      'ctx.commit("pay"): 98 writes; at most 97 fit in one transaction with fireledger\'s own. Make several commits',
    ],
    [
      [{}],
      {},
      'ctx.commit("pay"): writes[0] has nothing; allowed is one of Put, Update, Delete, ConditionCheck, as TransactWriteCommand takes them',
    ],
    [
      [{ ...puts(1)[0], ...pay('e1')[1] }],
      {},
      'ctx.commit("pay"): writes[0] has Put, Update; allowed is one of Put, Update, Delete, ConditionCheck, as TransactWriteCommand takes them',
    ],
    [
      puts(1),
      { result: 7 },
      'ctx.commit("pay"): only a final commit has a result; pass { final: true, result }',
    ],
  ])('that can not be is refused before anything is written (%#)', async (writes, options, message) => {
    const w = await stepWorld((_fire, ctx) => ctx.commit('pay', writes, options));
    await w.deliver();
    expect((await w.run()).error).toMatchObject({ name: 'StepError', message });
    expect(w.asked.writes).toEqual([]);
  });

  it('takes 98 writes', async () => {
    const w = await stepWorld((_fire, ctx) => ctx.commit('pay', puts(98)));
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(w.tables.items.payments).toHaveLength(98);
  });
});

describe('a final commit', () => {
  const finally_ = (ctx: Context) => ctx.commit('pay e1', pay('e1'), { final: true, result: { paid: 1 } });

  it('ends the run in its transaction, and nothing is written after it', async () => {
    let moves = 0;
    const w = await stepWorld(
      async (_fire, ctx) => {
        ctx.progress(1, 1);
        await finally_(ctx);
        expect(await w.run()).toMatchObject({ state: 'succeeded' });
        return 'not kept';
      },
      {
        verbs: (memory) => ({
          move: (...args) => {
            moves += 1;
            return memory.move(...args);
          },
        }),
      },
    );
    expect(await w.deliver()).toEqual({ outcome: 'succeeded', run: `${jobId}#${key}` });
    const run = await w.run();
    expect(run).toMatchObject({
      ...{ state: 'succeeded', settledAt: start, result: { paid: 1 }, hasSlot: false, progress: { done: 1 } },
      attempts: [{ number: 1, outcome: 'succeeded', settledAt: start, bill: { wallMs: 0 } }],
    });
    expect(w.tables.items).toEqual(paidOnce);
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(await w.ledger.job(jobId)).toMatchObject({ lastSuccess: { fireTime }, failuresInARow: 0 });
    expect(w.recording.counts).toEqual(['succeeded']);
    expect(moves).toBe(1);
    expect(w.asked.writes).toHaveLength(1);
  });

  it('tells code that goes on: nothing after it is recorded, and its failure changes nothing', async () => {
    const w = await stepWorld(async (_fire, ctx) => {
      await finally_(ctx);
      await ctx.step('more', () => 1);
    });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: { paid: 1 } });
    expect(await w.run()).not.toHaveProperty('error');
    expect(w.recording.logs.find(({ level }) => level === 'warn')).toMatchObject({
      fields: {
        commit: 'pay e1',
        came: 'failed',
        error: {
          message:
            'ctx.step("more"): the run has ended with its final commit "pay e1"; nothing after it is recorded',
        },
      },
    });
  });

  it('that is refused does not end the run', async () => {
    const w = await stepWorld(async (_fire, ctx) => {
      await ctx.commit('once', pay('e1'));
      await finally_(ctx).catch(() => undefined);
      return 'by its handler';
    });
    expect(await w.deliver()).toMatchObject({ outcome: 'succeeded' });
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: 'by its handler' });
    expect(w.tables.items).toEqual(paidOnce);
  });

  it('that is refused has the attempt measured on, to its end', async () => {
    const order: string[] = [];
    const used = () => {
      order.push('used');
      return { wallMs: order.length };
    };
    const meter = { start: () => ({ used, stop: () => void order.push('stop') }) };
    const w = await stepWorld(
      async (_fire, ctx) => {
        await ctx.commit('once', pay('e1'));
        await finally_(ctx).catch(() => order.push('refused'));
      },
      { ports: () => ({ meter }) },
    );
    await w.deliver();
    expect(order).toEqual(['used', 'refused', 'used', 'stop']);
    expect(await w.run()).toMatchObject({ attempts: [{ bill: { wallMs: 3 } }] });
  });

  it('whose answer was lost has ended the run', async () => {
    const w = await stepWorld((_fire, ctx) => finally_(ctx), { verbs: losingAnswers(0) });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: { paid: 1 } });
    expect(w.tables.items).toEqual(paidOnce);
  });

  it.each([[[]], [[0]], [[1]]])('tells of others who wait for its slot, answers lost at %j', async (lost) => {
    const w = await stepWorld((_fire, ctx) => finally_(ctx), { verbs: losingAnswers(...lost) });
    const due = fireTime + minute;
    const waiting = newRun({
      ...{ jobId, key: '2026-12-01T03:01:00Z', fireTime: due, trigger: 'schedule', state: 'waiting' },
      ...{ reason: 'slot', specId: w.entry.specId, token: 'waiting', createdAt: due },
    });
    await w.ledger.create(waiting, { addQueued: 1 });
    expect(await w.time.until(w.deliver())).toMatchObject({ outcome: 'succeeded' });
    expect(w.recording.nudges).toEqual([`${jobId} gave back what others wait for: its slot`]);
    expect(await w.ledger.job(jobId)).not.toHaveProperty('slot');
    expect(w.tables.items).toEqual(paidOnce);
  });

  it('that was made by an attempt which died over the answer is the run’s end', async () => {
    const w = await stepWorld(async (_fire, ctx) => {
      await finally_(ctx);
      await dies();
    });
    await begun(w);
    expect(await w.run()).toMatchObject({ state: 'succeeded', result: { paid: 1 } });
    expect(await w.deliver()).toMatchObject({ outcome: 'duplicate' });
  });
});

describe('on a DynamoDB', () => {
  let database: DynamoDb;
  beforeAll(async () => {
    database = await startDynamoDb();
  });
  afterAll(() => database?.close());

  async function open() {
    const place = await newLedgerTable(database.endpoint);
    const authors = await newLedgerTable(database.endpoint);
    onTestFinished(() => {
      place.client.destroy();
      authors.client.destroy();
    });
    const items = async () => {
      const { Items = [] } = await authors.client.send(new ScanCommand({ TableName: authors.table }));
      return Items.map((item) => unmarshall(item));
    };
    const put = (id: string): CommitWrite => ({
      Put: {
        TableName: authors.table,
        Item: { pk: id, sk: 'paid', at: [1.5, { deep: true }], none: null },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    });
    return { ledger: dynamoLedger(place), items, put };
  }

  async function deliver(ledger: Ledger, code: (ctx: Context) => unknown) {
    const w = await world({ ledger, code: (_fire, ctx) => code(ctx) });
    return { ...w, handled: await w.deliver() };
  }

  it('a final commit is one transaction of the writes, the record and the finish', async () => {
    const { ledger, items, put } = await open();
    const { handled, run } = await deliver(ledger, async (ctx) => {
      const collected = await ctx.step('collect', () => ['e1', 'e2']);
      await ctx.commit('pay', collected.map(put), { final: true, result: collected.length });
    });
    expect(handled).toMatchObject({ outcome: 'succeeded' });
    expect(await run()).toMatchObject({ state: 'succeeded', result: 2 });
    expect(await items()).toHaveLength(2);
    expect((await items())[0]).toMatchObject({ at: [1.5, { deep: true }], none: null });
    expect(await ledger.job(jobId)).not.toHaveProperty('slot');
    expect((await ledger.steps(ref)).map(({ name }) => name).sort()).toEqual(['collect', 'pay']);
  });

  it('one that is refused leaves nothing, and a table that is not there is said at once', async () => {
    const { ledger, items, put } = await open();
    const { handled, run } = await deliver(ledger, async (ctx) => {
      await ctx.commit('one', [put('e1')]);
      await expect(ctx.commit('two', [put('e2'), put('e1')])).rejects.toMatchObject({ failed: [1] });
      const nowhere = { Put: { TableName: 'nowhere', Item: { pk: 'e3', sk: 'paid' } } };
      await ctx.commit('three', [put('e3'), nowhere], { final: true });
    });
    expect(handled).toMatchObject({ outcome: 'failed' });
    const { error } = await run();
    expect(error).toMatchObject({
      name: 'StepError',
      message: expect.stringMatching(/^ctx\.commit\("three"\): DynamoDB can not take it: /),
    });
    expect(await items()).toMatchObject([{ pk: 'e1' }]);
    expect((await ledger.steps(ref)).map(({ name }) => name)).toEqual(['one']);
  });
});
