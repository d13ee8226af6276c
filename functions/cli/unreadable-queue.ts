import { GetQueueAttributesCommand, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import type { UnreadableQueue } from '../operator/redrive.ts';
import { type Queues, queueUrl, sqsClient } from './queues.ts';
import { oneLine } from './render/text.ts';
import { UserError } from './user-error.ts';

/** The queue of what could not be read, as the person sees it. What goes wrong is told with what to do next. */
export function unreadableQueue(queues: Queues, place: string): UnreadableQueue {
  const client = sqsClient(queues);
  const attributes = async () => {
    const QueueUrl = await queueUrl(queues, queues.unreadable, client);
    const names = ['QueueArn', 'ApproximateNumberOfMessages'] as const;
    const answer = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }));
    return answer.Attributes ?? {};
  };
  return {
    count: () =>
      told(queues, place, async () => Number((await attributes()).ApproximateNumberOfMessages ?? 0)),
    redrive: () =>
      told(queues, place, async () => {
        const { QueueArn } = await attributes();
        await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
      }),
  };
}

async function told<T>(queues: Queues, place: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Error
      ? new UserError(`${queues.unreadable} of ${place}: ${remedy(error, queues)}`, { cause: error })
      : error;
  }
}

function remedy({ name, message }: Error, { control, unreadable, endpoint }: Queues): string {
  if (endpoint !== undefined) return `${oneLine(message)}. Does \`npm start\` still run?`;
  if (name.includes('QueueDoesNotExist') || name.includes('NonExistentQueue'))
    return 'there is no such queue in this account and region. Check AWS_PROFILE and AWS_REGION, or deploy the stage';
  if (name.startsWith('AccessDenied'))
    return (
      `you may not. It takes sqs:GetQueueUrl, GetQueueAttributes, StartMessageMoveTask, ReceiveMessage and DeleteMessage on ` +
      `${unreadable}, and sqs:SendMessage on ${control}`
    );
  if (/already a task running/i.test(message))
    return 'its messages are being sent back already; look again in a minute';
  return `${oneLine(message)}. Check your AWS credentials, AWS_PROFILE and AWS_REGION`;
}
