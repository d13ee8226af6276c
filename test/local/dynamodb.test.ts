import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  IdempotentParameterMismatchException,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDynalite } from '../../functions/local/dynamodb/dynalite.ts';
import { dynoxideBinary } from '../../functions/local/dynamodb/dynoxide.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { identify, isAlive } from '../../functions/local/process-identity.ts';

const TableName = 'Things';
const engines =
  dynoxideBinary() === undefined ? (['dynalite'] as const) : (['dynoxide', 'dynalite'] as const);

function clientOf(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
}

/** A table takes a moment until it can be written to. */
async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: 'open', AttributeType: 'S' },
        { AttributeName: 'due', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'open',
          KeySchema: [
            { AttributeName: 'open', KeyType: 'HASH' },
            { AttributeName: 'due', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 20 }, { TableName });
}

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'state' } });

const itemOf = (pk: string) => ({ TableName, Item: key(pk) });

const unlessThere = {
  UpdateExpression: 'SET a = :a',
  ConditionExpression: 'attribute_not_exists(pk)',
  ExpressionAttributeValues: { ':a': { S: 'a' } },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
};

function claim(pk: string, owner: string): TransactWriteItem {
  return {
    Put: {
      TableName,
      Item: { ...key(pk), owner: { S: owner } },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

function take(pk: string, weight: number): TransactWriteItem {
  return {
    Update: {
      TableName,
      Key: key(pk),
      UpdateExpression: 'SET room = room - :w',
      ConditionExpression: 'room >= :w',
      ExpressionAttributeValues: { ':w': { N: String(weight) } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

describe.each(engines)('the embedded DynamoDB (%s)', (engine) => {
  let dynamo: DynamoDb;
  let client: DynamoDBClient;

  beforeAll(async () => {
    dynamo = await startDynamoDb({ engine });
    client = clientOf(dynamo.endpoint);
    await createTable(client);
  });
  afterAll(async () => {
    client.destroy();
    await dynamo.close();
  });

  const put = (Item: Record<string, { S: string } | { N: string }>) =>
    client.send(new PutItemCommand({ TableName, Item }));
  const get = async (pk: string) =>
    (await client.send(new GetItemCommand({ TableName, Key: key(pk), ConsistentRead: true }))).Item;
  const transact = (TransactItems: TransactWriteItem[], ClientRequestToken?: string) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems,
        ...(ClientRequestToken === undefined ? {} : { ClientRequestToken }),
      }),
    );
  const open = async (shard: string) => {
    const found = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'open',
        KeyConditionExpression: '#o = :o AND due <= :now',
        ExpressionAttributeNames: { '#o': 'open' },
        ExpressionAttributeValues: { ':o': { S: shard }, ':now': { N: '100' } },
      }),
    );
    return found.Items?.map((item) => item.pk?.S);
  };

  it('says which engine it is', () => {
    expect(dynamo.engine).toBe(engine);
    expect(dynamo.endpoint).toMatch(/^http:\/\/127\.\d+\.\d+\.\d+:\d+$/);
  });

  it.each([
    [
      'a put',
      () => client.send(new PutItemCommand({ ...claim('single', 'second').Put, ...itemOf('single') })),
    ],
    [
      'an update',
      () => client.send(new UpdateItemCommand({ ...unlessThere, TableName, Key: key('single') })),
    ],
  ])('hands the old item to %s whose condition failed', async (_, send) => {
    await put({ ...key('single'), owner: { S: 'first' } });
    const error = await send().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect((error as ConditionalCheckFailedException).Item).toEqual({
      ...key('single'),
      owner: { S: 'first' },
    });
  });

  it('hands over nothing when nothing was there', async () => {
    const { TransactWriteItems: _, ...update } = {
      ...take('nobody', 1).Update,
      TransactWriteItems: undefined,
    };
    const error = await client
      .send(new UpdateItemCommand({ ...update, TableName, Key: key('nobody') }))
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect((error as ConditionalCheckFailedException).Item).toBeUndefined();
  });

  it('writes all of a transaction, with what it says of the index', async () => {
    await put({ ...key('pool-a'), room: { N: '3' } });
    await transact([
      {
        Put: {
          TableName,
          Item: { ...key('run-a'), open: { S: 'shard-a' }, due: { N: '7' } },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      take('pool-a', 2),
    ]);
    expect((await get('pool-a'))?.room).toEqual({ N: '1' });
    expect(await open('shard-a')).toEqual(['run-a']);
    await transact([
      {
        Update: {
          TableName,
          Key: key('run-a'),
          UpdateExpression: 'REMOVE #o',
          ExpressionAttributeNames: { '#o': 'open' },
        },
      },
    ]);
    expect(await open('shard-a')).toEqual([]);
    expect((await get('run-a'))?.due).toEqual({ N: '7' });
  });

  it('gives every reason of a canceled transaction, and writes none of it', async () => {
    await put({ ...key('run-b'), owner: { S: 'first' } });
    await put({ ...key('pool-b'), room: { N: '1' } });
    const error = await transact([
      claim('run-b', 'second'),
      { Put: { TableName, Item: key('bystander') } },
      { ConditionCheck: { TableName, Key: key('pool-b'), ConditionExpression: 'attribute_exists(pk)' } },
      take('missing', 1),
    ]).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TransactionCanceledException);
    const reasons = (error as TransactionCanceledException).CancellationReasons ?? [];
    expect(reasons.map((reason) => reason.Code)).toEqual([
      'ConditionalCheckFailed',
      'None',
      'None',
      'ConditionalCheckFailed',
    ]);
    expect(reasons[0]?.Item).toEqual({ ...key('run-b'), owner: { S: 'first' } });
    expect(reasons[0]?.Message).toBe('The conditional request failed');
    expect(reasons[3]?.Item).toBeUndefined();
    expect(await get('bystander')).toBeUndefined();
    expect(await get('run-b')).toEqual({ ...key('run-b'), owner: { S: 'first' } });
  });

  it('writes nothing of a transaction in which an update does not fit its item', async () => {
    const error = await transact([
      claim('run-f', 'first'),
      {
        Update: {
          TableName,
          Key: key('run-b'),
          UpdateExpression: 'ADD #o :one',
          ExpressionAttributeNames: { '#o': 'owner' },
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    ]).catch((caught: unknown) => caught);
    const reasons = (error as TransactionCanceledException).CancellationReasons;
    expect(reasons?.map((reason) => reason.Code)).toEqual(['None', 'ValidationError']);
    expect(await get('run-f')).toBeUndefined();
  });

  it('answers the repeated request of a token without doing it twice', async () => {
    await put({ ...key('pool-c'), room: { N: '9' } });
    await transact([take('pool-c', 2)], 'token-c');
    await transact([take('pool-c', 2)], 'token-c');
    expect((await get('pool-c'))?.room).toEqual({ N: '7' });
    await expect(transact([take('pool-c', 3)], 'token-c')).rejects.toThrow(
      IdempotentParameterMismatchException,
    );
    expect((await get('pool-c'))?.room).toEqual({ N: '7' });
  });

  it('does not take a canceled transaction for done when its token comes again', async () => {
    await put({ ...key('pool-d'), room: { N: '0' } });
    await expect(transact([take('pool-d', 1)], 'token-d')).rejects.toThrow(TransactionCanceledException);
    await put({ ...key('pool-d'), room: { N: '1' } });
    await transact([take('pool-d', 1)], 'token-d');
    expect((await get('pool-d'))?.room).toEqual({ N: '0' });
  });

  it.each<[string, () => TransactWriteItem[], RegExp]>([
    [
      'two actions on one item',
      () => [claim('same', 'a'), take('same', 1)],
      /multiple operations on one item/,
    ],
    ['over 100 actions', () => Array.from({ length: 101 }, (_, i) => claim(`many-${i}`, 'a')), /100/],
    [
      'an expression that can not be read',
      () => [claim('typo', 'a'), { Update: { TableName, Key: key('x'), UpdateExpression: 'SETT a = :b' } }],
      /UpdateExpression|ValidationError/,
    ],
  ])('refuses a transaction of %s, and writes none of it', async (_, items, message) => {
    await expect(transact(items())).rejects.toThrow(message);
    for (const pk of ['same', 'many-0', 'typo']) expect(await get(pk)).toBeUndefined();
  });

  it('reads several items at one moment', async () => {
    await put({ ...key('both'), n: { N: '1' } });
    const { Responses } = await client.send(
      new TransactGetItemsCommand({
        TransactItems: ['both', 'neither'].map((pk) => ({ Get: { TableName, Key: key(pk) } })),
      }),
    );
    expect(Responses?.map((one) => one.Item?.n?.N)).toEqual(['1', undefined]);
  });

  it('lets exactly one of 200 simultaneous transactions claim an item', async () => {
    await put({ ...key('pool-e'), room: { N: '200' } });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => transact([claim('run-e', `owner-${i}`), take('pool-e', 1)])),
    );
    const won = outcomes.flatMap((outcome, i) => (outcome.status === 'fulfilled' ? [`owner-${i}`] : []));
    expect(won).toHaveLength(1);
    expect((await get('run-e'))?.owner).toEqual({ S: won[0] });
    expect((await get('pool-e'))?.room).toEqual({ N: '199' });
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const error of lost) {
      expect(error).toBeInstanceOf(TransactionCanceledException);
      expect((error as TransactionCanceledException).CancellationReasons?.[0]?.Item?.owner?.S).toBe(won[0]);
    }
  });

  it('accepts a time to live', async () => {
    const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true };
    const answer = await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    expect(answer.TimeToLiveSpecification).toEqual(TimeToLiveSpecification);
  });

  it('tells a transaction’s capacity as twice its actions’', async () => {
    const { ConsumedCapacity } = await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [claim('priced', 'a')],
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    expect(ConsumedCapacity?.map((one) => [one.TableName, one.CapacityUnits])).toEqual([[TableName, 2]]);
  });

  it('keeps its data when its process is killed', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'fireledger-dynamodb-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const file = join(dir, 'data.db');
    const { child, endpoint } = await startInChild(engine, file);
    const before = clientOf(endpoint);
    await createTable(before);
    await before.send(new TransactWriteItemsCommand({ TransactItems: [claim('kept', 'a')] }));
    before.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');

    const again = await startDynamoDb({ engine, file });
    const after = clientOf(again.endpoint);
    onTestFinished(async () => {
      after.destroy();
      await again.close();
    });
    const { Item } = await after.send(new GetItemCommand({ TableName, Key: key('kept') }));
    expect(Item?.owner).toEqual({ S: 'a' });
  });
});

/** Another process that starts the emulator, so that it can be killed. */
async function startInChild(engine: string, file: string) {
  const module = new URL('../../functions/local/dynamodb/start.ts', import.meta.url).href;
  const script = `import { startDynamoDb } from ${JSON.stringify(module)};
    const { endpoint } = await startDynamoDb(${JSON.stringify({ engine, file })});
    process.send(endpoint); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [endpoint] = (await once(child, 'message')) as [string];
  return { child, endpoint };
}

describe.runIf(dynoxideBinary() !== undefined)('the native emulator', () => {
  const fileIn = () => {
    const dir = mkdtempSync(join(tmpdir(), 'fireledger-dynamodb-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return join(dir, 'data.db');
  };
  const emulatorOf = (file: string) => JSON.parse(readFileSync(`${file}.pid`, 'utf8')).emulator;

  it('does not outlive the process that started it, even when that is killed', async () => {
    const file = fileIn();
    const { child } = await startInChild('dynoxide', file);
    const emulator = emulatorOf(file);
    expect(isAlive(emulator)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => isAlive(emulator), { interval: 5 }).toBe(false);
  });

  it('refuses a file that a living process has open', async () => {
    const file = fileIn();
    const first = await startDynamoDb({ engine: 'dynoxide', file });
    await expect(startDynamoDb({ engine: 'dynoxide', file })).rejects.toThrow(
      `${file} is open in an emulator of process ${process.pid}. Stop that one first.`,
    );
    await first.close();
    expect(existsSync(`${file}.pid`)).toBe(false);
    await (await startDynamoDb({ engine: 'dynoxide', file })).close();
  });

  it('ends an emulator that still has the file open although its owner is gone', async () => {
    const file = fileIn();
    const orphan = spawn('sleep', ['60']);
    onTestFinished(() => void orphan.kill('SIGKILL'));
    const emulator = identify(orphan.pid ?? 0);
    const owner = { pid: process.pid, started: 'an earlier boot' };
    writeFileSync(`${file}.pid`, JSON.stringify({ emulator, owner }));
    const dynamo = await startDynamoDb({ engine: 'dynoxide', file });
    expect(isAlive(emulator)).toBe(false);
    await dynamo.close();
  });

  it('kills nothing on the word of a bare number, and says what to look at', async () => {
    const file = fileIn();
    const stranger = spawn('sleep', ['60']);
    onTestFinished(() => void stranger.kill('SIGKILL'));
    const emulator = { pid: stranger.pid, started: '' };
    const owner = { pid: process.pid, started: 'an earlier boot' };
    writeFileSync(`${file}.pid`, JSON.stringify({ emulator, owner }));
    await expect(startDynamoDb({ engine: 'dynoxide', file })).rejects.toThrow(
      `${file}.pid names process ${stranger.pid}, but not when that was started`,
    );
    expect(isAlive(identify(stranger.pid ?? 0))).toBe(true);
  });

  it.each([
    { pid: -1, started: 'now' },
    { pid: 'self', started: '' },
    { pid: 1.5, started: '' },
    { pid: process.pid, started: 'an earlier boot' },
    null,
  ])('takes a file that names no living process for nobody’s: %j', async (emulator) => {
    const file = fileIn();
    writeFileSync(`${file}.pid`, JSON.stringify({ emulator, owner: emulator }));
    await (await startDynamoDb({ engine: 'dynoxide', file })).close();
  });

  it('writes down its process in a file of its own, and through no link', async () => {
    const file = fileIn();
    const elsewhere = `${file}.elsewhere`;
    writeFileSync(elsewhere, 'kept');
    for (const link of [`${file}.pid`, `${file}.pid-draft.${process.pid}`]) symlinkSync(elsewhere, link);
    const dynamo = await startDynamoDb({ engine: 'dynoxide', file });
    expect(isAlive(emulatorOf(file))).toBe(true);
    await dynamo.close();
    expect(readFileSync(elsewhere, 'utf8')).toBe('kept');
  });

  it('says so when the emulator ends unasked', async () => {
    const file = fileIn();
    const told = new Promise<string>((onExit) =>
      startDynamoDb({ engine: 'dynoxide', file, onExit }).then(() => {
        process.kill(emulatorOf(file).pid, 'SIGKILL');
      }),
    );
    expect(await told).toBe('The DynamoDB emulator ended unasked (SIGKILL).');
  });

  it.runIf(process.platform === 'linux')('listens where no web page can guess it', async () => {
    const all = await Promise.all([1, 2].map(() => startDynamoDb({ engine: 'dynoxide' })));
    const hosts = all.map(({ endpoint }) => new URL(endpoint).hostname);
    await Promise.all(all.map((dynamo) => dynamo.close()));
    expect(new Set([...hosts, '127.0.0.1']).size).toBe(3);
    for (const host of hosts) expect(host).toMatch(/^127\./);
  });

  it('says in one message why it can not start', async () => {
    await expect(startDynamoDb({ engine: 'dynoxide', file: '/nowhere/data.db' })).rejects.toThrow(
      /unable to open database file: \/nowhere\/data\.db/,
    );
  });
});

describe('dynalite', () => {
  it('forgets a request token after 10 minutes, as DynamoDB does', async () => {
    let now = 0;
    const dynamo = await startDynalite(undefined, () => now);
    const client = clientOf(dynamo.endpoint);
    onTestFinished(async () => {
      client.destroy();
      await dynamo.close();
    });
    await createTable(client);
    const claimIt = () =>
      client.send(
        new TransactWriteItemsCommand({ TransactItems: [claim('once', 'a')], ClientRequestToken: 'token' }),
      );
    await claimIt();
    now = 10 * 60_000 - 1;
    await claimIt();
    now += 1;
    await expect(claimIt()).rejects.toThrow(TransactionCanceledException);
  });

  it('says in one message why it can not start', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'fireledger-dynamodb-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const first = await startDynalite(join(dir, 'level'));
    await expect(startDynalite(join(dir, 'level'))).rejects.toThrow(
      new RegExp(`^DynamoDB \\(dynalite\\) can't open ${dir}/level: .*lock`, 'i'),
    );
    await first.close();
  });
});

describe('DYNAMODB_ENDPOINT', () => {
  it('overrides both engines, and is left alone', async () => {
    process.env.DYNAMODB_ENDPOINT = 'http://127.0.0.1:8000';
    onTestFinished(() => void delete process.env.DYNAMODB_ENDPOINT);
    const dynamo = await startDynamoDb();
    expect(dynamo).toMatchObject({ endpoint: 'http://127.0.0.1:8000', engine: 'external' });
    await dynamo.close();
  });
});
