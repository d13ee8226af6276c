import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { table } from '../../contract.ts';

/** Creates the ledger's table on an embedded DynamoDB, unless it is there; a deployed stage has its from the template. */
export async function createLedgerTable(client: DynamoDBClient, tableName: string): Promise<void> {
  await unless(['ResourceInUseException'], () => client.send(new CreateTableCommand(definition(tableName))));
  await waitUntilTableExists(
    { client, maxWaitTime: 30, minDelay: 0.02, maxDelay: 0.5 },
    { TableName: tableName },
  );
  await expire(client, tableName);
}

function definition(tableName: string): CreateTableCommandInput {
  const { partitionKey, sortKey, openIndex } = table;
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: partitionKey, AttributeType: 'S' },
      { AttributeName: sortKey, AttributeType: 'S' },
      { AttributeName: openIndex.partitionKey, AttributeType: 'N' },
      { AttributeName: openIndex.sortKey, AttributeType: 'N' },
    ],
    KeySchema: keySchema(partitionKey, sortKey),
    GlobalSecondaryIndexes: [
      {
        IndexName: openIndex.name,
        KeySchema: keySchema(openIndex.partitionKey, openIndex.sortKey),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  };
}

function keySchema(partitionKey: string, sortKey: string): CreateTableCommandInput['KeySchema'] {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];
}

/** Not every emulator knows expiry (it then keeps everything), and enabling it twice is an error. */
async function expire(client: DynamoDBClient, tableName: string): Promise<void> {
  const enable = new UpdateTimeToLiveCommand({
    TableName: tableName,
    TimeToLiveSpecification: { AttributeName: table.ttl, Enabled: true },
  });
  await unless(['ValidationException', 'UnknownOperationException'], () => client.send(enable));
}

async function unless(harmless: readonly string[], act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Error && harmless.includes(error.name))) throw error;
  }
}
