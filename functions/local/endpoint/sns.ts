import { randomUUID } from 'node:crypto';
import type { Answer } from './answer.ts';

/** What was published. */
export interface Published {
  readonly topicArn: string;
  /** Empty when there is none. */
  readonly subject: string;
  readonly message: string;
}

export type OnPublish = (published: Published) => void;

/** SNS Publish, in the query protocol. */
export function publish(onPublish: OnPublish, form: URLSearchParams): Answer {
  onPublish({
    topicArn: form.get('TopicArn') ?? '',
    subject: form.get('Subject') ?? '',
    message: form.get('Message') ?? '',
  });
  const result = `<PublishResult><MessageId>${randomUUID()}</MessageId></PublishResult>`;
  const meta = `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  const body = `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">${result}${meta}</PublishResponse>`;
  return { status: 200, type: 'text/xml', body };
}
