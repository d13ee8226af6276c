import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metrics } from '../../functions/contract.ts';
import { alertNames } from '../../infra/constructs/alert.ts';
import { type Properties, root, type Synthesised, synthesiseLedger } from './synthesised.ts';

let dev: Synthesised;
beforeAll(async () => {
  dev = await synthesiseLedger('dev');
});
afterAll(() => dev?.dispose());

function alertNamed(name: string): Properties | undefined {
  const alarmName = `fireledger-dev ${name}`;
  return dev
    .resources('AWS::CloudWatch::Alarm')
    .map(({ properties }) => properties)
    .find((alert) => alert.AlarmName === alarmName);
}

test('every alert has its section in the runbook, and every section its alert', () => {
  const runbook = readFileSync(path.join(root, 'infra/RUNBOOK.md'), 'utf8');
  const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(sections).toEqual([...alertNames]);
  const deployed = dev.resources('AWS::CloudWatch::Alarm').map(({ properties }) => properties);
  expect(deployed.map(({ AlarmName }) => AlarmName)).toEqual(
    alertNames.map((name) => `fireledger-dev ${name}`),
  );
  for (const [index, name] of alertNames.entries())
    expect(deployed[index]?.AlarmDescription).toContain(`infra/RUNBOOK.md, "${name}"`);
});

test('every alert is told through the topic of notices, and its end as well', () => {
  const [topic] = dev.resources('AWS::SNS::Topic');
  for (const { properties } of dev.resources('AWS::CloudWatch::Alarm'))
    expect(properties).toMatchObject({ AlarmActions: [`<${topic?.id}>`], OKActions: [`<${topic?.id}>`] });
});

test('five minutes without a sweep are an alert, also when nothing is reported at all', () => {
  expect(alertNamed('reconciler silent')).toMatchObject({
    Namespace: metrics.namespace,
    MetricName: metrics.sweeps,
    Dimensions: [{ Name: 'stage', Value: 'dev' }],
    Statistic: 'Sum',
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    Period: 60,
    EvaluationPeriods: 5,
    TreatMissingData: 'breaching',
  });
});

test('fires without a record are an alert when three sweeps could not help it', () => {
  expect(alertNamed('ledger gap')).toMatchObject({
    MetricName: metrics.ledgerGap,
    Dimensions: [{ Name: 'stage', Value: 'dev' }],
    ComparisonOperator: 'GreaterThanThreshold',
    Threshold: 0,
    EvaluationPeriods: 3,
  });
});

test('one unreadable control message is an alert', () => {
  expect(alertNamed('unreadable control messages')).toMatchObject({
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateNumberOfMessagesVisible',
    ComparisonOperator: 'GreaterThanThreshold',
    Threshold: 0,
    EvaluationPeriods: 1,
  });
});
