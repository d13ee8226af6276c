import { stageConfig } from '../config.ts';
import { tableName } from '../contract.ts';
import type { Ledger } from '../domain/ledger.ts';
import { day } from '../domain/time.ts';
import { startFixtureServer } from '../example/fixture-server.ts';
import { createExampleTables, seedExample } from '../example/seed.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../store/dynamodb/index.ts';
import { localStage } from './cloud-functions.ts';
import { type DataFolder, databasePath } from './datafolder.ts';
import { type DynamoDb, startDynamoDb } from './dynamodb/start.ts';
import type { Tell } from './events.ts';

/** What the cloud on this machine keeps, and what stands in for the outside. */
export interface Data {
  readonly dynamoDb: DynamoDb;
  readonly ledger: Ledger;
  /** Null without the example. */
  readonly fixtureOrigin: string | null;
}

export interface DataOptions {
  readonly folder: DataFolder;
  /** With the example's tables and the server that stands in for its outside addresses. */
  readonly withExample: boolean;
  readonly tell: Tell;
  /** Told when the DynamoDB ended without being asked to. */
  readonly onLost: (message: string) => void;
}

/** Starts the DynamoDB with its tables. The example's data are still being written when it resolves: the first start needs not wait for them. */
export async function startData(
  { folder, withExample, tell, onLost }: DataOptions,
  started: (() => Promise<void> | void)[],
): Promise<Data> {
  const dynamoDb = await startDynamoDb({ file: databasePath(folder.dir), onExit: onLost });
  started.push(() => dynamoDb.close());
  const client = ledgerClient({ endpoint: dynamoDb.endpoint });
  started.push(() => client.destroy());
  const fixtures = withExample ? await startFixtureServer() : null;
  if (fixtures) started.push(() => fixtures.close());
  await Promise.all([
    createLedgerTable(client, tableName(localStage)),
    withExample && createExampleTables(client, localStage),
  ]);
  if (withExample) {
    const seeded = seedExample(client, localStage).then(
      () => undefined,
      (error) =>
        tell({ kind: 'notice', at: Date.now(), text: `the example's data are incomplete: ${error}` }),
    );
    started.push(() => seeded);
  }
  const retentionMs = stageConfig(localStage).retentionDays * day;
  const ledger = dynamoLedger({ client, table: tableName(localStage), retentionMs });
  return { dynamoDb, ledger, fixtureOrigin: fixtures?.origin ?? null };
}
