import {
  BatchGetItemCommand,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { table } from '../../contract.ts';
import { attributesOf } from './attributes.ts';
import type { Database } from './database.ts';
import type { Item } from './keys.ts';

/** DynamoDB's limit. */
const mostKeysPerBatch = 100;

export async function get(db: Pick<Database, 'client' | 'table'>, key: Item): Promise<Item | null> {
  const command = new GetItemCommand({ TableName: db.table, Key: key, ConsistentRead: true });
  const { Item: item } = await db.client.send(command);
  return item ?? null;
}

/** The items that exist, in no particular order. The keys must differ from one another. */
export async function getAll(db: Database, keys: readonly Item[]): Promise<Item[]> {
  const items: Item[] = [];
  for (let at = 0; at < keys.length; at += mostKeysPerBatch)
    items.push(...(await getBatch(db, keys.slice(at, at + mostKeysPerBatch))));
  return items;
}

const mostTries = 8;
const firstDelayMs = 25;

async function getBatch(db: Database, keys: readonly Item[]): Promise<Item[]> {
  const items: Item[] = [];
  let left: readonly Item[] = keys;
  for (let tries = 1; tries <= mostTries; tries++) {
    const command = new BatchGetItemCommand({
      RequestItems: { [db.table]: { Keys: [...left], ConsistentRead: true } },
    });
    const { Responses: responses, UnprocessedKeys: unprocessed } = await db.client.send(command);
    items.push(...(responses?.[db.table] ?? []));
    left = unprocessed?.[db.table]?.Keys ?? [];
    if (left.length === 0) return items;
    await db.sleep(db.random() * firstDelayMs * 2 ** tries);
  }
  throw new Error(
    `DynamoDB left ${left.length} of ${keys.length} keys of table ${db.table} unread, ${mostTries} times in a row. It is throttled: try again later.`,
  );
}

/** All items of a query at once, at most `limit`. */
export async function queryAll(...query: Parameters<typeof queryPages>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of queryPages(...query)) items.push(item);
  return items;
}

/** All items of a partition whose sort keys begin so. */
export function queryPrefix(db: Database, partition: string, prefix: string): Promise<Item[]> {
  return queryAll(db, {
    KeyConditionExpression: '#pk = :partition AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': table.partitionKey, '#sk': table.sortKey },
    ExpressionAttributeValues: attributesOf({ ':partition': partition, ':prefix': prefix }),
    ConsistentRead: true,
  });
}

/** All items of a query, page by page, at most `limit`. */
export async function* queryPages(
  db: Database,
  input: Omit<QueryCommandInput, 'TableName' | 'Limit'>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item> {
  let left = limit;
  let start: Item | undefined;
  while (left > 0) {
    const command = new QueryCommand({
      TableName: db.table,
      ...input,
      ...(Number.isFinite(left) ? { Limit: left } : {}),
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    const page = await db.client.send(command);
    const items = page.Items ?? [];
    yield* items;
    left -= items.length;
    start = page.LastEvaluatedKey;
    if (start === undefined) return;
  }
}
