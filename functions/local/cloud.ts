import { bundleFunctions, type Catalog } from '../catalog/index.ts';
import type { Ledger } from '../domain/ledger.ts';
import { second } from '../domain/time.ts';
import { chaosOf, repairMs } from './chaos.ts';
import { alarmsOf, controlQueue, controlQueueUrl } from './cloud-functions.ts';
import { startData } from './data.ts';
import type { DataFolder } from './datafolder.ts';
import { consumeControl, deliver, sweepOnce } from './delivery.ts';
import { type ChaosReport, disturb } from './disturb.ts';
import { startEndpoint } from './endpoint/endpoint.ts';
import type { Tell } from './events.ts';
import type { Rang } from './final-audit.ts';
import { hostFunctions } from './function-host.ts';
import type { LambdaService } from './lambda/contract.ts';
import { createQueue } from './queue.ts';
import { startSchedulers } from './schedulers.ts';
import { secretsFile, secretsIn } from './secrets-file.ts';

export interface CloudOptions {
  readonly catalog: Catalog;
  readonly folder: DataFolder;
  readonly instances: number;
  /** @default any free one */
  readonly port?: number;
  /** With the example's tables and the server that stands in for its outside addresses. */
  readonly withExample: boolean;
  /** The seed by which deliveries and processes are disturbed. @default - nothing is */
  readonly chaosSeed?: number;
  readonly tell: Tell;
}

export interface Cloud {
  readonly ledger: Ledger;
  /** Which DynamoDB serves. */
  readonly engine: string;
  readonly endpointUrl: string;
  /** Resolves, with what to tell a person, when the ledger is lost: nothing can be recorded any more. */
  readonly lost: Promise<string>;
  /** The ids of the jobs that are running. */
  busy(): string[];
  /** No more alarms and no more chaos, and nothing new is started; waits for what runs. `left`: job ids. */
  drain(ms: number): Promise<Rang & { left: string[] }>;
  /** What chaos has done; undefined without it. */
  chaos(): ChaosReport | undefined;
  close(): Promise<void>;
}

/** How long a start waits for the first sweep: with a long outage to work through it goes on behind. */
const firstSweepMs = 1.5 * second;

/** Ends, newest first, what was started. */
type Started = (() => Promise<void> | void)[];

/** Starts the cloud on this machine; what was begun is ended again when a part can't start. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const started: Started = [];
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
  { catalog, folder, tell, chaosSeed, ...options }: CloudOptions,
  started: Started,
  close: () => Promise<void>,
): Promise<Cloud> {
  const { promise: lost, resolve: onLost } = promiseOf<string>();
  const [bundles, { dynamoDb, ledger, fixtureOrigin }] = await Promise.all([
    bundleFunctions({ catalog, outDir: folder.path('bundles') }),
    startData({ ...options, folder, tell, onLost }, started),
  ]);
  const chaos =
    chaosSeed === undefined ? null : disturb({ chaos: chaosOf(chaosSeed), lambda: () => lambda, tell });
  const invoke: LambdaService['invoke'] = (...invocation) => (chaos ?? lambda).invoke(...invocation);
  const queue = createQueue({
    name: controlQueue,
    ...(chaos && { arrivals: chaos.arrivals }),
    consume: (event) => consumeControl(lambda, event),
    onUnreadable: ({ body }) =>
      tell({ kind: 'notice', at: Date.now(), text: `unreadable control message: ${body}` }),
  });
  started.push(() => void queue.close());
  const endpoint = await startEndpoint({
    port: options.port,
    dynamoDb: dynamoDb.endpoint,
    queues: { [controlQueue]: queue },
    invoke,
    onMetrics: () => undefined,
    onPublish: ({ subject, message: text }) => tell({ kind: 'letter', at: Date.now(), subject, text }),
    secrets: secretsIn(secretsFile),
    onNotEmulated: (text) => tell({ kind: 'notice', at: Date.now(), text }),
  });
  started.push(() => endpoint.close());
  const endpointUrl = endpoint.url;
  const { lambda, jobOf } = hostFunctions({ catalog, bundles, endpointUrl, fixtureOrigin, queue, tell });
  started.push(() => lambda.close());
  // From here on schedules are in force, and what becomes due is to be delivered.
  const since = Date.now();
  await Promise.race([sweepOnce(lambda), pause(firstSweepMs)]);
  folder.announce({ endpoint: dynamoDb.endpoint, controlQueueUrl: controlQueueUrl(endpointUrl) });
  const schedulers = startSchedulers(alarmsOf(catalog), {
    instances: options.instances,
    since,
    clock: Date.now,
    ring: (ring) => void deliver({ invoke }, ring, tell),
  });
  started.push(() => void schedulers.stop());
  const jobsOf = (invocations: readonly { functionName: string }[]) =>
    invocations.flatMap(({ functionName }) => jobOf(functionName) ?? []);
  return {
    ledger,
    engine: dynamoDb.engine,
    endpointUrl,
    lost,
    busy: () => jobsOf(lambda.pids().filter(({ requestId }) => requestId !== undefined)),
    drain: async (ms) => {
      const rang = { ...schedulers.stop(), ...(chaos && { repairMs }) };
      chaos?.calm();
      return { ...rang, left: jobsOf(await lambda.drain(ms)) };
    },
    chaos: () => chaos?.report(),
    close,
  };
}

function promiseOf<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
