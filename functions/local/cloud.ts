import { type Bundles, bundleFunctions, type Catalog } from '../catalog/index.ts';
import { stageConfig } from '../config.ts';
import { alarmPayload, schedulerContext, tableName } from '../contract.ts';
import type { Ledger } from '../domain/ledger.ts';
import { functionName } from '../domain/names.ts';
import { day, second, toIso } from '../domain/time.ts';
import { startFixtureServer } from '../example/fixture-server.ts';
import { seedExample } from '../example/seed.ts';
import type { Reconciled } from '../handlers/reconciler.ts';
import type { Handled } from '../runtime/runtime.ts';
import { createLedgerTable, dynamoLedger, ledgerClient } from '../store/dynamodb/index.ts';
import type { Ring } from './alarm-clock.ts';
import {
  alarmsOf,
  controlQueue,
  lambdaFunctions,
  localStage,
  reconcilerFunction,
  type Target,
} from './cloud-functions.ts';
import { type DataFolder, databasePath } from './datafolder.ts';
import { type DynamoDb, startDynamoDb } from './dynamodb/start.ts';
import { startEndpoint } from './endpoint/endpoint.ts';
import type { Tell } from './events.ts';
import { createLambdaService, type InvocationEvent, type LambdaService } from './lambda/service.ts';
import { createQueue, type Queue } from './queue.ts';
import { startSchedulers } from './schedulers.ts';

export interface CloudOptions {
  readonly catalog: Catalog;
  readonly folder: DataFolder;
  readonly instances: number;
  /** @default the usual one, or any free one when that is busy */
  readonly port?: number;
  /** With the example's tables and the server that stands in for its outside addresses. */
  readonly withExample: boolean;
  readonly tell: Tell;
}

export interface Cloud {
  readonly ledger: Ledger;
  /** Which DynamoDB serves. */
  readonly engine: string;
  readonly endpointUrl: string;
  /** Jobs by function name, of the invocations that are going on. */
  busy(): string[];
  /** No more alarms, and nothing new is started; waits for what runs. `until`: alarms up to it have rung. `left`: job ids. */
  drain(ms: number): Promise<{ until: number; left: string[] }>;
  close(): Promise<void>;
}

/** How long a start waits for the first sweep: with a long outage to work through it goes on behind. */
const firstSweepMs = 1.5 * second;

/** Starts the cloud on this machine; what was begun is ended again when a part can't start. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const started: (() => Promise<void> | void)[] = [];
  const closeAll = async () => {
    for (const close of started.splice(0).reverse()) await close();
  };
  try {
    return await assemble(options, started, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function assemble(
  options: CloudOptions,
  started: (() => Promise<void> | void)[],
  close: () => Promise<void>,
): Promise<Cloud> {
  const { catalog, folder, tell } = options;
  const [bundles, { dynamoDb, ledger, fixtureOrigin }] = await Promise.all([
    bundleFunctions({ catalog, outDir: folder.path('bundles') }),
    startData(options, started),
  ]);
  const queue = createQueue({
    name: controlQueue,
    consume: async (event) =>
      (await invokeReconciler(lambda, event)) ?? Promise.reject(new Error('not consumed')),
    onUnreadable: ({ body }) =>
      tell({ kind: 'notice', at: Date.now(), text: `unreadable control message: ${body}` }),
  });
  started.push(() => void queue.close());
  const endpoint = await startEndpoint({
    port: options.port,
    dynamoDb: dynamoDb.endpoint,
    queues: { [controlQueue]: queue },
    invoke: (...invocation) => lambda.invoke(...invocation),
    onMetrics: () => undefined,
    onPublish: () => 'local',
    secrets: {},
    onNotEmulated: (text) => tell({ kind: 'notice', at: Date.now(), text }),
  });
  started.push(() => endpoint.close());
  const lambda = startLambda(options, { bundles, endpointUrl: endpoint.url, fixtureOrigin, queue });
  started.push(() => lambda.close());
  await Promise.race([invokeReconciler(lambda, { fireledger: 'sweep' }), pause(firstSweepMs)]);
  folder.announce(dynamoDb.endpoint);
  const schedulers = startSchedulers(alarmsOf(catalog), {
    instances: options.instances,
    clock: Date.now,
    ring: (ring) => void deliver(lambda, ring, tell),
  });
  started.push(() => void schedulers.stop());
  return {
    ledger,
    engine: dynamoDb.engine,
    endpointUrl: endpoint.url,
    busy: () => lambda.pids().flatMap((sandbox) => (sandbox.requestId ? [sandbox.functionName] : [])),
    drain: async (ms) => {
      const until = schedulers.stop();
      const left = await lambda.drain(ms);
      return { until, left: left.map((invocation) => invocation.functionName) };
    },
    close,
  };
}

interface Data {
  readonly dynamoDb: DynamoDb;
  readonly ledger: Ledger;
  readonly fixtureOrigin: string | null;
}

async function startData(
  { folder, withExample, tell }: CloudOptions,
  started: (() => Promise<void> | void)[],
): Promise<Data> {
  const onExit = (text: string) => tell({ kind: 'notice', at: Date.now(), text });
  const dynamoDb = await startDynamoDb({ file: databasePath(folder.dir), onExit });
  started.push(() => dynamoDb.close());
  const client = ledgerClient({ endpoint: dynamoDb.endpoint });
  started.push(() => client.destroy());
  const fixtures = withExample ? await startFixtureServer() : null;
  if (fixtures) started.push(() => fixtures.close());
  await createLedgerTable(client, tableName(localStage));
  if (withExample) await seedExample(client, localStage);
  const retentionMs = stageConfig(localStage).retentionDays * day;
  const ledger = dynamoLedger({ client, table: tableName(localStage), retentionMs });
  return { dynamoDb, ledger, fixtureOrigin: fixtures?.origin ?? null };
}

function startLambda(
  { catalog, tell }: CloudOptions,
  of: { bundles: Bundles; endpointUrl: string; fixtureOrigin: string | null; queue: Queue },
): LambdaService {
  const jobIds = new Map(catalog.manifest.jobs.map((job) => [functionName(localStage, job.id), job.id]));
  const jobOf = (name: string) => {
    const jobId = jobIds.get(name);
    return jobId === undefined ? {} : { jobId };
  };
  const startedAt = new Map<string, number>();
  const onInvocation = (event: InvocationEvent) => {
    const at = Date.now();
    const { requestId } = event;
    if (event.kind === 'started') return void startedAt.set(requestId, at);
    const since = startedAt.get(requestId) ?? at;
    startedAt.delete(requestId);
    const job = jobOf(event.functionName);
    if (event.error)
      tell({
        kind: 'died',
        at,
        requestId,
        error: `${event.error.errorType}: ${event.error.errorMessage}`,
        ...job,
      });
    else if (job.jobId !== undefined)
      tell({
        kind: 'handled',
        at,
        requestId,
        startedAt: since,
        jobId: job.jobId,
        handled: event.result as Handled,
      });
    else tellSweep(event.result as Reconciled, tell);
  };
  return createLambdaService({
    functions: lambdaFunctions(catalog, of.bundles, of),
    endpointUrl: of.endpointUrl,
    onInvocation,
    onLog: (name, requestId, _stream, line) =>
      tell({ kind: 'log', at: Date.now(), requestId, line, ...jobOf(name) }),
    onFailure: (record, name) => {
      if (jobIds.has(name)) of.queue.send(JSON.stringify(record));
    },
  });
}

function tellSweep({ sweep }: Reconciled, tell: Tell): void {
  if (sweep !== null) tell({ kind: 'swept', at: Date.now(), counts: sweep });
}

/** What the reconciler answered, or null when its invocation failed. */
async function invokeReconciler(lambda: LambdaService, event: unknown): Promise<unknown> {
  const { result } = await lambda.invoke(reconcilerFunction, event, 'sync').catch(() => ({ result: null }));
  return result ?? null;
}

/** What EventBridge does when an alarm rings. */
async function deliver(
  lambda: LambdaService,
  { target, scheduledTime }: Ring<Target>,
  tell: Tell,
): Promise<void> {
  try {
    if (target === 'sweep') await lambda.invoke(reconcilerFunction, { fireledger: 'sweep' }, 'async');
    else
      await lambda.invoke(
        functionName(localStage, target.jobId),
        payloadOf(target.jobId, scheduledTime),
        'async',
      );
  } catch (error) {
    tell({ kind: 'notice', at: Date.now(), text: `an alarm could not be delivered: ${String(error)}` });
  }
}

function payloadOf(jobId: string, scheduledTime: number): unknown {
  const filled = JSON.stringify(alarmPayload(jobId))
    .replace(schedulerContext.scheduledTime, toIso(scheduledTime))
    .replace(schedulerContext.attemptNumber, '1');
  return JSON.parse(filled);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
