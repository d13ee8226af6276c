import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { NudgeMessage } from '../contract.ts';
import type { Log, Nudger } from '../domain/ports.ts';
import { impatient } from './impatient.ts';

/** Nudges through the control queue. One that fails is logged: the reconciler looks by itself within a minute. */
export function sqsNudger(controlQueueUrl: string, log: Log): Nudger {
  const client = new SQSClient({ maxAttempts: 2, requestHandler: impatient });
  return {
    async nudge(why, delaySeconds = 0) {
      const message: NudgeMessage = { fireledger: 'nudge', why };
      try {
        await client.send(
          new SendMessageCommand({
            QueueUrl: controlQueueUrl,
            MessageBody: JSON.stringify(message),
            DelaySeconds: delaySeconds,
          }),
        );
      } catch (error) {
        log.warn('a nudge was lost; the next sweep comes within a minute', { why, error });
      }
    },
  };
}
