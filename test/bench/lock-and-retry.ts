import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { minute, second } from '../../functions/domain/time.ts';

const table = 'shedlock';
const retryMs = second;
const lockAtMostForMs = 15 * minute;

export async function createLockTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: '_id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: '_id', KeyType: 'HASH' }],
    }),
  );
}

/**
 * What a run does where all that there is are locks in ShedLock's manner: one item for each unit of the capacity, taken by an
 * update under the condition that it is free or its time is up, given back by an update. When none is to be had it tries
 * again a second later, for as long as it takes.
 */
export async function underLock(
  client: DynamoDBClient,
  locks: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const lock = await lockAny(client, locks);
  try {
    await work();
  } finally {
    await unlock(client, lock);
  }
}

async function lockAny(client: DynamoDBClient, locks: readonly string[]): Promise<string> {
  for (;;) {
    for (const lock of locks) if (await tryLock(client, lock)) return lock;
    await delay(retryMs);
  }
}

async function tryLock(client: DynamoDBClient, lock: string): Promise<boolean> {
  const now = Date.now();
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { _id: { S: lock } },
        UpdateExpression: 'SET lockUntil = :until, lockedAt = :now, lockedBy = :owner',
        ConditionExpression: 'lockUntil <= :now OR attribute_not_exists(lockUntil)',
        ExpressionAttributeValues: {
          ':until': { S: isoOf(now + lockAtMostForMs) },
          ':now': { S: isoOf(now) },
          ':owner': { S: randomBytes(8).toString('hex') },
        },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function unlock(client: DynamoDBClient, lock: string): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { _id: { S: lock } },
      UpdateExpression: 'SET lockUntil = :now',
      ExpressionAttributeValues: { ':now': { S: isoOf(Date.now()) } },
    }),
  );
}

function isoOf(instant: number): string {
  return new Date(instant).toISOString();
}
