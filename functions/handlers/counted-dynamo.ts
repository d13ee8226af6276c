import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CapacityUnits } from '../domain/bill.ts';
import { unitsOf } from './capacity-units.ts';

/** A client of DynamoDB for job code, and what DynamoDB told of the capacity that it has consumed. */
export interface CountedDynamo {
  /** Made when it is first asked for, with the SDK's defaults. */
  readonly client: () => DynamoDBDocumentClient;
  /** Of all that was sent so far. */
  readonly used: () => CapacityUnits;
}

export function countedDynamo(): CountedDynamo {
  let client: DynamoDBDocumentClient | undefined;
  let used: CapacityUnits = { readUnits: 0, writeUnits: 0 };
  const count = ({ readUnits, writeUnits }: CapacityUnits) => {
    used = { readUnits: used.readUnits + readUnits, writeUnits: used.writeUnits + writeUnits };
  };
  return {
    client: () => {
      client ??= DynamoDBDocumentClient.from(countingClient(count));
      return client;
    },
    used: () => used,
  };
}

/** Asks for what each command consumes; who asks for more, such as by index, gets more. */
function countingClient(count: (units: CapacityUnits) => void): DynamoDBClient {
  const client = new DynamoDBClient({});
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const input = asking(args.input);
        const answer = await next({ ...args, input });
        count(unitsOf({ commandName, input, output: answer.output }));
        return answer;
      },
    { name: 'countCapacity', step: 'initialize' },
  );
  return client;
}

function asking<Input extends object>(input: Input): Input {
  const asked = 'ReturnConsumedCapacity' in input ? input.ReturnConsumedCapacity : undefined;
  return { ...input, ReturnConsumedCapacity: asked === 'INDEXES' ? asked : 'TOTAL' };
}
