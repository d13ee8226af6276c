import { type MessageAttribute, md5, type Queue } from '../queue.ts';
import { type Answer, errorAnswer, json } from './answer.ts';

interface SendMessage {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
  readonly MessageAttributes?: Readonly<Record<string, { DataType: string; StringValue?: string }>>;
}

/** SQS SendMessage. A queue is known by the last part of its URL. */
export function sendMessage(queues: Readonly<Record<string, Queue>>, body: string): Answer {
  const { QueueUrl, MessageBody, DelaySeconds = 0, MessageAttributes = {} } = JSON.parse(body) as SendMessage;
  const queue = queues[QueueUrl.split('/').at(-1) ?? ''];
  if (queue === undefined) {
    const known = Object.keys(queues).join(', ');
    return errorAnswer(400, 'com.amazonaws.sqs#QueueDoesNotExist', `No queue ${QueueUrl}. Known: ${known}.`);
  }
  const MessageId = queue.send(MessageBody, attributesOf(MessageAttributes), DelaySeconds * 1000);
  return json({ MessageId, MD5OfMessageBody: md5(MessageBody) });
}

function attributesOf(
  given: NonNullable<SendMessage['MessageAttributes']>,
): Readonly<Record<string, MessageAttribute>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, { DataType, StringValue = '' }]) => [
      name,
      { dataType: DataType, stringValue: StringValue },
    ]),
  );
}
