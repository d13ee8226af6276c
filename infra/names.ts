import type { Stack } from 'aws-cdk-lib/core';
import { ArnFormat, Aws } from 'aws-cdk-lib/core';
import { controlQueueName, table, tableName } from '../functions/contract.ts';
import { logGroupName } from '../functions/domain/names.ts';

/**
 * What a stage's resources are called. Stacks know each other's resources by these names alone, never by an export, so
 * that no stack locks another's.
 */
export function stackName(stage: string, part: 'ledger' | 'example' | 'network' | `jobs-${number}`): string {
  return `fireledger-${stage}-${part}`;
}

export function noticesTopicName(stage: string): string {
  return `fireledger-${stage}-notices`;
}

/** The one group of a stage's alarms: a schedule can't move between groups, so this never changes. */
export function alarmGroupName(stage: string): string {
  return `fireledger-${stage}`;
}

/** Roles are global to an account, so the region is part of the name. */
export function alarmRoleName(stage: string): string {
  return `fireledger-${stage}-alarms-${Aws.REGION}`;
}

/** Dashboards are an account's as well. */
export function dashboardName(stage: string): string {
  return `fireledger-${stage}-${Aws.REGION}`;
}

/** ARNs of a stage's resources as seen from any of its stacks: of the same account and region. */
export function stageArns(stack: Stack, stage: string) {
  const arn = (service: string, resource: string, resourceName: string) =>
    stack.formatArn({ service, resource, resourceName });
  const ledger = arn('dynamodb', 'table', tableName(stage));
  return {
    ledger,
    openRuns: `${ledger}/index/${table.openIndex.name}`,
    controlQueue: stack.formatArn({ service: 'sqs', resource: controlQueueName(stage) }),
    alarmRole: stack.formatArn({
      service: 'iam',
      region: '',
      resource: 'role',
      resourceName: alarmRoleName(stage),
    }),
    alarmGroup: arn('scheduler', 'schedule-group', alarmGroupName(stage)),
    /** Every function of the stage, and of no other: a stage's name has no `-`. */
    functions: functionArn(stack, `fireledger-${stage}-*`),
    /** Of Secrets Manager, which adds a hyphen and six characters to the name. */
    secret: (name: string) =>
      stack.formatArn({
        service: 'secretsmanager',
        resource: 'secret',
        resourceName: `${name}-??????`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    /** Of Parameter Store, by a name that begins with `/`. */
    parameter: (name: string) => stack.formatArn({ service: 'ssm', resource: `parameter${name}` }),
  };
}

export type StageArns = ReturnType<typeof stageArns>;

export function functionArn(stack: Stack, name: string): string {
  return stack.formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: name,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** The streams of a function's log group. */
export function logStreamsArn(stack: Stack, functionName: string): string {
  return stack.formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: `${logGroupName(functionName)}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** The address under which the SDK reaches the control queue. */
export function controlQueueUrl(stage: string): string {
  return `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${controlQueueName(stage)}`;
}
