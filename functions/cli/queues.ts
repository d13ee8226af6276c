import { GetQueueUrlCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { embedded } from '../store/dynamodb/client.ts';

/** Where the control queue of a ledger's reconciler is, and the queue of what could not be read on it: by their names. */
export interface Queues {
  readonly control: string;
  readonly unreadable: string;
  /** Of the system that runs on this machine. Absent: AWS's own. */
  readonly endpoint?: string;
  readonly region?: string;
}

/** As whom they are spoken to: as the person, with the credentials of the environment. */
export function sqsConfig({ endpoint, region }: Queues): SQSClientConfig {
  if (endpoint !== undefined) return { ...embedded, endpoint };
  return { ...(region !== undefined && { region }) };
}

/** @throws what the SDK throws, QueueDoesNotExist among it */
export async function queueUrl(queues: Queues, name: string, client = sqsClient(queues)): Promise<string> {
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: name }));
  if (QueueUrl === undefined) throw new Error(`SQS names no URL of the queue ${name}`);
  return QueueUrl;
}

export function sqsClient(queues: Queues): SQSClient {
  // An emulator may name its queues by a host that only it knows.
  return new SQSClient({ ...sqsConfig(queues), useQueueUrlAsEndpoint: false, maxAttempts: 2 });
}
