import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { ExampleItems } from './items.ts';
import { currentStage } from './stage.ts';
import { type ExampleTableName, exampleTableName } from './tables.ts';

/** The example app's database. Region, credentials and AWS_ENDPOINT_URL come from the environment, at the first call. */
export const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** The table's name in this stage. */
export function tableName(table: ExampleTableName): string {
  return exampleTableName(currentStage(), table);
}

/** What a query finds, page by page. Rejects with an AbortError once the signal aborts. */
export async function* queryPages<Table extends ExampleTableName>(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName'>,
  signal: AbortSignal,
): AsyncGenerator<ExampleItems[Table][]> {
  const input = { ...query, TableName: tableName(table) };
  for await (const page of paginateQuery({ client: dynamo }, input, { abortSignal: signal })) {
    yield (page.Items ?? []) as ExampleItems[Table][];
  }
}

/** Everything that a query finds: for what fits in memory with ease. */
export async function queryAll<Table extends ExampleTableName>(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName'>,
  signal: AbortSignal,
): Promise<ExampleItems[Table][]> {
  const items: ExampleItems[Table][] = [];
  for await (const page of queryPages(table, query, signal)) items.push(...page);
  return items;
}

/** A whole table, page by page. Rejects with an AbortError once the signal aborts. */
export async function* scanPages<Table extends ExampleTableName>(
  table: Table,
  scan: Omit<ScanCommandInput, 'TableName'>,
  signal: AbortSignal,
): AsyncGenerator<ExampleItems[Table][]> {
  const input = { ...scan, TableName: tableName(table) };
  for await (const page of paginateScan({ client: dynamo }, input, { abortSignal: signal })) {
    yield (page.Items ?? []) as ExampleItems[Table][];
  }
}

/** Puts items, whatever was under their keys; several requests, so a failure may leave some of them written. */
export async function putAll<Table extends ExampleTableName>(
  table: Table,
  items: readonly ExampleItems[Table][],
  signal: AbortSignal,
): Promise<void> {
  await putBatches(dynamo, tableName(table), items, signal);
}

/** As `putAll`, with a client and a table of the caller's. */
export async function putBatches(
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly object[],
  signal?: AbortSignal,
): Promise<void> {
  const largestBatch = 25;
  for (let start = 0; start < items.length; start += largestBatch) {
    const puts = items
      .slice(start, start + largestBatch)
      .map((item) => ({ PutRequest: { Item: { ...item } } }));
    await writeBatch(client, table, puts, signal);
  }
}

type WriteRequests = NonNullable<ConstructorParameters<typeof BatchWriteCommand>[0]['RequestItems']>[string];

/** DynamoDB may take a part of a batch and hand back the rest: those go again, a little later each time. */
async function writeBatch(
  client: DynamoDBDocumentClient,
  table: string,
  requests: WriteRequests,
  signal?: AbortSignal,
): Promise<void> {
  const options = signal && { abortSignal: signal };
  let left = requests;
  for (let round = 0; round < 8; round++) {
    const output = await client.send(new BatchWriteCommand({ RequestItems: { [table]: left } }), options);
    left = output.UnprocessedItems?.[table] ?? [];
    if (left.length === 0) return;
    await delay(50 * 2 ** round, undefined, signal && { signal });
  }
  throw new Error(
    `${table} did not take ${left.length} of ${requests.length} items in 8 rounds: is it throttled?`,
  );
}
