import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { CapacityUnits } from '../domain/bill.ts';

/** A command that DynamoDB has answered. */
export interface Exchange {
  /** `GetItemCommand`. */
  readonly commandName: string | undefined;
  readonly input: object;
  readonly output: object;
}

const reads = new Set<string | undefined>([
  'GetItemCommand',
  'BatchGetItemCommand',
  'TransactGetItemsCommand',
  'QueryCommand',
  'ScanCommand',
]);

/** What a command consumed. DynamoDB says of which kind the units are only where both are possible. */
export function unitsOf({ commandName, input, output }: Exchange): CapacityUnits {
  const isRead = reads.has(commandName) || isSelect(input);
  const kinds = toldOf(output).map((table) => kindsOf(table, isRead));
  return {
    readUnits: kinds.reduce((sum, { readUnits }) => sum + readUnits, 0),
    writeUnits: kinds.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

/** Of one table, or of each. */
function toldOf(output: { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }): ConsumedCapacity[] {
  const { ConsumedCapacity: told = [] } = output;
  return Array.isArray(told) ? told : [told];
}

function kindsOf(
  { CapacityUnits = 0, ReadCapacityUnits, WriteCapacityUnits }: ConsumedCapacity,
  isRead: boolean,
): CapacityUnits {
  if (ReadCapacityUnits !== undefined || WriteCapacityUnits !== undefined)
    return { readUnits: ReadCapacityUnits ?? 0, writeUnits: WriteCapacityUnits ?? 0 };
  return isRead ? { readUnits: CapacityUnits, writeUnits: 0 } : { readUnits: 0, writeUnits: CapacityUnits };
}

/** PartiQL: all statements of a batch read, or all write. */
function isSelect(input: { Statement?: string; Statements?: { Statement?: string }[] }): boolean {
  return /^\s*select\b/i.test(input.Statement ?? input.Statements?.[0]?.Statement ?? '');
}
