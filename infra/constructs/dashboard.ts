import {
  AlarmStatusWidget,
  Color,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  PeriodOverride,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { dashboardName } from '../names.ts';
import { type StageMetric, stageMetric, throttled } from './stage-metrics.ts';

/** The columns of a dashboard. */
const width = 24;
const half = { width: width / 2, height: 6 };
const third = { width: width / 3, height: 6 };
const bucket = Duration.minutes(5);
/** An axis of counts begins at 0. */
const fromZero = { leftYAxis: { min: 0, showUnits: false } };

export interface StageDashboardProps {
  readonly stage: string;
  readonly alerts: readonly IAlarm[];
}

/** What a stage does, on one page: what people are told of first, then fires, waits and the reconciler. */
export class StageDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { stage, alerts }: StageDashboardProps) {
    super(scope, id, {
      dashboardName: dashboardName(stage),
      defaultInterval: Duration.days(1),
      // Each graph says itself what it counts by, however long a time is looked at.
      periodOverride: PeriodOverride.INHERIT,
    });
    const of = seriesOf(stage);
    this.addWidgets(header(stage));
    this.addWidgets(new AlarmStatusWidget({ title: 'alerts', alarms: [...alerts], width, height: 3 }));
    this.addWidgets(firesByOutcome(of), lateness(of));
    this.addWidgets(waits(of), needsPeople(of));
    this.addWidgets(sweeps(of), deliveries(of), throttles(stage));
  }
}

function header(stage: string): IWidget {
  const commands = ['doctor', 'runs --state failed', 'runs --state parked', 'audit', 'forecast'];
  const list = commands.map((words) => `npm run -s fl -- ${words} --stage ${stage}`).join('\n');
  return new TextWidget({
    width,
    height: 5,
    markdown: [
      `## fireledger, stage ${stage}`,
      'Each alert has its section in `infra/RUNBOOK.md`. What these numbers are about, the ledger tells run by run:',
      '```',
      list,
      '```',
    ].join('\n'),
  });
}

type SeriesOf = ReturnType<typeof seriesOf>;

function seriesOf(stage: string) {
  return (name: StageMetric, statistic: string, label: string, color?: string): IMetric =>
    stageMetric(stage, name, { statistic, label, period: bucket, ...(color !== undefined && { color }) });
}

function firesByOutcome(of: SeriesOf): IWidget {
  return new GraphWidget({
    ...half,
    ...fromZero,
    title: 'fires by outcome',
    stacked: true,
    left: [
      of('succeeded', Stats.SUM, 'succeeded', Color.GREEN),
      of('failed', Stats.SUM, 'failed', Color.RED),
      of('canceled', Stats.SUM, 'canceled', Color.BROWN),
      of('skipped', Stats.SUM, 'skipped', Color.GREY),
      of('missed', Stats.SUM, 'missed', Color.ORANGE),
    ],
  });
}

function lateness(of: SeriesOf): IWidget {
  return new GraphWidget({
    ...half,
    title: 'from due to started, ms',
    ...fromZero,
    left: [of('latenessMs', Stats.p(50), 'p50'), of('latenessMs', Stats.p(99), 'p99')],
  });
}

function waits(of: SeriesOf): IWidget {
  return new GraphWidget({
    ...half,
    ...fromZero,
    title: 'waits for pools, ms; oldest waiter, s',
    left: [of('waitedMs', Stats.p(50), 'p50'), of('waitedMs', Stats.p(99), 'p99')],
    right: [of('oldestWaitSeconds', Stats.MAXIMUM, 'oldest waiter', Color.RED)],
    rightYAxis: { min: 0, label: 's', showUnits: false },
  });
}

function needsPeople(of: SeriesOf): IWidget {
  return new GraphWidget({
    ...half,
    ...fromZero,
    title: 'parked now, failed, crashed, missed beyond policy, undeliverable',
    left: [
      of('parkedNow', Stats.MAXIMUM, 'parked now', Color.PURPLE),
      of('failed', Stats.SUM, 'failed', Color.RED),
      of('crashed', Stats.SUM, 'crashed attempts', Color.ORANGE),
      of('missedBeyondPolicy', Stats.SUM, 'missed beyond policy', Color.BROWN),
      of('undeliverable', Stats.SUM, 'undeliverable alarms', Color.PINK),
    ],
  });
}

function sweeps(of: SeriesOf): IWidget {
  return new GraphWidget({
    ...third,
    ...fromZero,
    title: 'sweeps; seconds and fires unaccounted for',
    left: [of('sweeps', Stats.SUM, 'sweeps'), of('ledgerGap', Stats.MAXIMUM, 'ledger gap', Color.RED)],
    right: [of('unaccountedSeconds', Stats.MAXIMUM, 'unaccounted')],
    rightYAxis: { min: 0, label: 's', showUnits: false },
  });
}

function deliveries(of: SeriesOf): IWidget {
  return new GraphWidget({
    ...third,
    ...fromZero,
    title: 'duplicates and strays refused, waiting runs started',
    left: [
      of('duplicates', Stats.SUM, 'duplicates'),
      of('strays', Stats.SUM, 'strays', Color.ORANGE),
      of('admitted', Stats.SUM, 'waiting runs started', Color.GREEN),
    ],
  });
}

function throttles(stage: string): IWidget {
  return new GraphWidget({ ...third, ...fromZero, title: 'throttled table', left: [throttled(stage)] });
}
