import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../domain/manifest.ts';
import { readControlMessage, takeNote } from '../reconciler/control.ts';
import { compileOnce } from '../reconciler/observe.ts';
import type { ReconcilerPorts, SweepCounts } from '../reconciler/ports.ts';
import { sweep } from '../reconciler/sweep.ts';
import { dynamoLedger, ledgerClient } from '../store/dynamodb/index.ts';
import { cloudWatchMetrics } from './cloudwatch-metrics.ts';
import { type Environment, readEnvironment } from './environment.ts';
import type { LambdaContext } from './job.ts';
import { lambdaInvoker } from './lambda-invoker.ts';
import { drawToken } from './machine.ts';
import { powertoolsLog } from './powertools.ts';
import { sqsNudger } from './sqs-nudger.ts';

/** What of an SQS event's record is used. */
interface QueueRecord {
  readonly messageId: string;
  readonly body: string;
  readonly messageAttributes?: Readonly<Record<string, { readonly stringValue?: string }>>;
}

/** What the reconciler's function answers: which messages it could not read, and what its sweep did. */
export interface Reconciled {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
  readonly sweep: SweepCounts | null;
}

/**
 * The Lambda handler of the reconciler: called each minute, and for messages on the control queue. The manifest is part of its bundle.
 *
 * @throws at init when the environment lacks what the template sets
 */
export function reconcilerHandler(
  manifest: Manifest,
): (event: unknown, context: LambdaContext) => Promise<Reconciled> {
  const ports = deployedPorts(readEnvironment(process.env));
  const compiled = compileOnce();
  return async (event, context) => {
    const records = recordsOf(event);
    const batchItemFailures = await readMessages(ports, records);
    // Messages that come later must not wait for a sweep that waits.
    const patient = records.length === 0;
    const remainingMs = () => context.getRemainingTimeInMillis();
    return { batchItemFailures, sweep: await sweep(ports, manifest, { compiled, remainingMs, patient }) };
  };
}

/** A message that can't be read goes back to the queue, and after some tries to the queue of unreadable ones. */
async function readMessages(ports: ReconcilerPorts, records: readonly QueueRecord[]) {
  const unread: { itemIdentifier: string }[] = [];
  for (const { messageId, body, messageAttributes = {} } of records) {
    const attributes = Object.fromEntries(
      Object.entries(messageAttributes).map(([name, { stringValue = '' }]) => [name, stringValue]),
    );
    const message = readControlMessage(body, attributes);
    if (message !== null) await takeNote(ports, message);
    else {
      ports.log.error('a control message can not be read', { messageId, bytes: body.length });
      unread.push({ itemIdentifier: messageId });
    }
  }
  return unread;
}

function recordsOf(event: unknown): readonly QueueRecord[] {
  if (typeof event !== 'object' || event === null || !('Records' in event)) return [];
  return Array.isArray(event.Records) ? event.Records : [];
}

function deployedPorts({ table, stage, controlQueueUrl, retentionMs }: Environment): ReconcilerPorts {
  const log = powertoolsLog(stage);
  return {
    ledger: dynamoLedger({ client: ledgerClient(), table, retentionMs }),
    clock: Date.now,
    sleep: (ms) => delay(ms),
    drawToken,
    invoker: lambdaInvoker(stage),
    nudger: sqsNudger(controlQueueUrl, log),
    log,
    metrics: cloudWatchMetrics(stage, log),
    tzdata: process.versions.tz ?? 'unknown',
  };
}
