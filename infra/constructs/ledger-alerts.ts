import {
  ComparisonOperator,
  type IAlarm,
  type IAlarmAction,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { alertNames } from '../../functions/contract.ts';
import { Alert, type AlertProps } from './alert.ts';
import { type StageMetric, stageMetric, throttled } from './stage-metrics.ts';

type Rule = Omit<AlertProps, 'stage' | 'action'>;

const { GREATER_THAN_THRESHOLD, GREATER_THAN_OR_EQUAL_TO_THRESHOLD, LESS_THAN_THRESHOLD } =
  ComparisonOperator;
/** Counts of what happens: none is told where nothing happens. */
const noneIsZero = TreatMissingData.NOT_BREACHING;
/** How things stand at a sweep's end: without a sweep nobody knows, and an alert that sounds must not end by that. */
const noneIsUnknown = TreatMissingData.IGNORE;
const hourSeconds = 3_600;

export interface LedgerAlertsProps {
  readonly stage: string;
  /** The queue of what the reconciler can't read. */
  readonly unreadable: Queue;
  readonly action: IAlarmAction;
}

/** What must never go unnoticed in a stage's ledger. */
export class LedgerAlerts extends Construct {
  /** In the order of the runbook. */
  readonly all: readonly IAlarm[];

  constructor(scope: Construct, id: string, { stage, unreadable, action }: LedgerAlertsProps) {
    super(scope, id);
    const rules = [...ofReconciler(stage), ...ofRuns(stage), ...ofSurroundings(stage, unreadable)];
    this.all = rules.map((rule) => new Alert(this, { ...rule, stage, action }));
  }
}

/**
 * A sweep that fails, or that Lambda throttles, is no alert: the next minute's does what it left. What stops them all is
 * the first of these, whatever it is.
 */
function ofReconciler(stage: string): Rule[] {
  return [
    {
      name: alertNames.reconcilerSilent,
      means: 'No sweep was made for five minutes: missed fires are not found, and crashed runs not settled.',
      metric: stageMetric(stage, 'sweeps', { statistic: Stats.SUM }),
      comparisonOperator: LESS_THAN_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 5,
      treatMissingData: TreatMissingData.BREACHING,
    },
    {
      name: alertNames.ledgerGap,
      means: 'Fires past their grace have no record, three sweeps in a row.',
      metric: stageMetric(stage, 'ledgerGap', { statistic: Stats.MAXIMUM }),
      comparisonOperator: GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 3,
      treatMissingData: noneIsUnknown,
    },
  ];
}

function ofRuns(stage: string): Rule[] {
  return [
    {
      name: alertNames.runsFailing,
      means: 'Three runs or more, of whatever jobs, failed for good within a quarter of an hour.',
      ...happens(stage, 'failed', 3),
    },
    {
      name: alertNames.parkedRuns,
      means: 'For a quarter of an hour a run has waited for a person to decide about it.',
      metric: stageMetric(stage, 'parkedNow', { statistic: Stats.MINIMUM }),
      comparisonOperator: GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 15,
      treatMissingData: noneIsUnknown,
    },
    {
      name: alertNames.missedBeyondPolicy,
      means: 'Fires were missed that their jobs want made up, and that are too old or too many for it.',
      ...happens(stage, 'missedBeyondPolicy', 1),
    },
    {
      name: alertNames.oldestWaiter,
      means: "A run has waited for over an hour for its job's slot or its pools.",
      metric: stageMetric(stage, 'oldestWaitSeconds', { statistic: Stats.MAXIMUM }),
      comparisonOperator: GREATER_THAN_THRESHOLD,
      threshold: hourSeconds,
      evaluationPeriods: 5,
      treatMissingData: noneIsUnknown,
    },
  ];
}

function ofSurroundings(stage: string, unreadable: Queue): Rule[] {
  return [
    {
      name: alertNames.unreadableMessages,
      means: 'The reconciler gave up on a dead letter, failure record or nudge.',
      metric: unreadable.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period: Duration.minutes(1),
      }),
      comparisonOperator: GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 1,
      treatMissingData: noneIsZero,
    },
    {
      name: alertNames.throttledTable,
      means: 'DynamoDB throttled reads or writes of the ledger in three minutes of five.',
      metric: throttled(stage),
      comparisonOperator: GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      treatMissingData: noneIsZero,
    },
    {
      name: alertNames.undeliverableAlarms,
      means: 'EventBridge Scheduler gave up on alarms: it could not invoke the functions of their jobs.',
      ...happens(stage, 'undeliverable', 1),
    },
  ];
}

/** It happened so often within a quarter of an hour; over once it has not for as long. */
function happens(stage: string, name: StageMetric, least: number): Omit<Rule, 'name' | 'means'> {
  return {
    metric: stageMetric(stage, name, { statistic: Stats.SUM, period: Duration.minutes(15) }),
    comparisonOperator: GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    threshold: least,
    evaluationPeriods: 1,
    treatMissingData: noneIsZero,
  };
}
