import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExampleStack } from '../../infra/stacks/example/example-stack.ts';
import { isAllowed, list, type Request, type Statement } from './iam.ts';
import { addStage, everything, main, stageWith } from './networked.ts';
import { root, type Synthesised, synthesised } from './synthesised.ts';

const text = readFileSync(path.join(root, 'infra/deploy-policy.json'), 'utf8');
const statements: Statement[] = JSON.parse(text).Statement;
const here = 'eu-central-1:111122223333';

/** What CloudFormation calls to make, change and delete a resource of a kind; `of`: one by that name. */
interface Kind {
  readonly calls: readonly string[];
  readonly of: (name: string) => string;
  readonly context?: (name: string) => Request['context'];
}

const functionArn = (name: string) => `arn:aws:lambda:${here}:function:${name}`;
const roleArn = (name: string) => `arn:aws:iam::111122223333:role/${name}`;
const queueArn = (name: string) => `arn:aws:sqs:${here}:${name}`;
const topicArn = (name: string) => `arn:aws:sns:${here}:${name}`;

const kinds: Readonly<Record<string, Kind>> = {
  'AWS::CloudWatch::Alarm': {
    calls: ['cloudwatch:PutMetricAlarm', 'cloudwatch:DescribeAlarms', 'cloudwatch:DeleteAlarms'],
    of: (name) => `arn:aws:cloudwatch:${here}:alarm:${name}`,
  },
  'AWS::CloudWatch::Dashboard': {
    calls: ['cloudwatch:PutDashboard', 'cloudwatch:GetDashboard', 'cloudwatch:DeleteDashboards'],
    of: (name) => `arn:aws:cloudwatch::111122223333:dashboard/${name}`,
  },
  'AWS::DynamoDB::Table': {
    calls: [
      ...['CreateTable', 'DescribeTable', 'UpdateTable', 'DeleteTable'].map((call) => `dynamodb:${call}`),
      ...['dynamodb:UpdateTimeToLive', 'dynamodb:UpdateContinuousBackups'],
    ],
    of: (name) => `arn:aws:dynamodb:${here}:table/${name}`,
  },
  'AWS::IAM::Role': {
    calls: [
      ...[
        'CreateRole',
        'GetRole',
        'PutRolePolicy',
        'UpdateAssumeRolePolicy',
        'DeleteRolePolicy',
        'DeleteRole',
      ],
    ].map((call) => `iam:${call}`),
    of: roleArn,
  },
  'AWS::Lambda::EventInvokeConfig': {
    calls: ['Put', 'Update', 'Delete'].map((verb) => `lambda:${verb}FunctionEventInvokeConfig`),
    of: functionArn,
  },
  'AWS::Lambda::EventSourceMapping': {
    calls: ['Create', 'Get', 'Update', 'Delete'].map((verb) => `lambda:${verb}EventSourceMapping`),
    of: () => `arn:aws:lambda:${here}:event-source-mapping:any`,
    context: (name) => ({ 'lambda:FunctionArn': [functionArn(name)] }),
  },
  'AWS::Lambda::Function': {
    calls: [
      'CreateFunction',
      'GetFunction',
      'UpdateFunctionCode',
      'UpdateFunctionConfiguration',
      'PutFunctionRecursionConfig',
      'DeleteFunction',
    ].map((call) => `lambda:${call}`),
    of: functionArn,
  },
  'AWS::Logs::LogGroup': {
    calls: ['logs:CreateLogGroup', 'logs:PutRetentionPolicy', 'logs:DeleteLogGroup'],
    of: (name) => `arn:aws:logs:${here}:log-group:/aws/lambda/${name}`,
  },
  'AWS::SNS::Topic': {
    calls: ['CreateTopic', 'GetTopicAttributes', 'SetTopicAttributes', 'DeleteTopic'].map(
      (call) => `sns:${call}`,
    ),
    of: topicArn,
  },
  'AWS::SNS::TopicPolicy': { calls: ['sns:SetTopicAttributes'], of: topicArn },
  'AWS::SQS::Queue': {
    calls: ['CreateQueue', 'GetQueueAttributes', 'SetQueueAttributes', 'DeleteQueue'].map(
      (call) => `sqs:${call}`,
    ),
    of: queueArn,
  },
  'AWS::SQS::QueuePolicy': { calls: ['sqs:SetQueueAttributes'], of: queueArn },
  'AWS::Scheduler::Schedule': {
    calls: [
      ...['Create', 'Get', 'Update', 'Delete'].map((verb) => `scheduler:${verb}Schedule`),
      'scheduler:TagResource',
      'scheduler:UntagResource',
    ],
    of: (name) => `arn:aws:scheduler:${here}:schedule/${name}/1-job.1`,
  },
  'AWS::Scheduler::ScheduleGroup': {
    calls: ['Create', 'Get', 'Delete'].map((verb) => `scheduler:${verb}ScheduleGroup`),
    of: (name) => `arn:aws:scheduler:${here}:schedule-group/${name}`,
  },
};

/** They are known by ids that AWS draws, so they can't be told from others'. */
const unnamed: Readonly<Record<string, readonly string[]>> = {
  'AWS::EC2::SecurityGroup': [
    ...['Create', 'Delete'].map((verb) => `ec2:${verb}SecurityGroup`),
    ...['Authorize', 'Revoke'].map((verb) => `ec2:${verb}SecurityGroupIngress`),
  ],
  'AWS::EC2::VPCEndpoint': ['CreateVpcEndpoint', 'ModifyVpcEndpoint', 'DeleteVpcEndpoints'].map(
    (call) => `ec2:${call}`,
  ),
  'AWS::KMS::Key': ['CreateKey', 'PutKeyPolicy', 'EnableKeyRotation', 'ScheduleKeyDeletion'].map(
    (call) => `kms:${call}`,
  ),
};

describe('the policy for deploying', () => {
  let prod: Synthesised;
  beforeAll(async () => {
    prod = await synthesised((app) => {
      const stage = stageWith({ main }, 'prod');
      addStage(app, stage, [everything]);
      new ExampleStack(app, stage);
    });
  });
  afterAll(() => prod?.dispose());

  test('allows what CloudFormation calls to make, change and delete every kind of resource that a stage has', () => {
    const types = [...prod.texts.values()].flatMap((template) =>
      Object.values<{ Type: string }>(JSON.parse(template).Resources).map(({ Type }) => Type),
    );
    expect([...new Set(types)].sort()).toEqual([...Object.keys(kinds), ...Object.keys(unnamed)].sort());
    for (const [type, actions] of Object.entries(unnamed))
      for (const action of actions)
        expect([type, action, isAllowed(statements, { action, resource: '*' })]).toEqual([
          type,
          action,
          true,
        ]);
  });

  test.each(Object.entries(kinds))(
    'reaches of %s only those whose name begins with fireledger-',
    (_, kind) => {
      const may = (action: string, name: string) =>
        isAllowed(statements, { action, resource: kind.of(name), context: kind.context?.(name) ?? {} });
      for (const action of kind.calls)
        expect([action, may(action, 'fireledger-prod-any'), may(action, 'billing-prod-any')]).toEqual([
          action,
          true,
          false,
        ]);
    },
  );

  test('hands roles of its own to Lambda and to Scheduler, and to nobody else', () => {
    const pass = (name: string, service: string) =>
      isAllowed(statements, {
        action: 'iam:PassRole',
        resource: roleArn(name),
        context: { 'iam:PassedToService': [service] },
      });
    expect(pass('fireledger-prod-alarms-eu-central-1', 'scheduler.amazonaws.com')).toBe(true);
    expect(pass('fireledger-prod-jobs-1-any', 'lambda.amazonaws.com')).toBe(true);
    expect(pass('fireledger-prod-jobs-1-any', 'ec2.amazonaws.com')).toBe(false);
    expect(pass('admin', 'lambda.amazonaws.com')).toBe(false);
  });

  test('fits into one policy of IAM, and has no wildcard among its actions', () => {
    expect(text.replaceAll(/\s/g, '').length).toBeLessThanOrEqual(6_144);
    expect(statements.flatMap(({ Action }) => list(Action)).filter((action) => action.includes('*'))).toEqual(
      [],
    );
  });
});
