import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unitsOf } from '../../functions/handlers/capacity-units.ts';
import { countedDynamo } from '../../functions/handlers/counted-dynamo.ts';
import { type DynamoDb, startDynamoDb } from '../../functions/local/dynamodb/start.ts';
import { ledgerClient } from '../../functions/store/dynamodb/index.ts';

let database: DynamoDb;
let admin: DynamoDBClient;
const table = 'orders';
beforeAll(async () => {
  database = await startDynamoDb();
  admin = ledgerClient({ endpoint: database.endpoint });
  await admin.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  vi.stubEnv('AWS_ENDPOINT_URL', database.endpoint);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  admin?.destroy();
  await database?.close();
});

const of = { TableName: table };

describe('a counted client of DynamoDB', () => {
  it('is made when it is asked for, once, for the endpoint of the environment', async () => {
    const dynamo = countedDynamo();
    expect(dynamo.used()).toEqual({ readUnits: 0, writeUnits: 0 });
    const client = dynamo.client();
    expect(dynamo.client()).toBe(client);
    await client.send(new PutCommand({ ...of, Item: { id: 'one', total: 7 } }));
    const { Item } = await client.send(new GetCommand({ ...of, Key: { id: 'one' }, ConsistentRead: true }));
    expect(Item).toEqual({ id: 'one', total: 7 });
    client.destroy();
  });

  it('adds up what DynamoDB tells of each command, reads and writes apart', async () => {
    const { client: made, used } = countedDynamo();
    const client = made();
    await client.send(new PutCommand({ ...of, Item: { id: 'small' } }));
    expect(used()).toEqual({ readUnits: 0, writeUnits: 1 });
    await client.send(new PutCommand({ ...of, Item: { id: 'large', text: 'x'.repeat(2_500) } }));
    expect(used()).toEqual({ readUnits: 0, writeUnits: 4 });
    await client.send(new GetCommand({ ...of, Key: { id: 'small' } }));
    await client.send(new GetItemCommand({ ...of, Key: { id: { S: 'small' } }, ConsistentRead: true }));
    expect(used()).toEqual({ readUnits: 1.5, writeUnits: 4 });
    const query = { KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': 'small' } };
    await client.send(new QueryCommand({ ...of, ...query }));
    expect(used()).toEqual({ readUnits: 2, writeUnits: 4 });
    const puts = ['a', 'b'].map((id) => ({ PutRequest: { Item: { id } } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
    expect(used()).toEqual({ readUnits: 2, writeUnits: 6 });
    client.destroy();
  });

  it('asks for what its caller did not, and leaves alone who asks for more, or what has no capacity', async () => {
    const { client: made, used } = countedDynamo();
    const client = made();
    const get = (asked: 'NONE' | 'INDEXES') =>
      client.send(new GetCommand({ ...of, Key: { id: 'none' }, ReturnConsumedCapacity: asked }));
    expect((await get('NONE')).ConsumedCapacity).toMatchObject({ CapacityUnits: 0.5 });
    expect((await get('INDEXES')).ConsumedCapacity).toMatchObject({ CapacityUnits: 0.5 });
    await client.send(new DescribeTableCommand(of));
    expect(used()).toEqual({ readUnits: 1, writeUnits: 0 });
    client.destroy();
  });

  it('passes on what DynamoDB refuses, and counts nothing of it', async () => {
    const { client: made, used } = countedDynamo();
    const client = made();
    const put = new PutCommand({ ...of, Item: { id: 'x' }, ConditionExpression: 'attribute_exists(id)' });
    await expect(client.send(put)).rejects.toThrow(
      expect.objectContaining({ name: 'ConditionalCheckFailedException' }),
    );
    const write = new TransactWriteCommand({ TransactItems: [{ Put: put.input }] });
    await expect(client.send(write)).rejects.toThrow(
      expect.objectContaining({ name: 'TransactionCanceledException' }),
    );
    expect(used()).toEqual({ readUnits: 0, writeUnits: 0 });
    client.destroy();
  });
});

describe('units of a command', () => {
  const told = (commandName: string, ConsumedCapacity: unknown, input = {}) =>
    unitsOf({ commandName, input, output: { ConsumedCapacity } as object });

  it.each([
    ['GetItemCommand', { readUnits: 2, writeUnits: 0 }],
    ['ScanCommand', { readUnits: 2, writeUnits: 0 }],
    ['UpdateItemCommand', { readUnits: 0, writeUnits: 2 }],
    ['DeleteItemCommand', { readUnits: 0, writeUnits: 2 }],
  ])('are of the kind of %s', (command, units) => {
    expect(told(command, { TableName: 't', CapacityUnits: 2 })).toEqual(units);
  });

  it('are of the kind that DynamoDB says, where it says so', () => {
    const tables = [
      { TableName: 't', CapacityUnits: 6, WriteCapacityUnits: 6 },
      { TableName: 'u', CapacityUnits: 3, ReadCapacityUnits: 2, WriteCapacityUnits: 1 },
    ];
    expect(told('TransactWriteItemsCommand', tables)).toEqual({ readUnits: 2, writeUnits: 7 });
  });

  it.each([
    ['ExecuteStatementCommand', { Statement: '  select * from orders' }, { readUnits: 1, writeUnits: 0 }],
    ['ExecuteStatementCommand', { Statement: 'DELETE FROM orders' }, { readUnits: 0, writeUnits: 1 }],
    [
      'BatchExecuteStatementCommand',
      { Statements: [{ Statement: 'SELECT 1' }] },
      { readUnits: 1, writeUnits: 0 },
    ],
  ])('of PartiQL are of its statement: %s %j', (command, input, units) => {
    expect(told(command, [{ TableName: 'orders', CapacityUnits: 1 }], input)).toEqual(units);
  });

  it('are none where none are told of', () => {
    expect(told('PutItemCommand', undefined)).toEqual({ readUnits: 0, writeUnits: 0 });
    expect(told('PutItemCommand', { TableName: 't' })).toEqual({ readUnits: 0, writeUnits: 0 });
  });
});
