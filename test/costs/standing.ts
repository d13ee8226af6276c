import { metrics } from '../../functions/contract.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { synthesiseLedger } from '../infra/synthesised.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { CountedStage, stage } from './counted-stage.ts';
import { minuteOf } from './fires.ts';
import { assumed } from './prices.ts';
import type { Usage } from './usage.ts';

/** What a stage of so many jobs uses in a minute in which none of them is due. */
export async function measureMinute(endpoint: string, jobs: number): Promise<Usage> {
  const entries = Array.from({ length: jobs }, (_, n) =>
    manifestJob({ id: `reports/report-${n}`, schedule: cron('0 3 * * *') }),
  );
  const idle = await CountedStage.deployed(endpoint, at('12:00'), {
    jobs: entries.map((entry) => ({ entry, run: () => undefined })),
  });
  try {
    const used = await minuteOf(idle);
    return {
      ...used,
      alarms: used.alarms + 1,
      queueRequests: used.queueRequests + assumed.pollsPerMinute,
    };
  } finally {
    idle.close();
  }
}

/** What of a stage's templates is paid for by the month, whether it is used or not. */
export interface Standing {
  readonly alerts: number;
  /** That the alerts look at. */
  readonly alertMetrics: number;
  readonly dashboards: number;
  readonly keys: number;
  /** Series that it sends, if it sends all that there are. */
  readonly metrics: number;
}

export async function standing(): Promise<Standing> {
  const { resources, dispose } = await synthesiseLedger(stage);
  const alerts = resources('AWS::CloudWatch::Alarm');
  const { namespace: _namespace, dimensions: _dimensions, ...series } = metrics;
  const counted = {
    alerts: alerts.length,
    alertMetrics: alerts.reduce((sum, { properties }) => sum + metricsOf(properties.Metrics), 0),
    dashboards: resources('AWS::CloudWatch::Dashboard').length,
    keys: resources('AWS::KMS::Key').length,
    metrics: Object.keys(series).length,
  };
  dispose();
  return counted;
}

/** An alert looks at one metric, or at those that it computes with. */
function metricsOf(computed: unknown): number {
  return Array.isArray(computed) ? computed.filter((one) => 'MetricStat' in one).length : 1;
}
