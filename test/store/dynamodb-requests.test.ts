import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { decideFinish, finishedOrLost } from '../../functions/domain/finish.ts';
import { type Ledger, Unwritable } from '../../functions/domain/ledger.ts';
import { queuedRun } from '../../functions/domain/queue.ts';
import type { Run } from '../../functions/domain/run.ts';
import { decideStart } from '../../functions/domain/start.ts';
import type { AuthorWrite } from '../../functions/domain/steps.ts';
import { waitForPools } from '../../functions/domain/waiting.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { newLedgerTable } from '../support/ledger-engines.ts';
import { collision, disturb, named, recordRequests } from '../support/ledger-faults.ts';
import { all, claim, fireTime, jobId, publishFirst, record, stateOf } from '../support/ledger-records.ts';

let database: DynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database?.close());

/** A ledger whose pauses are noted instead of made. */
async function open() {
  const place = await newLedgerTable(database.endpoint);
  onTestFinished(() => place.client.destroy());
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const ledger = dynamoLedger({ ...place, random: () => 0.5, sleep });
  await publishFirst(ledger);
  return { ...place, ledger, pauses, sent: recordRequests(place.client) };
}

async function publishPools(ledger: Ledger, ...names: readonly string[]): Promise<void> {
  for (const name of names) await ledger.publishPool({ name, capacity: 3 }, null);
}

function finish(ledger: Ledger, run: Run) {
  const outcome = { kind: 'succeeded' } as const;
  const { change, effect } = decideFinish(run, { outcome, attempt: 1, now: fireTime + 9_000 });
  return ledger.move(run, { state: 'running', token: run.token }, change, { effect });
}

describe('on the wire', () => {
  it('a step is one transaction, and a collision has it sent once more', async () => {
    const { client, ledger, sent, pauses } = await open();
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    sent.length = 0;
    const step = { kind: 'step', state: 'done', at: fireTime, restarts: 0, token: 'a' } as const;
    const write = (name: string, writes: readonly AuthorWrite[] = []) =>
      ledger.writeStep(
        run,
        { state: 'running', token: 'a' },
        { step: { ...step, name }, replaces: null, writes },
      );
    expect(await write('one')).toEqual({ kind: 'done' });
    expect(sent.map(({ command }) => command)).toEqual(['TransactWriteItemsCommand']);
    let collisions = 2;
    disturb(client, 'command', () => (collisions-- > 0 ? 'collision' : 'none'));
    expect(await write('two')).toEqual({ kind: 'done' });
    expect(pauses).toHaveLength(2);
    expect((await ledger.steps(run)).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it("says of the author's writes at once what would be refused each time: no such table, the ledger's, no value", async () => {
    const { ledger, table } = await open();
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    const step = {
      name: 'pay',
      kind: 'commit',
      state: 'done',
      at: fireTime,
      restarts: 0,
      token: 'a',
    } as const;
    const put = (TableName: string, amount?: number) =>
      ledger.writeStep(
        run,
        { state: 'running', token: 'a' },
        { step, replaces: null, writes: [{ Put: { TableName, Item: { pk: 'a', sk: 'b', amount } } }] },
      );
    await expect(put('nowhere', 1)).rejects.toThrow(Unwritable);
    await expect(put(table, 1)).rejects.toThrow("the ledger's table is not for jobs");
    await expect(put('nowhere')).rejects.toThrow(/writes\[0\].*undefined/);
    expect(await ledger.steps(run)).toEqual([]);
  });

  it('a fire costs two requests, each one transaction whose halves give back what stood in their way', async () => {
    const { ledger, sent } = await open();
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    await finish(ledger, run);
    expect(sent.map(({ command }) => command)).toEqual([
      'TransactWriteItemsCommand',
      'TransactWriteItemsCommand',
    ]);
    const oldItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    const update = { Update: expect.objectContaining(oldItem) };
    expect(sent.map(({ input }) => input.TransactItems)).toEqual([
      [{ Put: expect.objectContaining(oldItem) }, update],
      [update, update],
    ]);
  });

  it('a fire of a job whose fires queue costs two requests as well; only its finish, and only while others wait, is written once more', async () => {
    const { ledger, sent } = await open();
    const first = claim('a', { overlap: 'queue' });
    await ledger.create(first.run, first.effect);
    expect(await finish(ledger, first.run)).toEqual({ kind: 'done' });
    expect(sent).toHaveLength(2);
    const next = claim('b', { overlap: 'queue' }, fireTime + 60_000);
    await ledger.create(next.run, next.effect);
    const late = claim('c', { overlap: 'queue' }, fireTime + 120_000);
    const fire = { jobId, fireTime: late.run.fireTime, specId: late.run.specId };
    const queued = queuedRun(fire, late.effect, { token: 'c', now: late.run.createdAt });
    await ledger.create(queued.run, queued.effect);
    expect(finishedOrLost(await finish(ledger, next.run), next.run)).toBe('others-wait');
  });

  it('a fire that takes of two pools costs two requests as well, each one transaction of all that it touches', async () => {
    const { ledger, sent } = await open();
    await publishPools(ledger, 'reports-db', 'mail-server');
    sent.length = 0;
    const { run, effect } = claim('a', { pools: { 'reports-db': 2, 'mail-server': 1 } });
    expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
    expect(await finish(ledger, run)).toEqual({ kind: 'done' });
    const oldItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    const update = { Update: expect.objectContaining(oldItem) };
    expect(sent.map(({ input }) => input.TransactItems)).toEqual([
      [{ Put: expect.objectContaining(oldItem) }, update, update, update],
      [update, update, update, update],
    ]);
  });

  it('a fire that finds its pools full costs one request more, by which it waits', async () => {
    const { ledger, sent } = await open();
    await publishPools(ledger, 'reports-db');
    const needs = { overlap: 'allow', pools: { 'reports-db': 3 } } as const;
    const first = claim('a', needs);
    await ledger.create(first.run, first.effect);
    sent.length = 0;
    const next = claim('b', needs, fireTime + 60_000);
    expect(decideStart(await ledger.create(next.run, next.effect), next).kind).toBe('wait');
    const { run, effect } = waitForPools(next, { token: 'b', now: next.run.createdAt });
    expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
    expect(sent).toHaveLength(2);
  });

  it('a pool that a write only looks at is checked', async () => {
    const { ledger, sent } = await open();
    await publishPools(ledger, 'reports-db');
    sent.length = 0;
    await ledger.create(record(fireTime), { pools: [{ pool: 'reports-db', require: { unwaited: true } }] });
    expect(sent[0]?.input.TransactItems).toEqual([
      { Put: expect.anything() },
      { ConditionCheck: expect.anything() },
      { ConditionCheck: expect.anything() },
    ]);
  });

  it('a write without an effect is no transaction', async () => {
    const { ledger, sent } = await open();
    const run = record(fireTime, { state: 'offered' });
    await ledger.create(run);
    await ledger.move(run, { state: 'offered', token: run.token }, { set: { state: 'failed' } });
    expect(sent.map(({ command }) => command)).toEqual(['PutItemCommand', 'UpdateItemCommand']);
  });

  it('a start that changes nothing of its job only checks it', async () => {
    const { ledger, sent } = await open();
    const { run, effect } = claim('a', { overlap: 'allow' });
    await ledger.create(run, effect);
    expect(sent[0]?.input.TransactItems).toEqual([
      { Put: expect.anything() },
      { ConditionCheck: expect.anything() },
    ]);
  });

  it('every read that something is decided by is consistent', async () => {
    const { ledger, sent } = await open();
    const run = record(fireTime);
    await ledger.run(run);
    await ledger.runs([run]);
    await all(ledger.history(jobId, { from: 0, to: fireTime }));
    await ledger.job(jobId);
    await ledger.jobs([jobId]);
    await ledger.pools(['reports-db']);
    await ledger.specs(jobId);
    await ledger.manifest();
    expect(sent).toHaveLength(8);
    for (const { command, input } of sent) {
      const batch = Object.values(input.RequestItems ?? {})[0] ?? input;
      expect([command, batch]).toEqual([command, expect.objectContaining({ ConsistentRead: true })]);
    }
  });

  it('keys that DynamoDB left unread are asked for again', async () => {
    const { client, ledger, pauses } = await open();
    const runs = Array.from({ length: 30 }, (_, n) => record(fireTime + n * 60_000));
    for (const run of runs) await ledger.create(run);
    client.middlewareStack.add(
      (send, { commandName }) =>
        async (args) => {
          if (commandName !== 'BatchGetItemCommand') return send(args);
          const { RequestItems: items } = args.input as { RequestItems: Record<string, { Keys: unknown[] }> };
          const [[name, request] = ['', { Keys: [] }]] = Object.entries(items);
          const [read, left] = [request.Keys.slice(0, 12), request.Keys.slice(12)];
          const some = { ...args.input, RequestItems: { [name]: { ...request, Keys: read } } };
          const answer = await send({ ...args, input: some as never });
          if (left.length > 0)
            Object.assign(answer.output, { UnprocessedKeys: { [name]: { ...request, Keys: left } } });
          return answer;
        },
      { step: 'initialize' },
    );
    expect(await ledger.runs(runs)).toEqual(runs);
    expect(pauses).toHaveLength(2);
  });
});

describe('a transaction that collides', () => {
  it('is sent again after growing pauses, and starts the run', async () => {
    const { client, ledger, pauses, sent } = await open();
    let left = 4;
    disturb(client, 'command', () => (left-- > 0 ? 'collision' : 'none'));
    const { run, effect } = claim('a');
    expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
    expect(pauses).toEqual([25, 50, 100, 200]);
    expect(sent).toHaveLength(1);
  });

  it('gives up after five tries, with nothing written', async () => {
    const { client, ledger, sent } = await open();
    let left = 5;
    disturb(client, 'command', () => (left-- > 0 ? 'collision' : 'none'));
    const { run, effect } = claim('a');
    const answer = await ledger.create(run, effect);
    expect(answer).toEqual({ kind: 'conflict' });
    expect(decideStart(answer, { run, effect })).toEqual({ kind: 'conflict' });
    expect(sent).toEqual([]);
    expect(await ledger.run(run)).toBeNull();
    expect(await stateOf(ledger)).not.toHaveProperty('slot');
  });

  it('gives up on a finish likewise: the run keeps running and its slot', async () => {
    const { client, ledger } = await open();
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    let left = 5;
    disturb(client, 'command', () => (left-- > 0 ? 'collision' : 'none'));
    expect(await finish(ledger, run)).toEqual({ kind: 'conflict' });
    expect(await ledger.run(run)).toEqual(run);
    expect((await stateOf(ledger)).slot).toBe(run.key);
  });

  /** Answers the next commands with these errors, one each. */
  async function answering(...errors: Error[]) {
    const opened = await open();
    const left = [...errors];
    opened.client.middlewareStack.add(
      (send) => (args) => {
        const error = left.shift();
        return error === undefined ? send(args) : Promise.reject(error);
      },
      { step: 'initialize' },
    );
    return opened;
  }

  it.each([
    ['a conflict on the other item', collision('None', 'TransactionConflict')],
    ['a throttled item', collision('ThrottlingError', 'None')],
    ['an item over its throughput', collision('TransactionConflict', 'ProvisionedThroughputExceeded')],
    ['a failed condition beside a conflict', collision('TransactionConflict', 'ConditionalCheckFailed')],
    ['the same transaction still in progress', named('TransactionInProgressException', 'wait')],
  ])('is sent again after %s', async (_what, error) => {
    const { ledger } = await answering(error, error);
    const { run, effect } = claim('a');
    expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
  });

  it('is refused at last when a condition failed beside the conflict', async () => {
    const mixed = collision('TransactionConflict', 'ConditionalCheckFailed');
    const { ledger } = await answering(...Array.from({ length: 5 }, () => mixed));
    const { run, effect } = claim('a');
    expect(await ledger.create(run, effect)).toEqual({ kind: 'refused', job: null });
  });

  it('names the pools whose conditions failed, not those that collided', async () => {
    const mixed = collision('None', 'None', 'TransactionConflict', 'ConditionalCheckFailed');
    const { ledger } = await answering(...Array.from({ length: 5 }, () => mixed));
    const { run, effect } = claim('a', { pools: { busy: 1, gone: 1 } });
    expect(await ledger.create(run, effect)).toEqual({ kind: 'refused', pools: { gone: null } });
  });

  it('of a capacity gives up with an error, since nobody would publish it otherwise', async () => {
    const busy = named('TransactionConflictException', 'busy');
    const { ledger } = await answering(...Array.from({ length: 5 }, () => busy));
    await expect(ledger.publishPool({ name: 'reports-db', capacity: 3 }, null)).rejects.toThrow(
      'The capacity of the pool reports-db could not be published: other transactions were in the way each time.',
    );
  });

  it('is unknown, not given up, while the same transaction is still in progress', async () => {
    const inProgress = named('TransactionInProgressException', 'wait');
    const { ledger } = await answering(...Array.from({ length: 5 }, () => inProgress));
    const { run, effect } = claim('a');
    await expect(ledger.create(run, effect)).rejects.toThrow(inProgress);
  });

  it.each([
    ['an invalid item', collision('ValidationError', 'None')],
    ['a value that DynamoDB does not take', named('ValidationException', 'too long')],
    ['a text that is no Unicode', named('SerializationException', 'lone surrogate')],
    ['a foreign error', named('ResourceNotFoundException', 'no such table')],
  ])('is not sent again after %s', async (_what, error) => {
    const { ledger, sent } = await answering(error);
    const { run, effect } = claim('a');
    await expect(ledger.create(run, effect)).rejects.toThrow(error.message);
    expect(sent).toEqual([]);
  });

  it.each([
    ['an item that is too large', 'x'.repeat(500_000)],
    ['half a character', '🧾'.slice(0, 1)],
  ])('that can never be taken says so: %s', async (_what, name) => {
    const { ledger } = await open();
    const run = record(fireTime, { error: { name, message: '' } });
    await expect(ledger.create(run)).rejects.toThrow(Unwritable);
  });

  it('of a single write is sent again too', async () => {
    const { ledger } = await answering(named('TransactionConflictException', 'busy'));
    const run = record(fireTime);
    expect(await ledger.create(run)).toEqual({ kind: 'done' });
  });
});

describe('a lost answer', () => {
  it("within the SDK's own tries is one write: they carry one request token", async () => {
    const { client, ledger, sent } = await open();
    let left = 2;
    disturb(client, 'request', () => (left-- > 0 ? 'lost-answer' : 'none'));
    const { run, effect } = claim('a');
    const answer = await ledger.create(run, effect);
    expect(decideStart(answer, { run, effect })).toEqual({ kind: 'run' });
    const tokens = sent.map(({ input }) => input.ClientRequestToken);
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(1);
    expect(String(tokens[0])).toMatch(/^[0-9a-f-]{1,36}$/);
    expect(await ledger.run(run)).toEqual(run);
  });

  it('of a capacity within the SDK leaves it applied once', async () => {
    const { client, ledger, sent } = await open();
    await publishPools(ledger, 'reports-db');
    sent.length = 0;
    let left = 1;
    disturb(client, 'request', () => (left-- > 0 ? 'lost-answer' : 'none'));
    expect(await ledger.publishPool({ name: 'reports-db', capacity: 5 }, 3)).toBe('done');
    expect(sent).toHaveLength(2);
    expect((await ledger.pools(['reports-db'])).get('reports-db')).toMatchObject({ capacity: 5, free: 5 });
  });

  it('of a plain record within the SDK refuses it by itself', async () => {
    const { client, ledger } = await open();
    let left = 1;
    disturb(client, 'request', () => (left-- > 0 ? 'lost-answer' : 'none'));
    const run = record(fireTime, { state: 'skipped', reason: 'overlap' });
    expect(await ledger.create(run)).toEqual({ kind: 'refused', run });
  });

  it('never meets a token of another content: the next try may have other words', async () => {
    const { ledger, sent } = await open();
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    const again = await ledger.create({ ...run, createdAt: run.createdAt + 1 }, effect);
    expect(decideStart(again, { run, effect })).toEqual({ kind: 'run' });
    expect(new Set(sent.map(({ input }) => input.ClientRequestToken)).size).toBe(2);
  });

  it('of a move is told apart from a later move with the same words by the request token of its caller', async () => {
    const { ledger, sent } = await open();
    const run = record(fireTime, { state: 'parked', token: 'a' });
    await ledger.create(run);
    const change = { set: { state: 'parked', note: 'looked at' } } as const;
    for (const requestToken of ['first', 'first', 'second'])
      await ledger.move(run, { state: 'parked', token: 'a' }, change, { effect: {}, requestToken });
    const tokens = sent.slice(1).map(({ input }) => input.ClientRequestToken);
    expect(tokens).toEqual(['first', 'first', 'second']);
  });
});
