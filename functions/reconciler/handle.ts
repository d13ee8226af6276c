import type { Manifest } from '../domain/manifest.ts';
import { type QueuedMessage, takeNotes } from './control.ts';
import { NoticeBoard } from './notice-board.ts';
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

/** A turn lasts seconds. */
const announceAgainSeconds = 10;

/**
 * One invocation of the reconciler: each minute, and for messages on the control queue. It takes note of each message,
 * then sweeps.
 *
 * @throws when a sweep could not read what it needs; the next one looks again
 */
export async function handleReconcile(
  event: unknown,
  manifest: Manifest,
  { compiled, remainingMs, ports }: Omit<SweepOptions, 'patient' | 'board'> & { ports: ReconcilerPorts },
): Promise<Reconciled> {
  const records = recordsOf(event);
  const board = new NoticeBoard();
  // One that no note could be taken of goes back to the queue, and after some tries to the queue of unreadable ones.
  const { left, undeliverable } = await takeNotes(ports, records.map(queuedMessage), board);
  // Told now: this sweep may find another one at it, and then reports nothing.
  if (undeliverable > 0) await ports.metrics.undeliverable(undeliverable);
  // Messages that come later must not wait for a sweep that waits.
  const patient = records.length === 0;
  const counts = await sweep(ports, manifest, { compiled, remainingMs, patient, board });
  // Another sweep is at it, which knows nothing of them.
  for (const run of board.ended) await ports.nudger.announce(run, announceAgainSeconds);
  return { batchItemFailures: left.map((itemIdentifier) => ({ itemIdentifier })), sweep: counts };
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
