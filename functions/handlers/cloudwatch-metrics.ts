import { CloudWatchClient, PutMetricDataCommand, type StandardUnit } from '@aws-sdk/client-cloudwatch';
import { metrics as names } from '../contract.ts';
import type { Log } from '../domain/ports.ts';
import { second } from '../domain/time.ts';
import type { SweepCounts, SweepMetrics } from '../reconciler/ports.ts';

/** The heartbeat, the gap, and what a sweep did. A report that fails is logged: its absence is what the alert looks for. */
export function cloudWatchMetrics(stage: string, log: Log): SweepMetrics {
  const client = new CloudWatchClient({ maxAttempts: 2 });
  return {
    async report(counts) {
      const MetricData = metricsOf(counts).map(({ name, value, unit }) => ({
        MetricName: name,
        Value: value,
        Unit: unit,
        Dimensions: [{ Name: 'stage', Value: stage }],
      }));
      try {
        await client.send(new PutMetricDataCommand({ Namespace: names.namespace, MetricData }));
      } catch (error) {
        log.warn('the metrics of a sweep were lost', { error });
      }
    },
  };
}

function metricsOf(counts: SweepCounts): { name: string; value: number; unit: StandardUnit }[] {
  const count = (name: string, value: number) => ({ name, value, unit: 'Count' as const });
  return [
    count(names.sweeps, 1),
    count(names.ledgerGap, counts.gap),
    {
      name: names.unaccountedSeconds,
      value: Math.round(counts.unaccountedMs / second),
      unit: 'Seconds' as const,
    },
    count(names.missed, counts.missed),
    count(names.backfilled, counts.admitted),
    count(names.crashed, counts.crashed),
    count(names.failed, counts.failed),
    count(names.parked, counts.parked),
    // Once in some years: a metric costs only where it is sent.
    ...(counts.moved > 0 ? [count(names.movedFires, counts.moved)] : []),
  ];
}
