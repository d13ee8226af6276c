import { onTestFinished } from 'vitest';
import { type Endpoint, startEndpoint } from '../../functions/local/endpoint/endpoint.ts';
import { createQueue, type Queue } from '../../functions/local/queue.ts';

export interface RunningQueue {
  /** What was consumed. */
  readonly bodies: readonly string[];
  readonly queue: Queue;
  readonly endpoint: Endpoint;
  readonly url: string;
}

/** A queue behind the endpoint of a running system. `consume` may throw: then its messages are unreadable at once. */
export async function runningQueue({
  name = 'control',
  consume = () => {},
}: {
  readonly name?: string;
  readonly consume?: () => void;
} = {}): Promise<RunningQueue> {
  const bodies: string[] = [];
  const queue = createQueue({
    name,
    maxReceives: 1,
    consume: async ({ Records }) => {
      consume();
      bodies.push(...Records.map(({ body }) => body));
    },
  });
  const nothing = () => undefined;
  const endpoint = await startEndpoint({
    dynamoDb: 'http://127.0.0.1:1',
    queues: { [name]: queue },
    onMetrics: nothing,
    onPublish: nothing,
    secrets: { valueOf: () => undefined, remedyFor: () => '' },
    invoke: () => Promise.reject(new Error('nothing is invoked')),
  });
  onTestFinished(async () => {
    queue.close();
    await endpoint.close();
  });
  return { bodies, queue, endpoint, url: `${endpoint.url}/000000000000/${name}` };
}
