import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../domain/manifest.ts';
import { type QueuedMessage, takeNotes } from '../reconciler/control.ts';
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

/** What the reconciler's function answers: which messages it could take no note of, and what its sweep did. */
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
    // One that no note could be taken of goes back to the queue, and after some tries to the queue of unreadable ones.
    const left = await takeNotes(ports, records.map(queuedMessage));
    // Messages that come later must not wait for a sweep that waits.
    const patient = records.length === 0;
    const remainingMs = () => context.getRemainingTimeInMillis();
    return {
      batchItemFailures: left.map((itemIdentifier) => ({ itemIdentifier })),
      sweep: await sweep(ports, manifest, { compiled, remainingMs, patient }),
    };
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
