import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { table as ledgerTable } from '../../functions/contract.ts';

/** A request of DynamoDB's as it was sent. */
export interface Sent {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What IAM is asked about one request: may this be done to these partitions of the ledger? */
export interface Asked {
  readonly action: string;
  readonly keys: readonly string[];
}

/** Everything that the client sends from now on. */
export function capture(client: DynamoDBClient): Sent[] {
  const sent: Sent[] = [];
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        sent.push({ command: commandName.replace(/Command$/, ''), input: { ...args.input } });
        return next(args);
      },
    { step: 'initialize' },
  );
  return sent;
}

/**
 * The questions of a request. Nobody documents whether the items of a transaction are judged one by one, those of one action
 * together, or all together: so all of these are asked.
 */
export function questionsOf({ command, input }: Sent): Asked[] {
  if (command !== 'TransactWriteItems') return [{ action: command, keys: keysOf(command, input) }];
  const items = (input.TransactItems as readonly Readonly<Record<string, Input>>[]).flatMap((item) =>
    Object.entries(item).map(([kind, of]) => {
      const action = kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`;
      return { action, keys: keysOf(action, of) };
    }),
  );
  const all = items.flatMap(({ keys }) => keys);
  const ofAction = (wanted: string) => items.flatMap(({ action, keys }) => (action === wanted ? keys : []));
  return items.flatMap(({ action, keys }) => [
    { action, keys },
    { action, keys: ofAction(action) },
    { action, keys: all },
  ]);
}

type Input = Readonly<Record<string, unknown>>;

function keysOf(action: string, input: Input): string[] {
  const { partitionKey } = ledgerTable;
  const keyed = (action === 'PutItem' ? input.Item : input.Key) as Input | undefined;
  if (keyed !== undefined) return [textOf(keyed[partitionKey])];
  if (action === 'Query')
    return Object.values(input.ExpressionAttributeValues as Input)
      .slice(0, 1)
      .map(textOf);
  if (action === 'BatchGetItem')
    return Object.values(input.RequestItems as Readonly<Record<string, { Keys: readonly Input[] }>>).flatMap(
      ({ Keys }) => Keys.map((key) => textOf(key[partitionKey])),
    );
  throw new Error(`No idea which partitions ${action} is about`);
}

function textOf(attribute: unknown): string {
  const { S } = attribute as { S?: string };
  if (S === undefined) throw new Error(`No partition: ${JSON.stringify(attribute)}`);
  return S;
}
