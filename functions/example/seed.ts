import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { putBatches } from './dynamo.ts';
import { seedItems } from './seed-items.ts';
import {
  type ExampleTable,
  type ExampleTableName,
  exampleTableName,
  exampleTableNames,
  exampleTables,
} from './tables.ts';

/** Creates the example tables that are absent; resolves when all of them take requests. */
export async function createExampleTables(client: DynamoDBClient, stage: string): Promise<void> {
  await Promise.all(
    exampleTableNames.map((table) =>
      createTable(client, exampleTableName(stage, table), exampleTables[table]),
    ),
  );
}

/**
 * Creates the example tables that are absent and fills those that are empty; one that holds anything is left alone. The
 * data lie around `now`, in epoch milliseconds. Resolves to the number of items written.
 */
export async function seedExample(client: DynamoDBClient, stage: string, now = Date.now()): Promise<number> {
  await createExampleTables(client, stage);
  const documents = DynamoDBDocumentClient.from(client);
  const seeds = Object.entries(seedItems(new Date(now))) as [ExampleTableName, readonly object[]][];
  const written = await Promise.all(
    seeds.map(async ([table, items]) => fillIfEmpty(documents, exampleTableName(stage, table), items)),
  );
  return written.reduce((sum, count) => sum + count, 0);
}

async function createTable(client: DynamoDBClient, name: string, keys: ExampleTable): Promise<void> {
  const keyed = [keys.partitionKey, ...(keys.sortKey ? [keys.sortKey] : [])];
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: keyed.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keyed.map((AttributeName, place) => ({
          AttributeName,
          KeyType: place === 0 ? 'HASH' : 'RANGE',
        })),
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 1 }, { TableName: name });
}

async function fillIfEmpty(
  documents: DynamoDBDocumentClient,
  table: string,
  items: readonly object[],
): Promise<number> {
  const { Count } = await documents.send(
    new ScanCommand({ TableName: table, Limit: 1, ConsistentRead: true }),
  );
  if (Count !== 0) return 0;
  await putBatches(documents, table, items);
  return items.length;
}
