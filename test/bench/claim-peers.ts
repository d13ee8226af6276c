import { randomBytes } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import {
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import type { AlarmPayload } from '../../functions/contract.ts';

export const peerTable = 'powertools';

export async function createPeerTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: peerTable,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
}

/**
 * Powertools around a handler, as its documentation shows it. Its key is the fire: an alarm's repeated delivery has
 * another attempt number, so the whole event can't be it.
 */
export function powertools<Result extends object | undefined>(
  client: DynamoDBClient,
  work: () => Promise<Result>,
): (event: AlarmPayload) => Promise<Result> {
  const config = new IdempotencyConfig({ eventKeyJmesPath: '[jobId, scheduledTime]' });
  config.registerLambdaContext({ getRemainingTimeInMillis: () => 330_000 } as Context);
  const persistenceStore = new DynamoDBPersistenceLayer({ tableName: peerTable, awsSdkV3Client: client });
  return makeIdempotent(work, { config, persistenceStore });
}

/** What Powertools lacks of our guarantee: one run of a job at a time, by a lock with an owner and an expiry. */
export function locked<Result>(
  client: DynamoDBClient,
  lock: string,
  work: () => Promise<Result>,
): () => Promise<Result> {
  return async () => {
    const owner = randomBytes(12).toString('hex');
    await acquire(client, lock, owner);
    try {
      return await work();
    } finally {
      await release(client, lock, owner);
    }
  };
}

async function acquire(client: DynamoDBClient, lock: string, owner: string): Promise<void> {
  const now = Date.now();
  await client.send(
    new PutItemCommand({
      TableName: peerTable,
      Item: { id: { S: lock }, owner: { S: owner }, until: { N: `${now + 390_000}` } },
      ConditionExpression: 'attribute_not_exists(id) OR #until < :now',
      ExpressionAttributeNames: { '#until': 'until' },
      ExpressionAttributeValues: { ':now': { N: `${now}` } },
    }),
  );
}

async function release(client: DynamoDBClient, lock: string, owner: string): Promise<void> {
  await client.send(
    new DeleteItemCommand({
      TableName: peerTable,
      Key: { id: { S: lock } },
      ConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': { S: owner } },
    }),
  );
}
