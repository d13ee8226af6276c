import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';

/** What DynamoDB adds to each item that it keeps. */
const perItem = 100;

/** How much a table keeps, by DynamoDB's rules for the sizes of items; the few open entries of its index left out. */
export async function storedBytes(client: DynamoDBClient, TableName: string): Promise<number> {
  let bytes = 0;
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey }));
    for (const item of page.Items ?? []) bytes += perItem + sizeOfFields(item);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return bytes;
}

function sizeOfFields(fields: Readonly<Record<string, AttributeValue>>): number {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + lengthOf(name) + sizeOf(value), 0);
}

function sizeOf({ S, N, M, L }: AttributeValue): number {
  if (S !== undefined) return lengthOf(S);
  if (N !== undefined) return 1 + Math.ceil(N.replace(/\D/g, '').length / 2);
  const parts = M ? Object.keys(M).length : (L?.length ?? 0);
  if (M !== undefined) return 3 + parts + sizeOfFields(M);
  if (L !== undefined) return 3 + parts + L.reduce((sum, value) => sum + sizeOf(value), 0);
  return 1;
}

function lengthOf(text: string): number {
  return Buffer.byteLength(text);
}
