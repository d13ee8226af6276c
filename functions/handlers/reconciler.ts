import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../domain/manifest.ts';
import { handleReconcile, type Reconciled } from '../reconciler/handle.ts';
import { compileOnce } from '../reconciler/observe.ts';
import type { ReconcilerPorts } from '../reconciler/ports.ts';
import { dynamoLedger, ledgerClient } from '../store/dynamodb/index.ts';
import { cloudWatchMetrics } from './cloudwatch-metrics.ts';
import { type Environment, noticesTopicArn, readEnvironment } from './environment.ts';
import type { LambdaContext } from './job.ts';
import { lambdaInvoker } from './lambda-invoker.ts';
import { drawToken } from './machine.ts';
import { powertoolsLog } from './powertools.ts';
import { snsNotifier } from './sns-notifier.ts';
import { sqsNudger } from './sqs-nudger.ts';

/**
 * The Lambda handler of the reconciler: called each minute, and for messages on the control queue. The manifest is part of its bundle.
 *
 * @throws at init when the environment lacks what the template sets
 */
export function reconcilerHandler(
  manifest: Manifest,
): (event: unknown, context: LambdaContext) => Promise<Reconciled> {
  const ports = deployedPorts(readEnvironment(process.env), {
    topicArn: noticesTopicArn(process.env),
    jobStacks: manifest.jobStacks ?? 1,
  });
  const compiled = compileOnce();
  return (event, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis();
    return handleReconcile(event, manifest, { compiled, remainingMs, ports });
  };
}

function deployedPorts(
  { table, stage, controlQueueUrl, retentionMs }: Environment,
  { topicArn, jobStacks }: { topicArn: string; jobStacks: number },
): ReconcilerPorts {
  const log = powertoolsLog(stage);
  return {
    ledger: dynamoLedger({ client: ledgerClient(), table, retentionMs }),
    clock: Date.now,
    loadedAt: Date.now(),
    sleep: (ms) => delay(ms),
    drawToken,
    invoker: lambdaInvoker(stage, jobStacks),
    nudger: sqsNudger(controlQueueUrl, log),
    notifier: snsNotifier(topicArn),
    stage,
    log,
    metrics: cloudWatchMetrics(stage, log),
    tzdata: process.versions.tz ?? 'unknown',
  };
}
