import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Aws, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { alarmGroupName, alarmRoleName, stageArns } from '../names.ts';
import { stageFunctions } from './access.ts';
import { explainWildcards } from './explain-wildcards.ts';

/** The group of a stage's alarms, and the one role by which all of them poke functions and leave dead letters. */
export class AlarmGroup extends Construct {
  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id);
    const arns = stageArns(Stack.of(this), stage);
    new CfnScheduleGroup(this, 'Group', { name: alarmGroupName(stage) });
    const role = new Role(this, 'Role', {
      roleName: alarmRoleName(stage),
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID, 'aws:SourceArn': arns.alarmGroup },
        },
      }),
      inlinePolicies: {
        fireledger: new PolicyDocument({
          statements: [
            new PolicyStatement({
              sid: 'Poke',
              actions: ['lambda:InvokeFunction'],
              resources: [arns.functions],
            }),
            new PolicyStatement({
              sid: 'DeadLetter',
              actions: ['sqs:SendMessage'],
              resources: [arns.controlQueue],
            }),
          ],
        }),
      },
    });
    explainWildcards(role, { [`Resource::${arns.functions}`]: stageFunctions });
  }
}
