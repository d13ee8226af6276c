import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Alarm } from '../../functions/domain/schedule/index.ts';
import { alarmGroupName, stageArns } from '../names.ts';

/** Bounded by the event age, which runs out first. */
const retries = 10;

export interface AlarmScheduleProps {
  readonly stage: string;
  /** Its name in the stage's group. */
  readonly name: string;
  readonly alarm: Alarm;
  readonly functionArn: string;
  readonly payload: object;
  /** How late it may still poke, 60,000 to 86,400,000. */
  readonly eventAgeMs: number;
}

/**
 * An EventBridge schedule that pokes a function. Not the CDK's own `Schedule`: that writes one role per function and
 * labels UTC digits of `at()` with the zone. What can't be delivered becomes a control message.
 */
export class AlarmSchedule extends CfnSchedule {
  constructor(scope: Construct, id: string, props: AlarmScheduleProps) {
    const arns = stageArns(Stack.of(scope), props.stage);
    super(scope, id, {
      name: props.name,
      groupName: alarmGroupName(props.stage),
      scheduleExpression: props.alarm.expression,
      scheduleExpressionTimezone: props.alarm.timezone,
      flexibleTimeWindow: { mode: 'OFF' },
      state: 'ENABLED',
      target: {
        arn: props.functionArn,
        roleArn: arns.alarmRole,
        // EventBridge replaces <aws.scheduler.…> in this text, so it must stay as it is written.
        input: JSON.stringify(props.payload),
        retryPolicy: {
          maximumRetryAttempts: retries,
          maximumEventAgeInSeconds: Math.ceil(props.eventAgeMs / 1_000),
        },
        deadLetterConfig: { arn: arns.controlQueue },
      },
    });
  }
}
