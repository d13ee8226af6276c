import { stages } from '../../functions/config.ts';
import { alarmPayload, killMarginMs, offerPayload } from '../../functions/contract.ts';
import type { Manifest, ManifestJob } from '../../functions/domain/manifest.ts';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import { powertoolsLog, powertoolsMetrics } from '../../functions/handlers/powertools.ts';
import { defineJob, manual } from '../../functions/job.ts';
import { handleReconcile } from '../../functions/reconciler/handle.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import type { ReconcilerPorts } from '../../functions/reconciler/ports.ts';
import { loadJob } from '../../functions/runtime/load.ts';
import type { Ports } from '../../functions/runtime/ports.ts';
import { handleEvent } from '../../functions/runtime/runtime.ts';
import { createLedgerTable, dynamoLedger } from '../../functions/store/dynamodb/index.ts';
import { recordedPorts } from '../../functions/testing/recorded-ports.ts';
import { VirtualTime } from '../../functions/testing/virtual-time.ts';
import { type MeteredClient, meteredClient } from '../bench/metered-client.ts';
import { loggedBytes } from './logged-bytes.ts';
import { assumed, monthDays } from './prices.ts';
import { storedBytes } from './stored-bytes.ts';
import type { Usage } from './usage.ts';

type Code = Parameters<typeof defineJob>[0]['run'];

export interface CountedJob {
  readonly entry: ManifestJob;
  readonly run: Code;
}

export interface CountedStageProps {
  readonly jobs: readonly CountedJob[];
  readonly pools?: NonNullable<Manifest['pools']>;
  /** Of the jobs' own, with the keys pk and sk. */
  readonly tables?: readonly string[];
}

const table = 'ledger';
export const stage = 'prod';
const mb = 1 / 1_024;
const sweeperMb = 512;
/** How long what a run leaves is kept. */
const months = stages[stage].retentionDays / monthDays;
const bytesOfGb = 1e9;
/** Sent, received, deleted. */
const requestsPerMessage = 3;

/** A function with a client of its own, as deployed ones have. */
interface CountedFunction extends MeteredClient {
  readonly memoryMb: number;
  invocations: number;
}

/**
 * A deployed stage in a process: the real functions of jobs and the real reconciler with the real log, on an embedded
 * DynamoDB, by a clock that goes on when it is told to. It counts what AWS would charge for.
 */
export class CountedStage {
  now: number;
  readonly #endpoint: string;
  readonly #jobs: ReadonlyMap<string, CountedJob>;
  readonly #manifest: Manifest;
  readonly #functions = new Map<string, CountedFunction>();
  readonly #alarms = new Set<string>();
  readonly #compiled = compileOnce();
  readonly #log = powertoolsLog(stage);
  #messages: { readonly dueAt: number; readonly body: string }[] = [];
  #offers: Parameters<ReconcilerPorts['invoker']['invoke']>[0][] = [];
  #sweepAt: number;
  #sent = 0;
  #reports = 0;
  #tokens = 0;
  #logBytes = 0;

  private constructor(
    endpoint: string,
    now: number,
    jobs: readonly CountedJob[],
    pools: NonNullable<Manifest['pools']>,
  ) {
    this.#endpoint = endpoint;
    this.now = now;
    this.#sweepAt = now;
    this.#jobs = new Map(jobs.map((job) => [job.entry.id, job]));
    this.#manifest = { version: 1, jobs: jobs.map(({ entry }) => entry), pools };
  }

  /** Deployed at an instant, and then left alone for so long that its sweeps have no more to do than they always have. */
  static async deployed(
    endpoint: string,
    now: number,
    { jobs, pools = {}, tables = [] }: CountedStageProps,
  ): Promise<CountedStage> {
    const deployed = new CountedStage(endpoint, now, jobs, pools);
    const { client } = deployed.#function('sweeper', sweeperMb);
    for (const name of [table, ...tables]) await createLedgerTable(client, name);
    await deployed.until(now + 3 * minute);
    return deployed;
  }

  close(): void {
    for (const { client } of this.#functions.values()) client.destroy();
  }

  /** An alarm's delivery to the function of a job. */
  async deliver(jobId: string, fireTime: number): Promise<void> {
    const scheduledTime = toIso(fireTime);
    this.#alarms.add(`${jobId}#${scheduledTime}`);
    await this.#invoke(jobId, { ...alarmPayload(jobId), scheduledTime });
  }

  /** What the every-minute sweeps and the messages on the control queue do up to an instant. */
  async until(instant: number): Promise<void> {
    for (;;) {
      const [message] = this.#messages.sort((a, b) => a.dueAt - b.dueAt);
      const dueAt = Math.min(this.#sweepAt, message?.dueAt ?? Number.POSITIVE_INFINITY);
      if (dueAt > instant) break;
      this.now = Math.max(this.now, dueAt);
      if (message !== undefined && dueAt === message.dueAt) {
        this.#messages.shift();
        await this.#reconcile({ Records: [{ messageId: '1', body: message.body }] });
      } else {
        this.#sweepAt += minute;
        await this.#reconcile({});
      }
    }
    this.now = Math.max(this.now, instant);
  }

  /** Since it was deployed. */
  async usage(): Promise<Usage> {
    const functions = [...this.#functions.values()].map((one) => ({ ...one, ...one.consumed() }));
    const sum = (of: (one: (typeof functions)[number]) => number) =>
      functions.reduce((amount, one) => amount + of(one), 0);
    const { client } = meteredClient(this.#endpoint);
    const kept = await storedBytes(client, table);
    client.destroy();
    const busyMs = ({ requests, invocations }: (typeof functions)[number]) =>
      requests * assumed.requestMs + invocations * assumed.invocationMs;
    const sweepMs = this.#function('sweeper', sweeperMb).invocations * this.#jobs.size * assumed.sweptJobMs;
    const gbMs = sum((one) => busyMs(one) * one.memoryMb * mb) + sweepMs * sweeperMb * mb;
    const invocations = sum((one) => one.invocations);
    return {
      requests: sum(({ requests }) => requests),
      readUnits: sum(({ readUnits }) => readUnits),
      writeUnits: sum(({ writeUnits }) => writeUnits),
      storedGbMonths: (kept / bytesOfGb) * months,
      invocations,
      gbSeconds: gbMs / second,
      alarms: this.#alarms.size,
      queueRequests: this.#sent * requestsPerMessage,
      metricRequests: this.#reports,
      logBytes: this.#logBytes + invocations * assumed.lambdaLinesBytes,
    };
  }

  #function(name: string, memoryMb: number): CountedFunction {
    const known = this.#functions.get(name);
    if (known !== undefined) return known;
    const made = { ...meteredClient(this.#endpoint), memoryMb, invocations: 0 };
    this.#functions.set(name, made);
    return made;
  }

  async #invoke(jobId: string, event: unknown): Promise<void> {
    const job = this.#jobs.get(jobId);
    if (job === undefined) throw new Error(`There is no job ${jobId}.`);
    const { entry, run } = job;
    const options = { description: entry.description, schedule: manual(), missed: 'skip' } as const;
    const loaded = loadJob(entry, defineJob({ ...options, crashed: 'resume', run }));
    const counted = this.#function(jobId, entry.memoryMb);
    counted.invocations += 1;
    const invocation = {
      requestId: '00000000-0000-4000-8000-000000000000',
      remainingMs: () => entry.timeoutMs + killMarginMs,
    };
    await this.#heard(() => handleEvent(event, invocation, loaded, this.#jobPorts(counted)));
  }

  async #reconcile(event: unknown): Promise<void> {
    const began = this.now;
    this.#function('sweeper', sweeperMb).invocations += 1;
    await this.#heard(() =>
      handleReconcile(event, this.#manifest, {
        compiled: this.#compiled,
        remainingMs: () => minute - (this.now - began),
        ports: this.#reconcilerPorts(),
      }),
    );
    for (const offered of this.#offers.splice(0)) await this.#invoke(offered.jobId, offerPayload(offered));
  }

  /** What is logged meanwhile counts, once. */
  async #heard(work: () => Promise<unknown>): Promise<void> {
    this.#logBytes += await loggedBytes(work);
  }

  /** All as long as real ones: what is written has the same size whenever it is measured. */
  #drawToken(): string {
    this.#tokens += 1;
    return String(this.#tokens).padStart(24, '0');
  }

  #jobPorts({ client }: MeteredClient): Ports {
    const ledger = dynamoLedger({ client, table });
    return {
      ...recordedPorts(ledger, new VirtualTime(this.now)).ports,
      clock: () => this.now,
      // No attempt lasts here, and none is late.
      after: () => () => {},
      random: () => 0.5,
      drawToken: () => this.#drawToken(),
      nudger: this.#nudger,
      log: this.#log,
      metrics: powertoolsMetrics(stage),
      meter: { start: () => ({ used: () => bill, stop: () => {} }) },
      pid: 8,
    };
  }

  #reconcilerPorts(): ReconcilerPorts {
    return {
      ledger: dynamoLedger({ client: this.#function('sweeper', sweeperMb).client, table }),
      clock: () => this.now,
      loadedAt: 0,
      sleep: async (ms) => {
        this.now += ms;
      },
      drawToken: () => this.#drawToken(),
      invoker: { invoke: async (offered) => void this.#offers.push(offered) },
      nudger: this.#nudger,
      notifier: { notify: async () => {} },
      stage,
      log: this.#log,
      metrics: {
        report: async () => {
          this.#reports += 1;
        },
        undeliverable: async () => {},
      },
      tzdata: '2026a',
    };
  }

  get #nudger(): Ports['nudger'] {
    const send = (message: object, delaySeconds = 0) => {
      this.#sent += 1;
      this.#messages.push({ dueAt: this.now + delaySeconds * second, body: JSON.stringify(message) });
    };
    return {
      nudge: async (why, delaySeconds) => send({ fireledger: 'nudge', why }, delaySeconds),
      announce: async ({ jobId, key }, delaySeconds) =>
        send({ fireledger: 'notice', jobId, run: key }, delaySeconds),
    };
  }
}

/** An attempt's, with all that Lambda lets it measure. */
const bill = {
  wallMs: 812.4,
  cpuUserMs: 103.2,
  cpuSystemMs: 21.7,
  peakMemoryMb: 121.3,
  readBytes: 1_048_576,
  writtenBytes: 8_192,
  receivedBytes: 24_310,
  sentBytes: 9_120,
  eventLoopDelayMs: 11.8,
};
