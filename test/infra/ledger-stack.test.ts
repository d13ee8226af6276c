import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { env, noticesTopicEnv, table } from '../../functions/contract.ts';
import { createLedgerTable } from '../../functions/store/dynamodb/index.ts';
import { type Resource, type Synthesised, synthesiseLedger } from './synthesised.ts';

let dev: Synthesised;
let prod: Synthesised;
beforeAll(async () => {
  dev = await synthesiseLedger('dev');
  prod = await synthesiseLedger('prod');
});
afterAll(() => {
  dev?.dispose();
  prod?.dispose();
});

function only(resources: readonly Resource[]): Resource {
  const [resource, ...others] = resources;
  if (resource === undefined || others.length > 0) throw new Error(`Expected one, got ${resources.length}`);
  return resource;
}

describe('the table', () => {
  test('has the keys and the index of the one that the store makes on an emulator', async () => {
    const emulated = await emulatedTable('fireledger-dev');
    const { properties } = only(dev.resources('AWS::DynamoDB::Table', 'Ledger'));
    const byName = (
      one: { AttributeName?: string | undefined },
      other: { AttributeName?: string | undefined },
    ) => String(one.AttributeName).localeCompare(String(other.AttributeName));
    expect(properties).toMatchObject({
      TableName: emulated.TableName,
      BillingMode: emulated.BillingMode,
      KeySchema: emulated.KeySchema,
      GlobalSecondaryIndexes: emulated.GlobalSecondaryIndexes,
    });
    expect([...(properties.AttributeDefinitions as { AttributeName: string }[])].sort(byName)).toEqual(
      [...(emulated.AttributeDefinitions ?? [])].sort(byName),
    );
  });

  test('expires records, and can be restored to any point of the last weeks', () => {
    expect(only(dev.resources('AWS::DynamoDB::Table', 'Ledger')).properties).toMatchObject({
      TimeToLiveSpecification: { AttributeName: table.ttl, Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('is protected and kept in prod; in dev it goes with its stack', () => {
    const kept = only(prod.resources('AWS::DynamoDB::Table', 'Ledger'));
    expect([kept.properties.DeletionProtectionEnabled, kept.deletionPolicy]).toEqual([true, 'Retain']);
    const gone = only(dev.resources('AWS::DynamoDB::Table', 'Ledger'));
    expect([gone.properties.DeletionProtectionEnabled, gone.deletionPolicy]).toEqual([false, 'Delete']);
  });
});

describe('the control queue', () => {
  test('is encrypted, refuses what comes without TLS, and so does the queue of the unreadable', () => {
    const queues = dev.resources('AWS::SQS::Queue');
    expect(queues.map(({ properties }) => properties.QueueName).sort()).toEqual([
      'fireledger-dev-control',
      'fireledger-dev-unreadable',
    ]);
    const denied = dev.resources('AWS::SQS::QueuePolicy').flatMap(({ properties }) => {
      const { Statement } = properties.PolicyDocument as { Statement: unknown[] };
      expect(Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
      return properties.Queues as string[];
    });
    for (const queue of queues) {
      expect(queue.properties.SqsManagedSseEnabled).toBe(true);
      expect(denied).toContain(`<${queue.id}>`);
    }
  });

  test('gives up on a message after five tries, into the queue of the unreadable', () => {
    const unreadable = queueNamed('fireledger-dev-unreadable');
    expect(queueNamed('fireledger-dev-control').properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: `<${unreadable.id}.Arn>`,
      maxReceiveCount: 5,
    });
  });

  test('hides a message for longer than the reconciler may work on it', () => {
    const visibility = queueNamed('fireledger-dev-control').properties.VisibilityTimeout as number;
    expect(visibility).toBeGreaterThanOrEqual(reconciler().properties.Timeout as number);
  });

  test('feeds the reconciler, which says message by message what it could not read', () => {
    expect(only(dev.resources('AWS::Lambda::EventSourceMapping')).properties).toMatchObject({
      EventSourceArn: `<${queueNamed('fireledger-dev-control').id}.Arn>`,
      FunctionName: `<${reconciler().id}>`,
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  function queueNamed(name: string): Resource {
    return only(dev.resources('AWS::SQS::Queue').filter(({ properties }) => properties.QueueName === name));
  }
});

describe('the topic of notices', () => {
  test('is encrypted under a key of its own, and refuses what comes without TLS', () => {
    const topic = only(dev.resources('AWS::SNS::Topic'));
    const key = only(dev.resources('AWS::KMS::Key'));
    expect(topic.properties).toMatchObject({
      TopicName: 'fireledger-dev-notices',
      KmsMasterKeyId: `<${key.id}.Arn>`,
    });
    expect(key.properties.EnableKeyRotation).toBe(true);
    expect(topicStatements()).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sns:Publish',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
  });

  test('takes what alerts of this account tell, key and all', () => {
    const alerts = expect.objectContaining({
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': '111122223333' } },
    });
    expect(topicStatements()).toContainEqual(alerts);
    const { KeyPolicy } = only(dev.resources('AWS::KMS::Key')).properties;
    expect((KeyPolicy as { Statement: unknown[] }).Statement).toContainEqual(alerts);
  });

  test('is told to the reconciler, and to whoever deploys', () => {
    const { Variables } = reconciler().properties.Environment as { Variables: Record<string, string> };
    const topic = only(dev.resources('AWS::SNS::Topic'));
    expect(Variables[noticesTopicEnv]).toBe(`<${topic.id}>`);
    const { Outputs } = JSON.parse(dev.texts.get('Ledger') ?? '');
    expect(Object.values(Outputs)).toMatchObject([{ Value: { Ref: topic.id } }]);
  });

  function topicStatements(): unknown[] {
    const { PolicyDocument } = only(dev.resources('AWS::SNS::TopicPolicy')).properties;
    return (PolicyDocument as { Statement: unknown[] }).Statement;
  }
});

describe('the reconciler', () => {
  test('is asked to sweep every minute', () => {
    const schedule = only(dev.resources('AWS::Scheduler::Schedule', 'Ledger')).properties;
    expect(schedule).toMatchObject({
      ScheduleExpression: 'cron(* * * * ? *)',
      ScheduleExpressionTimezone: 'UTC',
    });
    expect(schedule.Target).toMatchObject({
      Arn: `<${reconciler().id}.Arn>`,
      Input: '{"fireledger":"sweep"}',
    });
  });

  test('is gone before the lease of a turn ends', () => {
    expect(reconciler().properties.Timeout).toBeLessThan(90);
  });

  test('has every variable that handlers read', () => {
    const { Variables } = reconciler().properties.Environment as { Variables: Record<string, string> };
    expect(Object.keys(Variables)).toEqual(expect.arrayContaining(Object.values(env)));
    expect(Variables[env.controlQueueUrl]).toBe(
      'https://sqs.eu-central-1.amazonaws.com/111122223333/fireledger-dev-control',
    );
  });
});

function reconciler(): Resource {
  return only(dev.resources('AWS::Lambda::Function', 'Ledger'));
}

async function emulatedTable(name: string): Promise<CreateTableCommandInput> {
  const sent: { input: object }[] = [];
  const send = async (command: { input: object }) => {
    sent.push(command);
    return { Table: { TableStatus: 'ACTIVE' } };
  };
  await createLedgerTable({ send, config: {} } as unknown as DynamoDBClient, name);
  const created = sent.find(({ input }) => 'KeySchema' in input);
  if (created === undefined) throw new Error('No table was created');
  return created.input as CreateTableCommandInput;
}
