import type { Action, ActionRange } from './action.ts';
import type { Bill } from './bill.ts';
import type { DayLedger, Reopening } from './closed-days/index.ts';
import type { CatchUp, JobState, SpecVersion } from './job-state.ts';
import type { PublishedManifest } from './manifest.ts';
import type { RunRef } from './names.ts';
import type { Noticed } from './notices/due.ts';
import type { PoolState, PublishedPool } from './pools.ts';
import type { Attempt, AttemptOutcome, Run, RunState, Suspicion } from './run.ts';
import type { ZoneRecord } from './schedule/index.ts';
import type { StepAnswer, StepRecord, StepWrite } from './steps.ts';
import type { Succession } from './succession.ts';
import type { Watermark } from './watermark.ts';

/** The state and the token that a move starts from; all of it must still hold. */
export interface Fence {
  readonly state: RunState;
  readonly token: string;
  /** Nobody has asked for its end: a request leaves the token to the attempt that owns it. */
  readonly unasked?: true;
}

/** What a move changes. Fields named in `clear` are removed. The state of the run is always part of it. */
export interface RunChange {
  readonly set: Partial<Omit<Run, 'jobId' | 'key' | 'fireTime' | 'attempts' | 'duplicates' | 'createdAt'>> & {
    readonly state: RunState;
  };
  readonly clear?: readonly Clearable[];
  /** A new attempt starts. */
  readonly attempt?: Attempt;
  /** The attempt with this number has ended. */
  readonly settle?: {
    readonly number: number;
    readonly settledAt: number;
    readonly outcome: AttemptOutcome;
    readonly suspected?: Suspicion;
  };
  /** What the attempt with this number used. */
  readonly measured?: { readonly number: number; readonly bill: Bill };
}

/** What of a run a move may take away. */
export type Clearable =
  | 'reason'
  | 'attentionAt'
  | 'suspected'
  | 'timedOutAt'
  | 'settledAt'
  | 'error'
  | 'holds'
  | 'waitsFor'
  | 'waitingSince'
  | 'seniority'
  | 'cancelRequested'
  | 'unsent'
  | 'cursor'
  | 'uncertain';

/**
 * What a write of a run does besides, in the same transaction: to its job's state item, and to pools. Every given condition
 * must hold.
 */
export interface Effect {
  readonly require?: {
    readonly unpaused?: true;
    readonly specId?: string;
    /** The version of the schedule in force was published before this instant: what was due then is for it to say. */
    readonly inForceBefore?: number;
    /** The tally of missed fires is as it was read: a write that got no answer may have been carried out since. */
    readonly catchUp?: CatchUp;
    /** Nobody waits for the job's slot. */
    readonly unqueued?: true;
  };
  /** Take: the slot must be free. Free: the slot must be this run's. */
  readonly slot?: 'take' | 'free';
  readonly set?: {
    readonly lastSuccess?: { readonly fireTime: number; readonly settledAt: number };
    readonly failuresInARow?: 0;
    readonly catchUp?: CatchUp;
  };
  readonly addFailureInARow?: true;
  /** One more run waits for the slot, or one less. */
  readonly addQueued?: 1 | -1;
  /** At most one for each pool. */
  readonly pools?: readonly PoolEffect[];
  /** A line of the log of actions. */
  readonly action?: Action;
  /** Whoever begins a run of a day that may be closed opens that day again. */
  readonly reopens?: Reopening;
}

/** A move of a run as one transaction. */
export interface Move {
  readonly fence: Fence;
  readonly change: RunChange;
  readonly effect: Effect;
}

/** What a write does to a pool, which must exist. */
export interface PoolEffect {
  readonly pool: string;
  /**
   * Take: so much of it must be free, and this run must hold nothing of it. Free: this run must hold just that much of it.
   * `weight` ≥ 1.
   */
  readonly hold?: { readonly kind: 'take' | 'free'; readonly weight: number };
  /** Nobody waits for it. */
  readonly require?: { readonly unwaited: true };
  /** One more run waits for it, or one less. */
  readonly addWaiting?: 1 | -1;
}

/**
 * What became of a conditional write.
 * - `done`: written. `run`: the record as it now is, when the write gave it for nothing.
 * - `refused`: nothing was written. `run`: the record that stands in the way, when the run's condition failed (null: there
 *   is none). `job`: the state item, when a condition on it failed (null: there is none). `pools`: those whose conditions
 *   failed, by name (null: there is no such pool). Absent: that condition held.
 * - `conflict`: nothing was written; transactions collided and tries ran out.
 * A writer whose answer was lost is refused by its own record; the domain recognises it by its token (`decideStart`, …).
 */
export type Answer =
  | { readonly kind: 'done'; readonly run?: Run }
  | {
      readonly kind: 'refused';
      readonly run?: Run | null;
      readonly job?: JobState | null;
      readonly pools?: Readonly<Record<string, PoolState | null>>;
    }
  | { readonly kind: 'conflict' };

export interface ReconcilerState {
  readonly watermark?: Watermark;
  /** Of the manifest that was last published. */
  readonly manifestId?: string;
  /** Which manifests took force last. */
  readonly succession?: Succession;
  /** When the last sweep ended. */
  readonly sweptAt?: number;
  /** Of the zone table that was last saved. */
  readonly zones?: Pick<ZoneTable, 'tzdata' | 'recordedAt'>;
  /** Since when each turn has found fires that it could not record. Absent: the last one recorded all. */
  readonly gapSince?: number;
  /** What people were told within the last hour. Absent: nothing. */
  readonly noticed?: Noticed;
}

/** The offsets of the jobs' time zones, as one release of the IANA database has them. */
export interface ZoneTable {
  readonly tzdata: string;
  readonly recordedAt: number;
  readonly zones: Readonly<Record<string, ZoneRecord>>;
}

export interface HistoryRange {
  /** Both inclusive, epoch milliseconds. Manual runs lie at their fire time. */
  readonly from: number;
  readonly to: number;
  readonly order?: 'oldest-first' | 'newest-first';
  readonly limit?: number;
}

/** A run on the index of open runs, and its place there. */
export interface OpenRef extends RunRef {
  readonly attentionAt: number;
}

export interface PauseOptions {
  readonly require?: { readonly failuresInARow: number } | { readonly pausedAt: number };
  /** A line of the log of actions, in the same transaction. */
  readonly action?: Action;
}

/** Told of a run whose record is there, in a form that this code does not know. */
export type OnUnreadable = (ref: RunRef, error: unknown) => void;

/** The store can never take what it was given; sending it again is of no use. */
export class Unwritable extends Error {
  override readonly name = 'Unwritable';
}

/**
 * The ledger in the domain's verbs. The domain decides what to write; a store writes it under its conditions or says
 * what stood in the way. Reads are consistent but for `open`, which suggests and never decides.
 * A method rejects when the store could not be reached or did not answer: then nothing is known. With `Unwritable` it rejects
 * what it can't take: then nothing was written.
 */
export interface Ledger extends DayLedger {
  /** Puts a run where none is. Without an effect one conditional put, else one transaction. */
  create(run: Run, effect?: Effect): Promise<Answer>;
  /** Moves a run from `fence`. `requestToken` tells retries of one move apart from other moves (≤ 36 characters). */
  move(
    ref: RunRef,
    fence: Fence,
    change: RunChange,
    options?: { effect?: Effect; requestToken?: string },
  ): Promise<Answer>;

  /** What is known of a run's steps, in no particular order. */
  steps(ref: RunRef): Promise<StepRecord[]>;
  /**
   * Writes a step of the run that is where `fence` says, in one transaction with all that goes with it.
   * More writes than `roomForWrites` are `Unwritable`.
   */
  writeStep(ref: RunRef, fence: Fence, write: StepWrite): Promise<StepAnswer>;

  /** One more refused delivery of a fire. Nothing happens when the run is gone. */
  countDuplicate(ref: RunRef): Promise<void>;
  /**
   * One more delivery that started nothing. `refusedFire`: it was of this fire, which could not be claimed yet. Nothing
   * happens when the job is unknown.
   */
  countStray(jobId: string, refusedFire?: number): Promise<void>;
  /** Notes a reported death on a running attempt that has this request id; false when there is none such. */
  suspect(ref: RunRef, suspicion: Suspicion): Promise<boolean>;

  run(ref: RunRef): Promise<Run | null>;
  /**
   * Of any number of runs; those that do not exist are left out. One whose record can't be read is handed to `onUnreadable`
   * and left out; without it, it rejects.
   */
  runs(refs: readonly RunRef[], onUnreadable?: OnUnreadable): Promise<Run[]>;
  /** A job's runs by fire time, in pages. */
  history(jobId: string, range: HistoryRange): AsyncIterable<Run>;
  /**
   * Open runs whose `attentionAt` is within [from, until], soonest first, at most `limit`. May be stale.
   * `from`: the beginning, unless given.
   */
  open(until: number, limit: number, from?: number): Promise<OpenRef[]>;
  job(jobId: string): Promise<JobState | null>;
  jobs(jobIds: readonly string[]): Promise<Map<string, JobState>>;
  /** Of these names; one that was never published is left out. */
  pools(names: readonly string[]): Promise<Map<string, PoolState>>;
  /** All versions of a job's schedule, oldest first. */
  specs(jobId: string): Promise<SpecVersion[]>;

  /**
   * Puts a version of a job's schedule in force (`spec: null` takes the job out of force), provided that `replaces` (the
   * spec id in force, or null) still is. Refused: another one is. Operator state, slot and tallies stay untouched.
   */
  publish(version: SpecVersion, replaces: string | null): Promise<'done' | 'refused'>;
  /**
   * Gives a pool its capacity, provided that it still has `replaces` (null: there is no such pool); what is free changes by
   * the difference, and may go below zero until runs give back what they hold. Refused: it has another one by now. Holds
   * and waiters stay untouched.
   */
  publishPool(pool: PublishedPool, replaces: number | null): Promise<'done' | 'refused'>;
  /** The manifest that was last saved. */
  manifest(): Promise<PublishedManifest | null>;
  saveManifest(manifest: PublishedManifest): Promise<void>;
  /** The zone table that was last saved. */
  zones(): Promise<ZoneTable | null>;
  saveZones(table: ZoneTable): Promise<void>;

  /** Takes the reconciler's lease when it is free, expired or already this token's; null when another holds it. */
  acquire(token: string, now: number, until: number): Promise<ReconcilerState | null>;
  /** Writes the reconciler's state; false when the lease is no longer this token's (nothing is written). */
  save(token: string, state: ReconcilerState): Promise<boolean>;
  /** Gives the lease back. */
  releaseLease(token: string): Promise<void>;

  /**
   * Sets or clears a job's pause; with its end a new row of failures begins. `failuresInARow`: only a job that is not paused and
   * has at least so many. `pausedAt`: only one whose pause was set then. False when the job is unknown or not so.
   */
  setPause(jobId: string, pause: JobState['paused'] | null, options?: PauseOptions): Promise<boolean>;

  /** Writes a line of the log of actions that goes with no other write. */
  log(action: Action): Promise<void>;
  /** The log of actions, newest first, in pages. */
  actions(range: ActionRange): AsyncIterable<Action>;
}
