import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { noticesTopicEnv, type SweepPayload } from '../../functions/contract.ts';
import { reconcilerName } from '../../functions/domain/names.ts';
import type { Alarm } from '../../functions/domain/schedule/index.ts';
import { stageArns } from '../names.ts';
import type { Stage } from '../stage.ts';
import { reconcilerAccess, reconcilerWildcards } from './access.ts';
import { AlarmSchedule } from './alarm-schedule.ts';
import { LedgerFunction } from './ledger-function.ts';
import type { NoticesTopic } from './notices-topic.ts';

export const reconcilerTimeout = Duration.seconds(60);
const minutely: Alarm = { expression: 'cron(* * * * ? *)', timezone: 'UTC' };
const sweep: SweepPayload = { fireledger: 'sweep' };
const minuteMs = 60_000;

export interface ReconcilerProps {
  readonly stage: Stage;
  /** A folder with index.js. */
  readonly bundleDir: string;
  readonly controlMessages: Queue;
  readonly notices: NoticesTopic;
}

/** The function that sweeps every minute and whenever a control message arrives. */
export class Reconciler extends Construct {
  /** Sweeps begin when it exists. */
  readonly everyMinute: AlarmSchedule;

  constructor(scope: Construct, id: string, { stage, bundleDir, controlMessages, notices }: ReconcilerProps) {
    super(scope, id);
    const arns = stageArns(Stack.of(this), stage.name);
    const { arn, lambda } = new LedgerFunction(this, 'Sweeper', {
      stage,
      bundleDir,
      name: reconcilerName(stage.name),
      description: `Finds what alarms and functions of stage ${stage.name} left undone`,
      timeout: reconcilerTimeout,
      memoryMb: 512,
      environment: { [noticesTopicEnv]: notices.topicArn },
      access: [...reconcilerAccess(arns), ...notices.publishing()],
      wildcards: reconcilerWildcards(arns),
      // A sweep that is a minute late is the next one; nobody needs to hear of it but through the heartbeat.
      eventAge: Duration.minutes(1),
    });
    lambda.addEventSourceMapping('ControlMessages', {
      eventSourceArn: controlMessages.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: 2,
    });
    this.everyMinute = new AlarmSchedule(this, 'EveryMinute', {
      stage: stage.name,
      name: '_sweep',
      alarm: minutely,
      functionArn: arn,
      payload: sweep,
      eventAgeMs: minuteMs,
    });
  }
}
