/** Names and shapes that the deployed template and the code in it must agree on. Imports nothing. */

/** Environment variables of the deployed functions. */
export const env = {
  table: 'FIRELEDGER_TABLE',
  stage: 'FIRELEDGER_STAGE',
  controlQueueUrl: 'FIRELEDGER_CONTROL_QUEUE_URL',
  retentionDays: 'FIRELEDGER_RETENTION_DAYS',
} as const;

/** Of the reconciler alone: where letters for people go. */
export const noticesTopicEnv = 'FIRELEDGER_NOTICES_TOPIC_ARN';

/** The ledger's table. */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since the epoch; retention only, never a lease. */
  ttl: 'ttl',
  openIndex: { name: 'open', partitionKey: 'openShard', sortKey: 'attentionAt', shards: 8 },
} as const;

export function tableName(stage: string): string {
  return `fireledger-${stage}`;
}

export function controlQueueName(stage: string): string {
  return `fireledger-${stage}-control`;
}

/** Of the queue of the messages that failed too often on the control queue. */
export function unreadableQueueName(stage: string): string {
  return `fireledger-${stage}-unreadable`;
}

/** Every alert of a stage, by the name of its section in infra/RUNBOOK.md. In CloudWatch: `fireledger-<stage> <name>`. */
export const alertNames = {
  reconcilerSilent: 'reconciler silent',
  ledgerGap: 'ledger gap',
  runsFailing: 'runs failing',
  parkedRuns: 'parked runs',
  missedBeyondPolicy: 'missed beyond policy',
  oldestWaiter: 'oldest waiter',
  unreadableMessages: 'unreadable control messages',
  throttledTable: 'throttled table',
  undeliverableAlarms: 'undeliverable alarms',
} as const;
export type AlertName = (typeof alertNames)[keyof typeof alertNames];

/** What the deployed functions send to CloudWatch. Each has the stage as its one dimension, unless a job asks for its own. */
export const metrics = {
  namespace: 'fireledger',
  dimensions: { stage: 'stage', job: 'job' },
  /** One per sweep: the watchman's heartbeat. Its absence is an alert. */
  sweeps: 'Sweeps',
  /** Fires that the last sweep found due, past their grace, and could not record. */
  ledgerGap: 'LedgerGap',
  /** Seconds since the instant up to which every fire has its record. */
  unaccountedSeconds: 'UnaccountedSeconds',
  /** Attempts that ended with their lease. */
  crashed: 'Crashed',
  /** Waiting runs that were started. */
  admitted: 'Admitted',
  missed: 'Missed',
  /** Of the missed: those that their job wants made up, and its bounds forbid. Sent only when there are any. */
  missedBeyondPolicy: 'MissedBeyondPolicy',
  /** Runs that wait for a person, as of the last sweep. */
  parkedNow: 'ParkedNow',
  /** How long the run has waited that has waited longest for its slot or its pools, as the last sweep found it. */
  oldestWaitSeconds: 'OldestWaitSeconds',
  /** Alarms that EventBridge Scheduler gave up on; sent only when there are any. */
  undeliverable: 'Undeliverable',
  /** Fires ahead that a new release of the time zone database moves; sent only when there are any. */
  movedFires: 'MovedFires',
  succeeded: 'Succeeded',
  /** For good: attempts that are followed by another don't count. */
  failed: 'Failed',
  canceled: 'Canceled',
  skipped: 'Skipped',
  duplicates: 'Duplicates',
  strays: 'Strays',
  latenessMs: 'LatenessMs',
  /** Of job code: user and system time together, and time by the clock. */
  cpuMs: 'CpuMs',
  wallMs: 'WallMs',
  /** For pools, before the attempt; sent only when it waited. */
  waitedMs: 'WaitedMs',
} as const;

/** EventBridge Scheduler replaces these inside the quotes of a schedule's input. An emulator may leave them as they are. */
export const schedulerContext = {
  scheduledTime: '<aws.scheduler.scheduled-time>',
  attemptNumber: '<aws.scheduler.attempt-number>',
} as const;

/** What an alarm sends to its job's function. */
export interface AlarmPayload {
  readonly fireledger: 'alarm';
  readonly jobId: string;
  readonly scheduledTime: string;
  readonly attemptNumber: string;
}

/** What the reconciler sends to a job's function to start an offer. */
export interface OfferPayload {
  readonly fireledger: 'offer';
  readonly jobId: string;
  /** The run's key. */
  readonly run: string;
  readonly token: string;
  /** The number that the attempt which takes the offer will have. */
  readonly attempt: number;
}

/** What EventBridge Scheduler sends to the reconciler every minute. */
export interface SweepPayload {
  readonly fireledger: 'sweep';
}

/** What anybody puts on the control queue to have the reconciler look now. */
export interface NudgeMessage {
  readonly fireledger: 'nudge';
  readonly why: string;
}

/**
 * What an attempt puts on the control queue when people are to be told of its run. Which run, and nothing else: what they are
 * told, the reconciler takes from the record.
 */
export interface NoticeMessage {
  readonly fireledger: 'notice';
  readonly jobId: string;
  /** The run's key. */
  readonly run: string;
}

export function alarmPayload(jobId: string): AlarmPayload {
  return { fireledger: 'alarm', jobId, ...schedulerContext };
}

/** Of a run that was offered with this token, after so many attempts. */
export function offerPayload({
  jobId,
  key,
  token,
  attempts,
}: {
  readonly jobId: string;
  readonly key: string;
  readonly token: string;
  readonly attempts: readonly unknown[];
}): OfferPayload {
  return { fireledger: 'offer', jobId, run: key, token, attempt: attempts.length + 1 };
}

/** Between a job's own timeout and the moment at which Lambda kills its process. */
export const killMarginMs = 30_000;
/** Lambda's longest timeout is 15 minutes; a job's is that less the margin. */
export const longestTimeoutMs = 900_000 - killMarginMs;
