/**
 * What AWS asks in us-east-1, in US dollars: without what is free each month, without discounts, without taxes. Of the day
 * below, from the pages that are named, or from what others cite of them in 2026. When a price changes: change it here and
 * the day with it, then run `npm run costs`.
 */
export const prices = {
  region: 'us-east-1',
  asOf: '2026-12-01',
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/, standard tables */
  dynamoDb: {
    writeUnit: 0.625e-6,
    readUnit: 0.125e-6,
    storedGbMonth: 0.25,
    /** Of the continuous backups, by the size of the table. */
    recoverableGbMonth: 0.2,
  },
  /** https://aws.amazon.com/lambda/pricing/, arm64 */
  lambda: { request: 0.2e-6, gbSecond: 0.0000133334 },
  /** https://aws.amazon.com/eventbridge/pricing/ */
  scheduler: { invocation: 1e-6 },
  /** https://aws.amazon.com/sqs/pricing/, standard queues */
  sqs: { request: 0.4e-6 },
  /** https://aws.amazon.com/cloudwatch/pricing/ */
  cloudWatch: {
    loggedGb: 0.5,
    metricMonth: 0.3,
    /** For each metric that it looks at. */
    alarmMetricMonth: 0.1,
    dashboardMonth: 3,
    putMetricData: 0.01e-3,
  },
  /** https://aws.amazon.com/kms/pricing/ */
  kms: { keyMonth: 1 },
} as const;

/** What is priced and can't be measured without an account. */
export const assumed = {
  /** How long a function waits for each request to DynamoDB, as if there were never two at once. */
  requestMs: 10,
  /** What else it needs for an invocation; a sweep also looks through the jobs. */
  invocationMs: 10,
  sweptJobMs: 1,
  /** The lines that Lambda itself writes of an invocation. */
  lambdaLinesBytes: 400,
  /** Lambda asks a queue with nothing in it for messages: 5 at a time, each for 20 seconds. */
  pollsPerMinute: 15,
} as const;

/** A month of 730 hours, as AWS's own calculator has it. */
export const monthHours = 730;
export const monthMinutes = monthHours * 60;
export const monthDays = monthHours / 24;
