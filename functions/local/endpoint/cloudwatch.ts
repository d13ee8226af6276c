import { type Answer, json } from './answer.ts';

/** One of PutMetricData's data, as it came. */
export interface MetricDatum {
  readonly MetricName: string;
  readonly Value?: number;
  readonly Unit?: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

export type OnMetrics = (namespace: string, data: readonly MetricDatum[]) => void;

interface PutMetricData {
  readonly Namespace: string;
  readonly MetricData?: readonly MetricDatum[];
}

/** CloudWatch PutMetricData, in the JSON protocol of the current SDK. */
export function putMetricData(onMetrics: OnMetrics, body: string): Answer {
  const { Namespace, MetricData = [] } = JSON.parse(body) as PutMetricData;
  onMetrics(Namespace, MetricData);
  return json({});
}
