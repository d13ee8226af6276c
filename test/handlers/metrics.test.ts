import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { metrics as names } from '../../functions/contract.ts';
import { cloudWatchMetrics } from '../../functions/handlers/cloudwatch-metrics.ts';
import { powertoolsMetrics } from '../../functions/handlers/powertools.ts';
import type { MetricDatum } from '../../functions/local/endpoint/cloudwatch.ts';
import { type Endpoint, startEndpoint } from '../../functions/local/endpoint/endpoint.ts';
import { Tally } from '../../functions/reconciler/tally.ts';
import type { Metrics } from '../../functions/runtime/ports.ts';
import { type Synthesised, synthesiseLedger } from '../infra/synthesised.ts';

/** A metric and its dimensions: `Failed stage=dev`. */
type Series = string;

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const sent: MetricDatum[] = [];
let endpoint: Endpoint;
let dev: Synthesised;

beforeAll(async () => {
  endpoint = await startEndpoint({
    dynamoDb: 'http://127.0.0.1:1',
    queues: {},
    invoke: () => Promise.reject(new Error('nothing to invoke')),
    onMetrics: (_namespace, data) => void sent.push(...data),
    onPublish: () => {},
    secrets: { valueOf: () => undefined, remedyFor: () => '' },
  });
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('POWERTOOLS_DEV', 'true');
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  dev = await synthesiseLedger('dev');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  dev?.dispose();
  await endpoint.close();
});

/** Everything that the reconciler may send. */
async function ofReconciler(): Promise<Series[]> {
  sent.length = 0;
  const metrics = cloudWatchMetrics('dev', quiet);
  const tally = new Tally();
  for (const what of ['beyondPolicy', 'moved'] as const) tally.add(what);
  await metrics.report(tally.counts({ gap: 0, unaccountedMs: 0, parkedNow: 0, oldestWaitMs: 0 }));
  await metrics.undeliverable(1);
  return sent.map(({ MetricName, Dimensions = [] }) =>
    seriesOf(MetricName, Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]))),
  );
}

/** Everything that a job's function may send, as CloudWatch reads it off a line. */
function ofFunction(own?: string): Series[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const metrics = powertoolsMetrics('dev', own);
  sendAll(metrics);
  sendAll(metrics);
  spy.mockRestore();
  return [...new Set(lines.flatMap((line) => embedded(JSON.parse(line))))];
}

function sendAll(metrics: Metrics): void {
  for (const what of ['succeeded', 'failed', 'canceled', 'skipped', 'duplicates', 'strays'] as const)
    metrics.count(what);
  metrics.lateness(1);
  metrics.used({ wallMs: 1, cpuUserMs: 1, cpuSystemMs: 1, waitedMs: { db: 1 } });
  metrics.flush();
}

interface Embedded {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [field: string]: unknown;
}

function embedded(line: Embedded): Series[] {
  return line._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((set) =>
      Metrics.map(({ Name }) => seriesOf(Name, Object.fromEntries(set.map((of) => [of, String(line[of])])))),
    ),
  );
}

function seriesOf(name: string, dimensions: Readonly<Record<string, string>>): Series {
  return [name, ...Object.entries(dimensions).map(([of, value]) => `${of}=${value}`)].join(' ');
}

/** Of our namespace, what alerts and the dashboard read. */
function read(): Series[] {
  const ofAlerts = dev
    .resources('AWS::CloudWatch::Alarm')
    .filter(({ properties }) => properties.Namespace === names.namespace)
    .map(({ properties }) => {
      const dimensions = properties.Dimensions as { Name: string; Value: string }[];
      return seriesOf(
        String(properties.MetricName),
        Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value])),
      );
    });
  const [dashboard] = dev.resources('AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(String(dashboard?.properties.DashboardBody)) as {
    widgets: { properties: { metrics?: unknown[][] } }[];
  };
  const ofDashboard = widgets
    .flatMap(({ properties }) => properties.metrics ?? [])
    .filter(([namespace]) => namespace === names.namespace)
    .map(([, name, of, value]) => `${name} ${of}=${value}`);
  return [...new Set([...ofAlerts, ...ofDashboard])];
}

it('alerts and dashboard read only what the deployed functions send', async () => {
  const all = new Set([...(await ofReconciler()), ...ofFunction()]);
  expect(read().length).toBeGreaterThan(15);
  expect(read().filter((series) => !all.has(series))).toEqual([]);
});

it('every metric of the contract is sent by somebody', async () => {
  const { namespace: _namespace, dimensions: _dimensions, ...all } = names;
  const series = [...(await ofReconciler()), ...ofFunction()];
  expect([...new Set(series.map((one) => one.split(' ')[0]))].sort()).toEqual(Object.values(all).sort());
});

it('no metric has a job for its dimension, unless the job asks for it', async () => {
  const plain = ofFunction();
  expect([...(await ofReconciler()), ...plain].filter((series) => series.includes('job='))).toEqual([]);
  const own = ofFunction('billing/close-month');
  expect(own.filter((series) => !series.includes('job=')).sort()).toEqual([...plain].sort());
  expect(own.filter((series) => series.includes('job=')).sort()).toEqual(
    plain.map((series) => `${series} job=billing/close-month`).sort(),
  );
  expect(plain.length).toBeLessThanOrEqual(10);
});
