import { Logger } from '@aws-lambda-powertools/logger';
import { MetricUnit, Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import { metrics as names } from '../contract.ts';
import type { Log } from '../domain/ports.ts';
import type { Metrics } from '../runtime/ports.ts';

/** JSON lines on standard output. */
export function powertoolsLog(stage: string): Log {
  const logger = new Logger({ serviceName: 'fireledger', persistentKeys: { stage } });
  return {
    info: (message, fields = {}) => logger.info(message, fields),
    warn: (message, fields = {}) => logger.warn(message, fields),
    error: (message, fields = {}) => logger.error(message, fields),
  };
}

/**
 * Embedded metrics on standard output. The stage is their only dimension: more would cost per series, and the ledger has the
 * detail. `own`: the id of a job that asks for metrics of its own; then each is there twice, by stage and by stage and job.
 */
export function powertoolsMetrics(stage: string, own?: string): Metrics {
  const metrics = new PowertoolsMetrics({ namespace: names.namespace });
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ [names.dimensions.stage]: stage });
  return {
    count: (what) => metrics.addMetric(names[what], MetricUnit.Count, 1),
    lateness: (ms) => metrics.addMetric(names.latenessMs, MetricUnit.Milliseconds, ms),
    used: ({ wallMs, cpuUserMs, cpuSystemMs, waitedMs = {} }) => {
      metrics.addMetric(names.wallMs, MetricUnit.Milliseconds, wallMs);
      if (cpuUserMs !== undefined && cpuSystemMs !== undefined)
        metrics.addMetric(names.cpuMs, MetricUnit.Milliseconds, cpuUserMs + cpuSystemMs);
      // It waits for all of its pools at once.
      const waited = Math.max(0, ...Object.values(waitedMs));
      if (waited > 0) metrics.addMetric(names.waitedMs, MetricUnit.Milliseconds, waited);
    },
    flush: () => {
      if (!metrics.hasStoredMetrics()) return;
      // Kept until they are published. The first set adds nothing: it is the stage alone.
      if (own !== undefined) metrics.addDimensions({}).addDimensions({ [names.dimensions.job]: own });
      metrics.publishStoredMetrics();
    },
  };
}
