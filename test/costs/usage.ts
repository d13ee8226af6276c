import { prices } from './prices.ts';

/** What is paid for by use. */
export interface Usage {
  /** To DynamoDB; they cost by their units, and by the time that functions wait for them. */
  readonly requests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Months that a gigabyte is kept in the table. */
  readonly storedGbMonths: number;
  readonly invocations: number;
  readonly gbSeconds: number;
  /** Invocations by EventBridge Scheduler. */
  readonly alarms: number;
  /** Requests to SQS. */
  readonly queueRequests: number;
  readonly metricRequests: number;
  readonly logBytes: number;
}

/** In dollars. */
export interface Cost {
  readonly units: number;
  readonly storage: number;
  readonly lambda: number;
  readonly alarms: number;
  readonly queue: number;
  readonly metrics: number;
  readonly logs: number;
}

const bytesOfGb = 1e9;

export function costOf(usage: Usage): Cost {
  const { dynamoDb, lambda, scheduler, sqs, cloudWatch } = prices;
  return {
    units: usage.writeUnits * dynamoDb.writeUnit + usage.readUnits * dynamoDb.readUnit,
    storage: usage.storedGbMonths * (dynamoDb.storedGbMonth + dynamoDb.recoverableGbMonth),
    lambda: usage.invocations * lambda.request + usage.gbSeconds * lambda.gbSecond,
    alarms: usage.alarms * scheduler.invocation,
    queue: usage.queueRequests * sqs.request,
    metrics: usage.metricRequests * cloudWatch.putMetricData,
    logs: (usage.logBytes / bytesOfGb) * cloudWatch.loggedGb,
  };
}

export function total(cost: Cost): number {
  return Object.values(cost).reduce((sum: number, part: number) => sum + part, 0);
}

/** `a + factor × b`, of each part. */
export function plus(a: Usage, b: Usage, factor = 1): Usage {
  return {
    requests: a.requests + factor * b.requests,
    readUnits: a.readUnits + factor * b.readUnits,
    writeUnits: a.writeUnits + factor * b.writeUnits,
    storedGbMonths: a.storedGbMonths + factor * b.storedGbMonths,
    invocations: a.invocations + factor * b.invocations,
    gbSeconds: a.gbSeconds + factor * b.gbSeconds,
    alarms: a.alarms + factor * b.alarms,
    queueRequests: a.queueRequests + factor * b.queueRequests,
    metricRequests: a.metricRequests + factor * b.metricRequests,
    logBytes: a.logBytes + factor * b.logBytes,
  };
}
