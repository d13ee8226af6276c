import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Bill } from '../domain/bill.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import type { Clock, DrawToken, Log, Nudger } from '../domain/ports.ts';
import type { Timetable } from '../domain/schedule/index.ts';
import type { Context, Fire } from '../job.ts';

/** A job whose code is loaded: what the manifest says of it, and what only its file has. */
export interface LoadedJob {
  readonly entry: ManifestJob;
  readonly timetable: Timetable;
  /** The author's code, after the check of its input. */
  run(fire: Fire, ctx: Context): Promise<unknown>;
}

/** What a Lambda invocation tells about itself. */
export interface Invocation {
  readonly requestId: string;
  /** Milliseconds until the process is killed. */
  remainingMs(): number;
}

/** What is counted about deliveries and attempts; `flush` publishes it, once per invocation. */
export interface Metrics {
  count(what: 'succeeded' | 'failed' | 'canceled' | 'skipped' | 'duplicates' | 'strays'): void;
  /** From the due instant to the start of a scheduled fire's first attempt. */
  lateness(ms: number): void;
  used(bill: Bill): void;
  flush(): void;
}

/** Measures what this process uses, of which an attempt is all while it runs. */
export interface Meter {
  start(): Measurement;
}

export interface Measurement {
  /** Since its start. */
  used(): Bill;
  /** From then on nothing is measured. */
  stop(): void;
}

/** Calls back once `ms` milliseconds are over. Returns how to call that off. */
export type After = (ms: number, onOver: () => void) => () => void;

/** Rejections and exceptions of job code that nothing caught. While somebody listens they do not end the process. */
export interface Faults {
  /** Returns how to stop listening. */
  listen(onFault: (error: unknown) => void): () => void;
}

/** The secrets of a job. */
export interface Secrets {
  /** @throws SecretError when it is not declared, or can't be read */
  value(name: string): Promise<string>;
  /** The same with `[secret NAME]` in the place of each value that was read, wherever it is; itself when there is none in it. */
  hidden<T>(of: T): T;
}

export interface Ports {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly after: After;
  /** At least 0, below 1: the jitter of pauses. */
  readonly random: () => number;
  readonly drawToken: DrawToken;
  readonly nudger: Nudger;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly faults: Faults;
  readonly meter: Meter;
  /** The one client for job code, made when it is first asked for. */
  readonly dynamo: () => DynamoDBDocumentClient;
  readonly secrets: Secrets;
  /** Ends the process, and with it whatever job code is still alive. */
  readonly exit: (code: number) => void;
  readonly pid: number;
}
