import type { ManifestJob } from '../domain/manifest.ts';
import type { Job } from '../job.ts';
import { loadJob } from '../runtime/load.ts';
import type { Ports } from '../runtime/ports.ts';
import { type Handled, handleEvent } from '../runtime/runtime.ts';
import { openSecrets, type SecretsOptions } from '../runtime/secrets.ts';
import { dynamoLedger, ledgerClient } from '../store/dynamodb/index.ts';
import { countedDynamo } from './counted-dynamo.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { after, drawToken } from './machine.ts';
import { powertoolsLog, powertoolsMetrics } from './powertools.ts';
import { processFaults } from './process-faults.ts';
import { processMeter } from './process-meter.ts';
import { sqsNudger } from './sqs-nudger.ts';

/** What of Lambda's context is used. */
export interface LambdaContext {
  readonly awsRequestId: string;
  getRemainingTimeInMillis(): number;
}

/**
 * The Lambda handler of a job. Clients are made once per sandbox, here. `readers`: of the services in which the job has
 * secrets, so that no other bundle has their clients.
 *
 * @throws at init when the environment lacks what the template sets
 */
export function jobHandler<Input>(
  entry: ManifestJob,
  job: Job<Input>,
  readers: SecretsOptions['readers'] = {},
): (event: unknown, context: LambdaContext) => Promise<Handled> {
  const loaded = loadJob(entry, job);
  const environment = readEnvironment(process.env);
  const secrets = openSecrets({
    declared: entry.secrets,
    stage: environment.stage,
    readers,
    clock: Date.now,
  });
  const ports = { ...deployedPorts(environment, entry), secrets };
  return (event, context) => {
    const invocation = {
      requestId: context.awsRequestId,
      remainingMs: () => context.getRemainingTimeInMillis(),
    };
    return handleEvent(event, invocation, loaded, ports);
  };
}

function deployedPorts(
  { table, stage, controlQueueUrl, retentionMs }: Environment,
  { id, metrics }: ManifestJob,
): Omit<Ports, 'secrets'> {
  const log = powertoolsLog(stage);
  const dynamo = countedDynamo();
  return {
    ledger: dynamoLedger({ client: ledgerClient(), table, retentionMs }),
    clock: Date.now,
    after,
    random: Math.random,
    drawToken,
    nudger: sqsNudger(controlQueueUrl, log),
    log,
    metrics: powertoolsMetrics(stage, metrics && id),
    faults: processFaults,
    meter: processMeter(dynamo.used),
    dynamo: dynamo.client,
    exit: (code) => process.exit(code),
    pid: process.pid,
  };
}
