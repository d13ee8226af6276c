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

export const metrics = {
  namespace: 'fireledger',
  /** One per sweep: the watchman's heartbeat. Its absence is an alert. */
  sweeps: 'Sweeps',
  /** Fires that the last sweep found due, past their grace, and could not record. */
  ledgerGap: 'LedgerGap',
  /** Seconds since the instant up to which every fire has its record. */
  unaccountedSeconds: 'UnaccountedSeconds',
  crashed: 'Crashed',
  backfilled: 'Backfilled',
  missed: 'Missed',
  parked: 'Parked',
  /** Fires ahead that a new release of the time zone database moves; sent only when there are any. */
  movedFires: 'MovedFires',
  succeeded: 'Succeeded',
  failed: 'Failed',
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
