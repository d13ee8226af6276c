import {
  ComparisonOperator,
  type IAlarmAction,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { metrics } from '../../functions/contract.ts';
import { Alert } from './alert.ts';

/** What must never go unnoticed in a stage's ledger. */
export class LedgerAlerts extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, unreadable, action }: { stage: string; unreadable: Queue; action: IAlarmAction },
  ) {
    super(scope, id);
    const perMinute = (metricName: string, statistic: string) =>
      new Metric({
        namespace: metrics.namespace,
        metricName,
        dimensionsMap: { stage },
        statistic,
        period: Duration.minutes(1),
      });
    new Alert(this, {
      stage,
      action,
      name: 'reconciler silent',
      means: 'No sweep was made for five minutes: missed fires are not found, and crashed runs not settled.',
      metric: perMinute(metrics.sweeps, Stats.SUM),
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 5,
      treatMissingData: TreatMissingData.BREACHING,
    });
    new Alert(this, {
      stage,
      action,
      name: 'ledger gap',
      means: 'Fires past their grace have no record, three sweeps in a row.',
      metric: perMinute(metrics.ledgerGap, Stats.MAXIMUM),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 3,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    new Alert(this, {
      stage,
      action,
      name: 'unreadable control messages',
      means: 'The reconciler gave up on a dead letter, failure record or nudge.',
      metric: unreadable.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period: Duration.minutes(1),
      }),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
