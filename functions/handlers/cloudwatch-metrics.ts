import { CloudWatchClient, PutMetricDataCommand, type StandardUnit } from '@aws-sdk/client-cloudwatch';
import { metrics as names } from '../contract.ts';
import type { Log } from '../domain/ports.ts';
import { second } from '../domain/time.ts';
import type { SweepCounts, SweepMetrics } from '../reconciler/ports.ts';

interface Datum {
  readonly name: string;
  readonly value: number;
  readonly unit: StandardUnit;
}

/** The heartbeat, how things stand, and what a sweep did. A report that fails is logged: its absence is what the alert looks for. */
export function cloudWatchMetrics(stage: string, log: Log): SweepMetrics {
  const client = new CloudWatchClient({ maxAttempts: 2 });
  const Dimensions = [{ Name: names.dimensions.stage, Value: stage }];
  const put = async (data: readonly Datum[], lost: string) => {
    const MetricData = data.map(({ name, value, unit }) => ({
      MetricName: name,
      Value: value,
      Unit: unit,
      Dimensions,
    }));
    try {
      await client.send(new PutMetricDataCommand({ Namespace: names.namespace, MetricData }));
    } catch (error) {
      log.warn(lost, { error });
    }
  };
  return {
    report: (counts) => put(metricsOf(counts), 'the metrics of a sweep were lost'),
    undeliverable: (alarms) =>
      put([count(names.undeliverable, alarms)], 'the metric of undeliverable alarms was lost'),
  };
}

function metricsOf(counts: SweepCounts): Datum[] {
  return [
    count(names.sweeps, 1),
    count(names.ledgerGap, counts.gap),
    seconds(names.unaccountedSeconds, counts.unaccountedMs),
    count(names.parkedNow, counts.parkedNow),
    seconds(names.oldestWaitSeconds, counts.oldestWaitMs),
    count(names.missed, counts.missed),
    count(names.skipped, counts.skipped),
    count(names.canceled, counts.canceled),
    count(names.failed, counts.failed),
    count(names.admitted, counts.admitted),
    count(names.crashed, counts.crashed),
    // A metric costs only where it is sent.
    ...(counts.beyondPolicy > 0 ? [count(names.missedBeyondPolicy, counts.beyondPolicy)] : []),
    ...(counts.moved > 0 ? [count(names.movedFires, counts.moved)] : []),
  ];
}

function count(name: string, value: number): Datum {
  return { name, value, unit: 'Count' };
}

function seconds(name: string, ms: number): Datum {
  return { name, value: Math.round(ms / second), unit: 'Seconds' };
}
