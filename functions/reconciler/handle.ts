import type { Manifest } from '../domain/manifest.ts';
import { type QueuedMessage, takeNotes } from './control.ts';
import type { ReconcilerPorts, SweepCounts } from './ports.ts';
import { type SweepOptions, sweep } from './sweep.ts';

/** What of an SQS event's record is used. */
interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
  readonly messageAttributes?: Readonly<Record<string, { readonly stringValue?: string }>>;
}

/** What the reconciler's function answers: which messages it could take no note of, and what its sweep did. */
export interface Reconciled {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
  readonly sweep: SweepCounts | null;
}

/**
 * One invocation of the reconciler: each minute, and for messages on the control queue. It takes note of each message,
 * then sweeps.
 *
 * @throws when a sweep could not read what it needs; the next one looks again
 */
export async function handleReconcile(
  event: unknown,
  manifest: Manifest,
  { compiled, remainingMs, ports }: Omit<SweepOptions, 'patient'> & { ports: ReconcilerPorts },
): Promise<Reconciled> {
  const records = recordsOf(event);
  // One that no note could be taken of goes back to the queue, and after some tries to the queue of unreadable ones.
  const left = await takeNotes(ports, records.map(queuedMessage));
  // Messages that come later must not wait for a sweep that waits.
  const patient = records.length === 0;
  return {
    batchItemFailures: left.map((itemIdentifier) => ({ itemIdentifier })),
    sweep: await sweep(ports, manifest, { compiled, remainingMs, patient }),
  };
}

function queuedMessage({ messageId, body, messageAttributes = {} }: QueueRecord): QueuedMessage {
  const attributes = Object.entries(messageAttributes).map(([name, { stringValue = '' }]) => [
    name,
    stringValue,
  ]);
  return { id: messageId, body, attributes: Object.fromEntries(attributes) };
}

function recordsOf(event: unknown): readonly QueueRecord[] {
  if (typeof event !== 'object' || event === null || !('Records' in event)) return [];
  return Array.isArray(event.Records) ? event.Records : [];
}
