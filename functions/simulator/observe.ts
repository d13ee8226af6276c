import type { JobState } from '../domain/job-state.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import type { RunRef } from '../domain/names.ts';
import type { PoolState } from '../domain/pools.ts';
import type { Run, Trigger } from '../domain/run.ts';
import type { StepRecord } from '../domain/steps.ts';
import type { SweepCounts } from '../reconciler/ports.ts';
import type { MemoryLedger } from '../store/memory.ts';

/** One execution of job code, as it truly happened, whatever the ledger says. */
export interface Body extends RunRef {
  /** Of all bodies of a simulation, from 1. */
  readonly number: number;
  readonly fireTime: number;
  readonly trigger: Trigger;
  /** As the job's code was told. */
  readonly attempt: number;
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
  | { readonly kind: 'released'; readonly run: RunRef; readonly as: 'rerun' | 'fail' }
  | { readonly kind: 'triggered'; readonly run: RunRef }
  | { readonly kind: 'canceled'; readonly run: RunRef };

/**
 * What may be watched of a simulation. Everything is told as it happens; `at` is the true time in epoch milliseconds.
 */
export interface Observer {
  /** A record of a run was written. `byOperator`: a person did it. */
  wroteRun?(at: number, before: Run | null, after: Run | null, byOperator: boolean): void;
  /** A step's record was written; of a run's last one before the run's record, in the same transaction. */
  wroteStep?(at: number, run: RunRef, before: StepRecord | null, after: StepRecord): void;
  /** A job's state item was written. */
  wroteJob?(at: number, before: JobState | null, after: JobState, byOperator: boolean): void;
  /** A pool was written: after the run and the job whose transaction it is part of, at the same instant. */
  wrotePool?(at: number, before: PoolState | null, after: PoolState): void;
  bodyBegan?(at: number, body: Body): void;
  bodyEnded?(at: number, body: Body, end: BodyEnd): void;
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
