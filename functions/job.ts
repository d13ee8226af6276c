import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type pools from '#pools';
import type { Permission } from './domain/manifest.ts';
import type { Log } from './domain/ports.ts';
import type { Trigger } from './domain/run.ts';
import type { Dst, Exception, Schedule } from './domain/schedule/index.ts';

export { definePools } from './domain/pools.ts';
export { at, cron, every, manual } from './domain/schedule/index.ts';

/** A length of time such as `'90 seconds'`, `'10 minutes'`, `'1 hour'`, `'7 days'`. */
export type Duration = `${number} ${'second' | 'minute' | 'hour' | 'day'}${'' | 's'}`;

export type PoolName = keyof typeof pools & string;

/** How much of each pool of functions/pools.ts a run takes. While none is declared there is nothing to take. */
export type PoolWeights = [PoolName] extends [never]
  ? Readonly<Record<string, never>>
  : Readonly<Partial<Record<PoolName, number>>>;

/** What to do about fires that nothing claimed within their grace. */
export type Missed =
  | 'all'
  | 'latest'
  | 'skip'
  | {
      readonly policy: 'all' | 'latest' | 'skip';
      /** At most so many of one outage are made up, the newest. @default 100 */
      readonly limit?: number;
      /** Older ones are recorded as missed. @default '7 days' */
      readonly maxAge?: Duration;
      /** At most so many are started a minute. @default 10 */
      readonly rate?: number;
    };

/** The fire that an attempt runs for. */
export interface Fire<Input = unknown> {
  /** `billing/send-invoices#2026-12-01T00:00:00Z`: the same in every attempt; the idempotency key for outside calls. */
  readonly id: string;
  readonly jobId: string;
  /** When it was due. Work by this, not by the clock. */
  readonly fireTime: Date;
  /** The same instant in the job's zone: `2026-12-01T03:00:00+08:00`. */
  readonly localTime: string;
  readonly timezone: string;
  readonly trigger: Trigger;
  /** 1 for the first. */
  readonly attempt: number;
  /** Under `missed: 'latest'`: the older missed fires that this one stands for, oldest first. */
  readonly covers: readonly Date[];
  /** The fire after this one, or null when there is none. */
  readonly next: Date | null;
  readonly input: Input;
}

/** The newest success before a fire. */
export interface PreviousSuccess {
  readonly fireTime: Date;
  readonly result: unknown;
}

/** What a running job has at hand. */
export interface Context {
  /** Aborts at the job's timeout, or when the run is canceled. A handler that ignores it is stopped with its process. */
  readonly signal: AbortSignal;
  /** Milliseconds until the job's timeout. */
  remainingMs(): number;
  readonly log: Log;
  /** Reads the newest success before this fire; null when there is none. */
  previous(): Promise<PreviousSuccess | null>;
  /**
   * Declares what this attempt used of something: `ctx.meter('reports-db', { reads: 1200 })`. Calls add up, and go on the
   * attempt's bill.
   *
   * @throws RangeError for more than 20 names or 10 units of one, and for amounts below 0
   */
  meter(name: string, amounts: Readonly<Record<string, number>>): void;
  /** A client of DynamoDB whose consumed capacity goes on the attempt's bill. */
  readonly dynamo: DynamoDBDocumentClient;
}

/**
 * A scheduled job. `missed` and `crashed` have no default: they are the two questions that every scheduled job must
 * answer.
 */
export interface JobOptions<Input = unknown> {
  /** One sentence for the person on call. */
  readonly description: string;
  /** When it is due: `cron('0 3 * * *')`, `every('5 minutes')`, `at('2027-01-01T09:00')`, `manual()`, or several. */
  readonly schedule: Schedule | readonly Schedule[];
  /** An IANA name. @default required unless every schedule is absolute (`every`, `manual`) and no option names a local date */
  readonly timezone?: string;
  /**
   * What becomes of local times that the clocks skip (`gap`) or show twice (`repeat`).
   * @default gap next, repeat first; elapsed time for a cron whose hour field begins with `*`
   */
  readonly dst?: Dst;
  /** The first local date (`2027-01-01`) or time (`2027-01-01T09:00`) at which it may be due. @default no bound */
  readonly from?: string;
  /** The last local date or time at which it may be due; a date is the whole of its day. @default no bound */
  readonly until?: string;
  /**
   * Fires that are recorded as skipped and not run: a local date (`2026-12-25`), a range of dates, both included
   * (`2026-12-24/2027-01-02`), a schedule such as `cron('0 3 1 * *')`, or a list of them. @default none
   */
  readonly except?: Exception | readonly Exception[];
  /** Puts every time off by a number of whole minutes below this, which the job's id alone determines. @default none */
  readonly spread?: Duration;
  /** What if it didn't run? Make it up every time, once, or not at all. */
  readonly missed: Missed;
  /** What if it died half-way? Run it again, resume it after its last step, or stop and ask a person. */
  readonly crashed: 'rerun' | 'resume' | 'park';
  /** What if the one before still runs? @default 'skip' */
  readonly overlap?: 'skip' | 'queue' | 'queue-one' | 'cancel-running' | 'allow';
  /** Under `overlap: 'queue'`: so many fires wait at most; the oldest beyond are superseded. @default 100 */
  readonly maxQueued?: number;
  /** One that has waited longer for its job's slot or its pools is skipped. @default for ever */
  readonly maxWait?: Duration;
  /** What a run takes of shared capacities: `{ 'reports-db': 2 }`. It waits until there is so much left of each. @default nothing */
  readonly pools?: PoolWeights;
  /** Of runs that wait for the same pools, higher ones go first: -100 to 100. Made-up runs count one less. @default 0 */
  readonly priority?: number;
  /** Longest time of one attempt, at most 14.5 minutes. @default '5 minutes' */
  readonly timeout?: Duration;
  /** How late an alarm may still start it; later it counts as missed. @default '3 minutes' */
  readonly grace?: Duration;
  /** Megabytes of its Lambda, 128 to 10240. @default 256 */
  readonly memory?: number;
  /** Variables of its Lambda, besides fireledger's own. @default none */
  readonly environment?: Readonly<Record<string, string>>;
  /** What its role may do besides its own records: plain data; `{stage}` in a resource is the stage's name. @default nothing */
  readonly permissions?: readonly Permission[];
  /** Stages in which it is deployed. @default all */
  readonly stages?: readonly string[];
  /** Checks and types the input of manual runs. @default none */
  readonly input?: StandardSchemaV1<unknown, Input>;
  /** Keeps the history of a moved file: its old id. @default its path below functions/jobs */
  readonly id?: string;
  readonly retry?: { readonly attempts: number; readonly backoff?: Duration };
  readonly pauseAfter?: number;
  readonly notify?: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly vpc?: string;
  /** The work. Its return value, as JSON, is kept as the run's result. */
  readonly run: (fire: Fire<Input>, ctx: Context) => unknown;
}

/** A job file's default export. */
export interface Job<Input = unknown> {
  /** A plain mark, so that a job is recognised whichever copy of this module made it. */
  readonly fireledger: 'job';
  readonly options: JobOptions<Input>;
}

/** Declares a scheduled job: the default export of a file under functions/jobs/. Checked when the jobs are loaded, all files at once. */
export function defineJob<Input = unknown>(options: JobOptions<Input>): Job<Input> {
  return { fireledger: 'job', options };
}
