import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { second } from '../domain/time.ts';
import type { Notifier } from '../reconciler/ports.ts';

/** A turn waits for it, under its lease. */
const longestMs = 4 * second;

/** Sends notices through the stage's topic, to whoever has subscribed to it. `patienceMs`: for one of them, retries included. */
export function snsNotifier(topicArn: string, patienceMs = longestMs): Notifier {
  const client = new SNSClient({ maxAttempts: 2 });
  return {
    async notify({ subject, text }) {
      const abortSignal = AbortSignal.timeout(patienceMs);
      await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: text }), {
        abortSignal,
      });
    },
  };
}
