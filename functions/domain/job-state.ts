import type { Spec } from './schedule/index.ts';

/** A person stopped a job, or its failures did. A deploy never changes it. */
export interface Pause {
  readonly at: number;
  readonly by: string;
  readonly note: string;
  /** The reconciler ends it then. Absent: a person does. */
  readonly until?: number;
  /** It took the place of another one, and the job has been paused from then on. Absent: from `at`. */
  readonly since?: number;
}

/** Missed fires of a job that wait for their turn. */
export interface CatchUp {
  /** How many of its runs are `waiting: catch-up`. */
  readonly waiting: number;
  /** The newest of them: under `latest`, the one that a still newer one supersedes. */
  readonly newest?: string;
  /** When the first of them, or of those that they stand for, was recorded. */
  readonly since?: number;
  /** Under `latest`: no fire that is due before this is left to the newest of them. */
  readonly reach?: number;
  /** The minute (epoch milliseconds, floored) in which the rate was last counted, and the runs admitted in it. */
  readonly minute: number;
  readonly admitted: number;
}

/** The item beside a job's runs: operator state, spec in force, slot, tallies. */
export interface JobState {
  readonly jobId: string;
  /** The spec in force; absent once the job was removed. */
  readonly specId?: string;
  readonly specSince: number;
  /** A predecessor exists: the schedule of an existing job changed at `specSince`. */
  readonly specChanged: boolean;
  readonly paused?: Pause;
  /** The key of the run that has the job's slot. */
  readonly slot?: string;
  /** How many of its runs are `waiting: slot`. While there are any, no newcomer of a job that queues takes the slot. */
  readonly queued: number;
  readonly catchUp: CatchUp;
  readonly failuresInARow: number;
  readonly lastSuccess?: { readonly fireTime: number; readonly settledAt: number };
  /** Deliveries that started nothing and left no record: early, late, off schedule, of another spec, at a dead run's slot, crowded out by other writes. */
  readonly strays: number;
  /** Each day of it that begins before this is closed, is one of `openDays`, or never will be. Absent: none was closed yet. */
  readonly closedUntil?: number;
  /** Days (their first instants, ascending) that are to be closed once their runs are done. Absent: none. */
  readonly openDays?: readonly number[];
  /**
   * The last fire whose delivery could not claim it yet: its code has another version of the schedule, the slot is a dead
   * run's, or its writes kept colliding with others. It is offered without waiting for its grace to end.
   */
  readonly refusedFire?: number;
}

/** One version of a job's schedule. `spec: null` closes the history of a removed job. In force until the next one. */
export interface SpecVersion {
  readonly jobId: string;
  readonly from: number;
  readonly specId: string;
  readonly spec: Spec | null;
  /** The release of the IANA time zone database under which it was published: `2025b`. */
  readonly tzdata?: string;
}
