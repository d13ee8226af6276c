import type { DynamoDBDocumentClient, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type pools from '#pools';
import type { Permission } from './domain/manifest.ts';
import type { Log } from './domain/ports.ts';
import type { Trigger } from './domain/run.ts';
import type { Dst, Exception, Schedule } from './domain/schedule/index.ts';

export { Fatal, Retry } from './domain/failures.ts';
export { definePools } from './domain/pools.ts';
export { at, cron, every, manual } from './domain/schedule/index.ts';
export { CommitRefused, FenceError, StepError, UncertainStep } from './domain/step-errors.ts';

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
  /** 1 for the first; and again for the first since a person has had the run tried once more. */
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
  /** The result was larger than 64 KB, and is not kept. */
  readonly trimmed?: true;
}

/** What `ctx.continueWith` gives, for the handler to return. */
export interface Continuation {
  readonly fireledger: 'continue';
  readonly cursor?: unknown;
}

export interface StepOptions {
  /** How often a failing step is tried again, in the same attempt. 0 to 20. @default 0 */
  readonly retries?: number;
  /** Pauses between are drawn from 0 to this, doubled each time; at least a second, at most a minute. @default '1 second' */
  readonly backoff?: Duration;
}

/** Whether a step was done, as its code can find out. `result`: what it would have returned. */
export type Verified<Result> = { readonly done: true; readonly result: Result } | { readonly done: false };

export interface OnceOptions<Result> {
  /** Finds out whether the step was done by an attempt that died over it. @default the run is parked, and a person is asked */
  readonly verify?: () => Verified<Result> | Promise<Verified<Result>>;
}

export interface MapOptions<Item> extends StepOptions {
  /** What tells an item from the others, the same in each attempt: a text of 1 to 200 characters. */
  readonly key: (item: Item, index: number) => string;
  /** So many items are worked on at once. 1 to 1000. @default 10 */
  readonly concurrency?: number;
  /**
   * So many results go on record at once, or fewer once one of them is 5 seconds old; a crash may have so many items done
   * again, and no more. 1 to 1000. @default 100
   */
  readonly batch?: number;
}

export interface CommitOptions {
  /** The run ends with this commit: its finish is in the transaction. Return after it: the job's next run may begin. @default false */
  readonly final?: boolean;
  /** Of a run that ends with this commit: its result, in the place of what the handler returns. JSON, at most 64 KB are kept. */
  readonly result?: unknown;
}

/** A write as `TransactWriteCommand` takes it: a `Put`, an `Update`, a `Delete` or a `ConditionCheck`, of plain values. */
export type CommitWrite = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

type Awaitable<T> = T | Promise<T>;

/** What a running job has at hand. */
export interface Context<Secret extends string = string> {
  /** Aborts at the job's timeout, or when the run is canceled. A handler that ignores it is stopped with its process. */
  readonly signal: AbortSignal;
  /** Milliseconds until the job's timeout. */
  remainingMs(): number;
  readonly log: Log;
  /** Reads the newest success before this fire; null when there is none. */
  previous(): Promise<PreviousSuccess | null>;
  /**
   * Returned by the handler: the run goes on in another attempt, with a new timeout, and keeps its slot and its pools. For
   * work that takes longer than one attempt may; at most 500 times. `cursor`: JSON, where it is to go on.
   */
  continueWith(cursor?: unknown): Continuation;
  /** The cursor with which the attempt before this one ended; undefined in the first. */
  readonly cursor: unknown;
  /** Little of the timeout is left (30 s or a tenth of it, what is longer): time for `continueWith`. */
  shouldContinue(): boolean;
  /** How far it is, for people who look: `ctx.progress(120, 500, 'invoices')`. Kept at most every 5 s; costs a request each time. */
  progress(done: number, total?: number, note?: string): void;
  /**
   * A step of the work, by a name of 1 to 100 characters that no other step of the run has. Its result, as JSON of at most
   * 300 KB, is kept with one request; a later attempt of the run gets it instead of doing the step again. A crash between the
   * work and that request has the step done once more. `crashed: 'rerun'` does all plain steps anew.
   *
   * @throws StepError for a name or a result that can't be, FenceError when another attempt owns the run by now
   */
  step<Result>(name: string, work: () => Awaitable<Result>): Promise<Result>;
  step<Result>(name: string, options: StepOptions, work: () => Awaitable<Result>): Promise<Result>;
  /**
   * A step that is done at most once, whatever happens: two requests. When an attempt died over it, or its work threw, nobody
   * knows whether it was done: then `verify` finds out, or the run is parked until a person says.
   *
   * @throws UncertainStep, StepError, FenceError
   */
  once<Result>(name: string, work: () => Awaitable<Result>): Promise<Result>;
  once<Result>(name: string, options: OnceOptions<Result>, work: () => Awaitable<Result>): Promise<Result>;
  /**
   * A step for each item, several at once; the results in the items' order. They are recorded a batch at a time: 10,000 items
   * cost 100 requests. A crash has at most one batch of items done again; those that must not be commit, or use `once`. The
   * first item that fails ends it, once those that had begun are through.
   *
   * @throws StepError for keys that are not unique, and as `step` does
   */
  map<Item, Result>(
    items: readonly Item[],
    options: MapOptions<Item>,
    work: (item: Item, index: number) => Awaitable<Result>,
  ): Promise<Result[]>;
  map<Item, Result>(
    name: string,
    items: readonly Item[],
    options: MapOptions<Item>,
    work: (item: Item, index: number) => Awaitable<Result>,
  ): Promise<Result[]>;
  /**
   * Writes to the job's own DynamoDB tables exactly once: in one transaction with the proof that this attempt owns the run, and
   * with the step's record, by which a later attempt knows it. At most 98 writes; its job needs the permissions for them.
   *
   * @throws CommitRefused when a condition of the writes doesn't hold, StepError for what can't be written, FenceError
   */
  commit(name: string, writes: readonly CommitWrite[], options?: CommitOptions): Promise<void>;
  /**
   * Declares what this attempt used of something: `ctx.meter('reports-db', { reads: 1200 })`. Calls add up, and go on the
   * attempt's bill.
   *
   * @throws RangeError for more than 20 names or 10 units of one, and for amounts below 0
   */
  meter(name: string, amounts: Readonly<Record<string, number>>): void;
  /**
   * The value of a secret, by its name in the job's `secrets`. Read when it is first asked for, and again after 5 minutes. Once
   * read, `[secret NAME]` stands for it in what is logged by `ctx.log`, thrown, returned, or kept of steps and progress.
   *
   * @throws SecretError, which says what was asked for and where, when it can't be read
   */
  secret(name: Secret): Promise<string>;
  /** A client of DynamoDB whose consumed capacity goes on the attempt's bill. */
  readonly dynamo: DynamoDBDocumentClient;
}

/**
 * A scheduled job. `missed` and `crashed` have no default: they are the two questions that every scheduled job must
 * answer.
 */
export interface JobOptions<Input = unknown, Secret extends string = string> {
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
  /**
   * Checks and types the input of manual runs: a Standard Schema, such as one of zod, valibot or arktype. A job without it
   * takes no input. @default none
   */
  readonly input?: StandardSchemaV1<unknown, Input>;
  /** Keeps the history of a moved file: its old id. @default its path below functions/jobs */
  readonly id?: string;
  /**
   * Tries a run again that fails or runs out of time. `attempts`: 2 to 20, of all together, the first included. Before each
   * it pauses, for a random time from 1 second up to `backoff`, then twice that, and so on, at most `cap`; both are
   * '1 second' to '24 hours'. @default one attempt; backoff '1 minute', cap '1 hour'
   */
  readonly retry?: { readonly attempts: number; readonly backoff?: Duration; readonly cap?: Duration };
  /** Pauses the job after so many failed fires in a row, 1 to 1000, until a person resumes it. @default never */
  readonly pauseAfter?: number;
  /**
   * Whether people are told when it fails for good, is parked, is paused after its failures, or has missed fires that can't
   * be made up. @default true
   */
  readonly notify?: boolean;
  /**
   * Whether what its function counts is in metrics of its own too, under the dimension `job`: up to ten of them, at about
   * $0.30 a month each (November 2026). The stage's metrics and the ledger have it all without. @default false
   */
  readonly metrics?: boolean;
  /**
   * Secrets that its code reads by `ctx.secret('API_KEY')`: under which name each is kept, in Secrets Manager
   * (`{ API_KEY: 'billing/api-key' }`) or, beginning with `/`, in Parameter Store. `{stage}` is the stage's name; `#key` picks one
   * text of a JSON object. @default none
   */
  readonly secrets?: Readonly<Record<Secret, string>>;
  /** The network of functions/config.ts that its Lambda is in, by name. Locally it is in none. @default none */
  readonly vpc?: string;
  /** The work. Its return value, as JSON, is kept as the run's result. */
  readonly run: (fire: Fire<Input>, ctx: Context<Secret>) => unknown;
}

/** A job file's default export. */
export interface Job<Input = unknown> {
  /** A plain mark, so that a job is recognised whichever copy of this module made it. */
  readonly fireledger: 'job';
  readonly options: JobOptions<Input>;
}

/** Declares a scheduled job: the default export of a file under functions/jobs/. Checked when the jobs are loaded, all files at once. */
export function defineJob<Input = unknown, Secret extends string = never>(
  options: JobOptions<Input, Secret>,
): Job<Input> {
  return { fireledger: 'job', options };
}
