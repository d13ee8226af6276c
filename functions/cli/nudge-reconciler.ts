import type { Io } from './io.ts';
import type { OpenLedger } from './open-ledger.ts';

/** Has the reconciler look now, where it can be reached from here; else its next sweep comes within a minute. */
export async function nudgeReconciler(
  { controlQueueUrl }: Pick<OpenLedger, 'controlQueueUrl'>,
  why: string,
  io: Pick<Io, 'warn'>,
): Promise<void> {
  if (controlQueueUrl === undefined) return;
  // Only here: most commands need no queue, and start faster without the SDK.
  const [{ sqsNudger }, { embedded }] = await Promise.all([
    import('../handlers/sqs-nudger.ts'),
    import('../store/dynamodb/client.ts'),
  ]);
  const warn = (message: string) => io.warn(`${message}\n`);
  const local = { ...embedded, endpoint: new URL(controlQueueUrl).origin };
  await sqsNudger(controlQueueUrl, { warn, error: warn }, local).nudge(why);
}
