import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { alarmPayload, killMarginMs } from '../../functions/contract.ts';
import type { JobEntry } from '../../functions/domain/manifest.ts';
import { alarmName, functionName } from '../../functions/domain/names.ts';
import { eventAgeMs } from '../../functions/domain/offer.ts';
import { compileAlarms } from '../../functions/domain/schedule/index.ts';
import { stageArns } from '../names.ts';
import { type Stage, vpcOf } from '../stage.ts';
import { jobAccess, jobWildcards } from './access.ts';
import { AlarmSchedule } from './alarm-schedule.ts';
import { LedgerFunction } from './ledger-function.ts';

export interface JobFunctionProps {
  readonly stage: Stage;
  readonly job: JobEntry;
  /** The number of its stack: part of its names, so that it can't collide with itself while it moves. */
  readonly stack: number;
  /** A folder with index.js. */
  readonly bundleDir: string;
}

/** A deployed job: its function, and the alarms that poke it. Four resources and one more per alarm. */
export class JobFunction extends Construct {
  constructor(scope: Construct, { stage, job, stack, bundleDir }: JobFunctionProps) {
    super(scope, job.id.replaceAll('/', '_'));
    const arns = stageArns(Stack.of(this), stage.name);
    const eventAge = eventAgeMs(job.graceMs);
    const { arn } = new LedgerFunction(this, 'Job', {
      stage,
      bundleDir,
      name: functionName(stage.name, job.id, stack),
      description: `${job.id}: ${job.description}`.slice(0, longestDescription),
      timeout: Duration.millis(job.timeoutMs + killMarginMs),
      memoryMb: job.memoryMb,
      environment: job.environment,
      access: jobAccess(arns, job, stage.name),
      wildcards: jobWildcards(job, stage.name),
      eventAge: Duration.millis(eventAge),
      vpc: vpcOf(stage, job),
      failureQueueArn: arns.controlQueue,
    });
    for (const [index, alarm] of compileAlarms(job.spec).alarms.entries())
      new AlarmSchedule(this, `Alarm${index + 1}`, {
        stage: stage.name,
        name: alarmName(job.id, stack, index + 1),
        alarm,
        functionArn: arn,
        payload: alarmPayload(job.id),
        eventAgeMs: eventAge,
      });
  }
}

const longestDescription = 256;
