import type { DayRecord, DayRef } from '../domain/closed-days/index.ts';
import type { JobState } from '../domain/job-state.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import type { RunRef } from '../domain/names.ts';
import type { PoolState } from '../domain/pools.ts';
import type { Verdict } from '../domain/release.ts';
import type { Run, Trigger } from '../domain/run.ts';
import type { StepKind, StepRecord } from '../domain/steps.ts';
import type { SweepCounts } from '../reconciler/ports.ts';
import type { MemoryLedger } from '../store/memory.ts';
import type { MemoryItem } from '../store/memory-tables.ts';

/** One execution of job code, as it truly happened, whatever the ledger says. */
export interface Body extends RunRef {
  /** Of all bodies of a simulation, from 1. */
  readonly number: number;
  readonly fireTime: number;
  readonly trigger: Trigger;
  /** Its attempt's number on record. */
  readonly attempt: number;
  /** The token that its process has drawn, and how often its run had been begun anew when it began. */
  readonly token: string;
  readonly restarts: number;
  /** As the job's code was told: which try it is, and where the attempt before it ended. */
  readonly tries: number;
  readonly cursor: unknown;
  readonly covers: readonly number[];
  /** The version of the job that its sandbox was deployed with. */
  readonly job: ManifestJob;
  /** True time, epoch milliseconds. */
  readonly beganAt: number;
  /** Its sandbox's clock is ahead of the true time by so much. */
  readonly skewMs: number;
  /** Started by an offer rather than an alarm's delivery. */
  readonly byOffer: boolean;
}

/** How job code ended. `killed`: with its process. */
export type BodyEnd = 'returned' | 'threw' | 'killed';

/** A call of one of the verbs of steps, as job code makes it. */
export interface StepCall {
  readonly kind: StepKind;
  readonly name: string;
  /** Of a map: so many items may be done again after a crash. */
  readonly batch?: number;
  /** Of a map: the keys of its items, in their order. */
  readonly items?: readonly string[];
  /** Of a `once`: its code can find out whether it was done. */
  readonly hasVerify?: boolean;
  /** Of a commit: the run ends with it. */
  readonly isFinal?: boolean;
}

/**
 * What happens to a step, as it truly does.
 * - `called`, `returned`, `threw`: the call of its verb.
 * - `begun`, `done`: its work, of a map that of an item, whose key is given. Done is its effect on the outside; `result` is
 *   what it is going to return.
 * - `verified`: its code found out whether it was done.
 */
export type StepEvent =
  | { readonly what: 'called' }
  | { readonly what: 'returned'; readonly result: unknown }
  | { readonly what: 'threw'; readonly error: unknown }
  | { readonly what: 'begun'; readonly item?: string }
  | { readonly what: 'done'; readonly item?: string; readonly result: unknown }
  | { readonly what: 'verified'; readonly isDone: boolean; readonly result?: unknown };

/** A finished sweep. */
export interface Swept {
  readonly counts: SweepCounts;
  /** When it began, by true time. */
  readonly beganAt: number;
  readonly skewMs: number;
  readonly manifest: Manifest;
}

/** What a person did. */
export type OperatorAct =
  | { readonly kind: 'paused' | 'resumed'; readonly jobId: string }
  | {
      readonly kind: 'released';
      readonly run: RunRef;
      readonly as: Verdict;
      /** What was said of the step of which nobody knew, and what it returned. */
      readonly step?: { readonly name: string; readonly done: boolean; readonly result?: unknown };
    }
  | { readonly kind: 'triggered'; readonly run: RunRef }
  | { readonly kind: 'canceled'; readonly run: RunRef };

/**
 * What may be watched of a simulation. Everything is told as it happens; `at` is the true time in epoch milliseconds.
 */
export interface Observer {
  /** A record of a run was written. `byOperator`: a person did it. */
  wroteRun?(at: number, before: Run | null, after: Run | null, byOperator: boolean): void;
  /** A step's record was written; of a run's last one before the run's record, in the same transaction. */
  wroteStep?(
    at: number,
    run: RunRef,
    before: StepRecord | null,
    after: StepRecord,
    byOperator: boolean,
  ): void;
  /** A job's state item was written. */
  wroteJob?(at: number, before: JobState | null, after: JobState, byOperator: boolean): void;
  /** A pool was written: after the run and the job whose transaction it is part of, at the same instant. */
  wrotePool?(at: number, before: PoolState | null, after: PoolState): void;
  /** A job's day was closed, or opened again: before the run that opens it is written, in the same transaction. */
  wroteDay?(at: number, ref: DayRef, after: DayRecord): void;
  bodyBegan?(at: number, body: Body): void;
  /** `came`: what it returned or threw. */
  bodyEnded?(at: number, body: Body, end: BodyEnd, came?: unknown): void;
  /** Something happened to a step. The code may be in a process that was believed dead. */
  atStep?(at: number, body: Body, call: StepCall, event: StepEvent): void;
  /** An item of an author's table was written by a commit, before the step's record in the same transaction. */
  wroteItem?(at: number, table: string, before: MemoryItem | null, after: MemoryItem | null): void;
  /** The runtime was told that the finish of this body is written. */
  finished?(at: number, body: Body, outcome: string): void;
  swept?(at: number, sweep: Swept): void;
  /** A job's function handled an event to its end; `outcome`: what that came to. */
  handled?(at: number, jobId: string, outcome: string): void;
  acted?(at: number, act: OperatorAct): void;
  /** Once nothing disturbs any more and all has come to rest. May read the ledger. */
  atRest?(at: number, ledger: MemoryLedger): void | Promise<void>;
}

/** A broken promise. */
export interface Violation {
  /** The invariant's name. */
  readonly invariant: string;
  readonly at: number;
  /** The id of the run that it is about. */
  readonly run?: string;
  readonly what: string;
}

/** How an invariant tells that it is broken. */
export type Violate = (what: string, run?: RunRef) => void;

/** What an invariant may know of the simulated world besides what it observes. */
export interface WorldView {
  /** The manifests of all deploys, by their reconciler's moments: epoch milliseconds, the first at the beginning. */
  readonly deploys: readonly {
    readonly reconcilerAt: number;
    readonly functionsAt: number;
    readonly manifest: Manifest;
  }[];
  readonly from: number;
  /** When faults, deploys and people come to an end. */
  readonly calmAt: number;
  /** Nothing of this world's alarms, deploys and people is disturbed: an idle system, all faults off. */
  readonly isUndisturbed: boolean;
}

/** A promise, checked at every step. */
export interface Invariant {
  /** What never changes, in a few words: `one-live-attempt`. */
  readonly name: string;
  /** The rule, for people. */
  readonly rule: string;
  watch(violate: Violate, world: WorldView): Observer;
}
