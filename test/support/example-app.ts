import { fixtureOriginVariable } from '../../functions/example/addresses.ts';
import { dynamo, scanPages } from '../../functions/example/dynamo.ts';
import { type FixtureServer, startFixtureServer } from '../../functions/example/fixture-server.ts';
import type { ExampleItems } from '../../functions/example/items.ts';
import { createExampleTables, seedExample } from '../../functions/example/seed.ts';
import type { ExampleTableName } from '../../functions/example/tables.ts';
import { startDynamoDb } from '../../functions/local/dynamodb/start.ts';

/** The example app in this process: a real DynamoDB API with its tables, and the server that stands in for outside. */
export interface ExampleApp {
  readonly fixtures: FixtureServer;
  close(): Promise<void>;
}

/** Starts it with empty tables, or seeded as at an instant, and points the environment at it. Once per test file. */
export async function startExampleApp({ seededAt }: { seededAt?: string } = {}): Promise<ExampleApp> {
  const [database, fixtures] = await Promise.all([startDynamoDb(), startFixtureServer()]);
  Object.assign(process.env, {
    FIRELEDGER_STAGE: 'local',
    AWS_ENDPOINT_URL: database.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    [fixtureOriginVariable]: fixtures.origin,
  });
  if (seededAt) await seedExample(dynamo, 'local', Date.parse(seededAt));
  else await createExampleTables(dynamo, 'local');
  return {
    fixtures,
    async close() {
      dynamo.destroy();
      await Promise.all([database.close(), fixtures.close()]);
    },
  };
}

/** What a table holds. */
export async function everyItem<Table extends ExampleTableName>(
  table: Table,
): Promise<ExampleItems[Table][]> {
  const items: ExampleItems[Table][] = [];
  for await (const page of scanPages(table, { ConsistentRead: true }, neverAborted)) items.push(...page);
  return items;
}

export const neverAborted = new AbortController().signal;
