import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { unitsOf } from '../../functions/handlers/capacity-units.ts';
import { ledgerClient } from '../../functions/store/dynamodb/index.ts';
import { countRequests } from './count-requests.ts';

/** What was sent, and what it consumed. */
export interface Consumed {
  readonly requests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface MeteredClient {
  readonly client: DynamoDBClient;
  /** Since it was made. */
  readonly consumed: () => Consumed;
}

/**
 * A client that counts. What was refused tells no units, and costs as much as if it had been written: one for an item of up
 * to a kilobyte, two in a transaction, as the items here are.
 */
export function meteredClient(endpoint: string): MeteredClient {
  const client = ledgerClient({ endpoint, ...inACrowd });
  const metered = { readUnits: 0, writeUnits: 0 };
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' };
        try {
          const answer = await next({ ...args, input });
          const { readUnits, writeUnits } = unitsOf({ commandName, input, output: answer.output });
          metered.readUnits += readUnits;
          metered.writeUnits += writeUnits;
          return answer;
        } catch (error) {
          metered.writeUnits += refusedUnits(error);
          throw error;
        }
      },
    { step: 'initialize' },
  );
  const requests = countRequests(client);
  return { client, consumed: () => ({ ...metered, requests: requests() }) };
}

/** All functions are one process here: it has the sockets and the time that each of them would have. */
const inACrowd = { maxSockets: 250, connectionTimeoutMs: 30_000, requestTimeoutMs: 60_000 };

function refusedUnits(error: unknown): number {
  if (error instanceof TransactionCanceledException) return 2 * (error.CancellationReasons?.length ?? 0);
  return error instanceof Error && error.name === 'ConditionalCheckFailedException' ? 1 : 0;
}
