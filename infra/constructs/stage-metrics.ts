import { type IMetric, MathExpression, Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { metrics, table, tableName } from '../../functions/contract.ts';

export type StageMetric = Exclude<keyof typeof metrics, 'namespace' | 'dimensions'>;

/** A metric of a stage as its functions send it; by the minute, unless told otherwise. */
export function stageMetric(
  stage: string,
  name: StageMetric,
  options: MetricOptions & Required<Pick<MetricOptions, 'statistic'>>,
): Metric {
  return new Metric({
    namespace: metrics.namespace,
    metricName: metrics[name],
    dimensionsMap: { [metrics.dimensions.stage]: stage },
    period: Duration.minutes(1),
    ...options,
  });
}

/**
 * What DynamoDB refused for going too fast, of the table and its index. It sends these only when there is something to tell,
 * and an alarm on them would keep its state while there isn't: so what is missing becomes 0.
 */
export function throttled(stage: string): IMetric {
  const ofTable = { TableName: tableName(stage) };
  const ofIndex = { ...ofTable, GlobalSecondaryIndexName: table.openIndex.name };
  const events = (metricName: string, dimensionsMap: Record<string, string>) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap,
      statistic: Stats.SUM,
      period: Duration.minutes(1),
    });
  return new MathExpression({
    expression: 'FILL(reads, 0) + FILL(writes, 0) + FILL(indexReads, 0) + FILL(indexWrites, 0)',
    usingMetrics: {
      reads: events('ReadThrottleEvents', ofTable),
      writes: events('WriteThrottleEvents', ofTable),
      indexReads: events('ReadThrottleEvents', ofIndex),
      indexWrites: events('WriteThrottleEvents', ofIndex),
    },
    label: 'throttled reads and writes',
    period: Duration.minutes(1),
  });
}
