import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** `collision`: never sent, canceled by a conflict. `lost-answer`: sent and decided, but the answer does not arrive. */
export type Fault = 'none' | 'collision' | 'lost-answer';

/**
 * Disturbs a client. `command`: what the caller of the SDK sees, so that a lost answer is the caller's to deal with.
 * `request`: what the SDK sees of each of its tries, so that a lost answer is tried again by the SDK.
 */
export function disturb(
  client: DynamoDBClient,
  level: 'command' | 'request',
  next: (command: string) => Fault,
): void {
  const disturbing =
    <Args, Output>(send: (args: Args) => Promise<Output>, { commandName = '' }) =>
    async (args: Args): Promise<Output> => {
      const fault = next(commandName);
      if (fault === 'collision') throw collision();
      if (fault === 'none') return send(args);
      await Promise.allSettled([send(args)]);
      throw named('TimeoutError', 'The answer was lost.');
    };
  if (level === 'command') client.middlewareStack.add(disturbing, { step: 'initialize' });
  else client.middlewareStack.add(disturbing, sendingTry);
}

export interface SentRequest {
  readonly command: string;
  /** The body as DynamoDB gets it. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Every request that goes out from now on, the SDK's own repetitions included. */
export function recordRequests(client: DynamoDBClient): SentRequest[] {
  const sent: SentRequest[] = [];
  client.middlewareStack.add(
    (send, { commandName: command = '' }) =>
      (args) => {
        const { body } = args.request as { readonly body: Uint8Array };
        sent.push({ command, input: JSON.parse(Buffer.from(body).toString()) });
        return send(args);
      },
    sendingTry,
  );
  return sent;
}

/** Inside of the SDK's own repetition. */
const sendingTry = { step: 'finalizeRequest', priority: 'low' } as const;

/** What DynamoDB answers when another transaction holds one of the items. */
export function collision(...codes: readonly string[]): Error {
  const reasons = (codes.length === 0 ? ['TransactionConflict', 'None'] : codes).map((Code) => ({ Code }));
  const error = named(
    'TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons',
  );
  return Object.assign(error, { CancellationReasons: reasons });
}

export function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
