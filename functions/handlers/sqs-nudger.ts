import { SendMessageCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import type { NoticeMessage, NudgeMessage } from '../contract.ts';
import { runId } from '../domain/names.ts';
import type { Log, Nudger } from '../domain/ports.ts';
import { impatient } from './impatient.ts';

/**
 * Speaks to the reconciler through the control queue. What fails is logged: it looks by itself within a minute. `as`: by
 * default as the environment says.
 */
export function sqsNudger(
  controlQueueUrl: string,
  log: Pick<Log, 'warn' | 'error'>,
  as: Pick<SQSClientConfig, 'region' | 'credentials' | 'endpoint'> = {},
): Nudger {
  const client = new SQSClient({
    ...as,
    // Else AWS_ENDPOINT_URL would mean nothing beside the URL, which the template writes as AWS's own.
    useQueueUrlAsEndpoint: false,
    maxAttempts: 2,
    requestHandler: impatient,
  });
  const send = (message: NudgeMessage | NoticeMessage, delaySeconds: number) =>
    client.send(
      new SendMessageCommand({
        QueueUrl: controlQueueUrl,
        MessageBody: JSON.stringify(message),
        DelaySeconds: delaySeconds,
      }),
    );
  return {
    async nudge(why, delaySeconds = 0) {
      try {
        await send({ fireledger: 'nudge', why }, delaySeconds);
      } catch (error) {
        log.warn('a nudge was lost; the next sweep comes within a minute', { why, error });
      }
    },
    async announce(ended, delaySeconds = 0) {
      try {
        await send({ fireledger: 'notice', jobId: ended.jobId, run: ended.key }, delaySeconds);
      } catch (error) {
        log.error('nobody will be told of a run but by the ledger', { run: runId(ended), error });
      }
    },
  };
}
