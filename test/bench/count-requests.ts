import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** How many requests a client has sent from now on, the SDK's own repetitions included. */
export function countRequests(client: DynamoDBClient): () => number {
  let requests = 0;
  client.middlewareStack.add(
    (send) => (args) => {
      requests += 1;
      return send(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return () => requests;
}
