import { second } from '../domain/time.ts';
import type { Io } from './io.ts';
import type { OpenLedger } from './open-ledger.ts';
import type { Queues } from './queues.ts';

/** A person waits for no more than a hint. */
const patienceMs = 2 * second;

/** Has the reconciler look now, where it can be reached from here; else its next sweep comes within a minute. Never rejects. */
export async function nudgeReconciler(
  { queues }: Pick<OpenLedger, 'queues'>,
  why: string,
  io: Pick<Io, 'warn' | 'sleep'>,
): Promise<void> {
  if (queues === undefined) return;
  // Of a deployed stage a person need not have the right to; and in a minute it is as if it had been.
  const isTold = queues.endpoint !== undefined;
  const warn = (message: string) => void (isTold && io.warn(`${message}\n`));
  const sent = send(queues, why, warn).catch(() =>
    warn('a nudge was lost; the next sweep comes within a minute'),
  );
  const answered = new AbortController();
  await Promise.race([sent, io.sleep(patienceMs, answered.signal)]);
  answered.abort();
}

async function send(queues: Queues, why: string, warn: (message: string) => void): Promise<void> {
  // Only here: most commands need no queue, and start faster without the SDK.
  const [{ sqsNudger }, { queueUrl, sqsConfig }] = await Promise.all([
    import('../handlers/sqs-nudger.ts'),
    import('./queues.ts'),
  ]);
  const url = await queueUrl(queues, queues.control);
  await sqsNudger(url, { warn, error: warn }, sqsConfig(queues)).nudge(why);
}
