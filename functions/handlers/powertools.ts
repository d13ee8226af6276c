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

/** Embedded metrics on standard output. The stage is their only dimension: more would cost per series, and the ledger has the detail. */
export function powertoolsMetrics(stage: string): Metrics {
  const metrics = new PowertoolsMetrics({ namespace: names.namespace });
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ stage });
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
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
