import { type MessageAttribute, md5, type Queue, queueArn, unreadableNameOf } from '../queue.ts';
import { type Answer, errorAnswer, json } from './answer.ts';

/** By name. */
type Queues = Readonly<Record<string, Queue>>;

/** SQS's actions, by the last part of the request's target. `origin`: where whoever asks has found them. */
export const sqsActions: Readonly<Record<string, (queues: Queues, body: string, origin: string) => Answer>> =
  {
    SendMessage: sendMessage,
    GetQueueUrl: getQueueUrl,
    GetQueueAttributes: getQueueAttributes,
    StartMessageMoveTask: startMessageMoveTask,
  };

interface SendMessage {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
  readonly MessageAttributes?: Readonly<Record<string, { DataType: string; StringValue?: string }>>;
}

/** A queue is known by the last part of its URL. */
function sendMessage(queues: Queues, body: string): Answer {
  const { QueueUrl, MessageBody, DelaySeconds = 0, MessageAttributes = {} } = JSON.parse(body) as SendMessage;
  const queue = queues[lastPart(QueueUrl)];
  if (queue === undefined) return noQueue(queues, QueueUrl);
  const MessageId = queue.send(MessageBody, attributesOf(MessageAttributes), DelaySeconds * 1000);
  return json({ MessageId, MD5OfMessageBody: md5(MessageBody) });
}

function getQueueUrl(queues: Queues, body: string, origin: string): Answer {
  const { QueueName } = JSON.parse(body) as { QueueName: string };
  if (sizeOf(queues, QueueName) === null) return noQueue(queues, QueueName);
  return json({ QueueUrl: `${origin}/000000000000/${QueueName}` });
}

/** All that are known, whichever are asked for. */
function getQueueAttributes(queues: Queues, body: string): Answer {
  const { QueueUrl } = JSON.parse(body) as { QueueUrl: string };
  const name = lastPart(QueueUrl);
  const size = sizeOf(queues, name);
  if (size === null) return noQueue(queues, QueueUrl);
  return json({ Attributes: { QueueArn: queueArn(name), ApproximateNumberOfMessages: String(size) } });
}

/** Only from a second queue to its own, and all at once. */
function startMessageMoveTask(queues: Queues, body: string): Answer {
  const { SourceArn } = JSON.parse(body) as { SourceArn: string };
  const source = Object.keys(queues).find((name) => queueArn(unreadableNameOf(name)) === SourceArn);
  const queue = queues[source ?? ''];
  if (queue === undefined) return noQueue(queues, SourceArn);
  queue.redrive();
  return json({ TaskHandle: Buffer.from(SourceArn).toString('base64') });
}

/** How many messages lie on a queue or a second one; null: there is none of this name. */
function sizeOf(queues: Queues, name: string): number | null {
  const first = Object.keys(queues).find((one) => unreadableNameOf(one) === name);
  const unreadable = first === undefined ? undefined : queues[first]?.unreadable.length;
  return unreadable ?? queues[name]?.size ?? null;
}

function lastPart(url: string): string {
  return url.split('/').at(-1) ?? '';
}

function noQueue(queues: Queues, asked: string): Answer {
  const known = Object.keys(queues).join(', ');
  return errorAnswer(400, 'com.amazonaws.sqs#QueueDoesNotExist', `No queue ${asked}. Known: ${known}.`);
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
