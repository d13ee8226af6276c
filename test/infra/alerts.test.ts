import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stageConfig } from '../../functions/config.ts';
import { alertNames, metrics, table, tableName } from '../../functions/contract.ts';
import { type Properties, root, type Synthesised, synthesiseLedger } from './synthesised.ts';

const names = Object.values(alertNames);
const runbook = readFileSync(path.join(root, 'infra/RUNBOOK.md'), 'utf8');

let dev: Synthesised;
beforeAll(async () => {
  dev = await synthesiseLedger('dev');
});
afterAll(() => dev?.dispose());

function alerts(): Properties[] {
  return dev.resources('AWS::CloudWatch::Alarm').map(({ properties }) => properties);
}

function alertNamed(name: (typeof names)[number]): Properties | undefined {
  return alerts().find(({ AlarmName }) => AlarmName === `fireledger-dev ${name}`);
}

describe('the runbook', () => {
  test('has a section for every alert, in their order, and none without an alert', () => {
    expect([...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(names);
    expect(
      alerts()
        .map(({ AlarmName }) => String(AlarmName).replace('fireledger-dev ', ''))
        .sort(),
    ).toEqual([...names].sort());
  });

  test('is named by every alert, after one sentence about what is wrong', () => {
    for (const name of names)
      expect(alertNamed(name)?.AlarmDescription).toMatch(
        new RegExp(`^[^.]+\\. What to do: infra/RUNBOOK\\.md, "${name}"\\.$`),
      );
  });

  test.each(names)('says of "%s" what still works, what to do step by step, and when it is over', (name) => {
    const [, section = ''] = runbook.split(`\n## ${name}\n`);
    const [text = ''] = section.split('\n## ');
    expect(text).toContain('**Meanwhile**');
    expect(text).toMatch(/^1\. /m);
    expect(text).toContain('**Over**');
  });
});

test('every alert is told through the topic of notices, and its end as well', () => {
  const [topic] = dev.resources('AWS::SNS::Topic');
  for (const alert of alerts())
    expect(alert).toMatchObject({ AlarmActions: [`<${topic?.id}>`], OKActions: [`<${topic?.id}>`] });
});

test('a stage whose config has them off has neither alerts nor dashboard, and its topic all the same', async () => {
  expect([stageConfig('e2e').alerts, stageConfig('prod').alerts]).toEqual(['off', 'on']);
  const quiet = await synthesiseLedger('e2e');
  expect(quiet.resources('AWS::CloudWatch::Alarm')).toEqual([]);
  expect(quiet.resources('AWS::CloudWatch::Dashboard')).toEqual([]);
  expect(quiet.resources('AWS::SNS::Topic')).toHaveLength(1);
  quiet.dispose();
});

describe('an alert that asks how things stand', () => {
  const ofStage = {
    Namespace: metrics.namespace,
    Dimensions: [{ Name: 'stage', Value: 'dev' }],
    ComparisonOperator: 'GreaterThanThreshold',
    Period: 60,
  };

  test('five minutes without a sweep are an alert, also when nothing is reported at all', () => {
    expect(alertNamed('reconciler silent')).toMatchObject({
      ...ofStage,
      MetricName: metrics.sweeps,
      Statistic: 'Sum',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      EvaluationPeriods: 5,
      TreatMissingData: 'breaching',
    });
  });

  test.each([
    ['ledger gap', metrics.ledgerGap, 'Maximum', 0, 3],
    ['parked runs', metrics.parkedNow, 'Minimum', 0, 15],
    ['oldest waiter', metrics.oldestWaitSeconds, 'Maximum', 3_600, 5],
  ] as const)(
    '%s: sounds when so many sweeps in a row say so, and does not end for want of sweeps',
    (name, ...of) => {
      const [MetricName, Statistic, Threshold, EvaluationPeriods] = of;
      expect(alertNamed(name)).toMatchObject({
        ...ofStage,
        ...{ MetricName, Statistic, Threshold, EvaluationPeriods },
        TreatMissingData: 'ignore',
      });
    },
  );

  test('unreadable control messages: one is enough, as long as it lies there', () => {
    expect(alertNamed('unreadable control messages')).toMatchObject({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    });
  });
});

describe('an alert that counts what happens', () => {
  test.each([
    ['runs failing', metrics.failed, 3],
    ['missed beyond policy', metrics.missedBeyondPolicy, 1],
    ['undeliverable alarms', metrics.undeliverable, 1],
  ] as const)(
    '%s: sounds once it happened so often in a quarter of an hour, and silence is no news',
    (name, ...of) => {
      const [MetricName, Threshold] = of;
      expect(alertNamed(name)).toMatchObject({
        Namespace: metrics.namespace,
        Dimensions: [{ Name: 'stage', Value: 'dev' }],
        Statistic: 'Sum',
        Period: 900,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
        ...{ MetricName, Threshold },
      });
    },
  );

  test('throttled table: three minutes of five, of table or index, and it ends though DynamoDB then says nothing', () => {
    const alert = alertNamed('throttled table');
    expect(alert).toMatchObject({ Threshold: 0, EvaluationPeriods: 5, DatapointsToAlarm: 3 });
    const [sum, ...parts] = (alert?.Metrics ?? []) as {
      Id: string;
      Expression?: string;
      MetricStat?: { Stat: string; Metric: { MetricName: string; Dimensions: { Value: string }[] } };
    }[];
    const filled = parts.map(({ Id }) => `FILL(${Id}, 0)`);
    expect(sum?.Expression?.split(' + ').sort()).toEqual(filled.sort());
    const read = parts.map(({ MetricStat: of }) =>
      [
        of?.Stat,
        of?.Metric.MetricName,
        ...(of?.Metric.Dimensions ?? []).map(({ Value }) => Value).sort(),
      ].join(' '),
    );
    const ofIndex = [table.openIndex.name, tableName('dev')].sort().join(' ');
    expect(read.sort()).toEqual(
      [tableName('dev'), ofIndex]
        .flatMap((of) => [`Sum ReadThrottleEvents ${of}`, `Sum WriteThrottleEvents ${of}`])
        .sort(),
    );
  });
});
