import type { LastWrite } from './finish.ts';
import type { Run } from './run.ts';

export type StepKind = 'step' | 'once' | 'commit' | 'map';

/** What is known of one step of a run, whichever attempt made it. */
export interface StepRecord {
  /** 1 to 100 characters; of a batch of `map` its number follows. */
  readonly name: string;
  readonly kind: StepKind;
  /** `begun`: of `once` alone; while nothing else is known, nobody knows whether it was done. */
  readonly state: 'begun' | 'done';
  /** JSON; absent: undefined. Of a batch of `map` the results by item key. */
  readonly result?: unknown;
  readonly at: number;
  /** How often its run had been begun anew: a plain step of before counts no more. */
  readonly restarts: number;
  /** The attempt that wrote it. */
  readonly token: string;
}

/** A write of the author's own, as the document client takes it: one of these. */
export type AuthorWrite = Readonly<
  Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Readonly<Record<string, unknown>>>>
>;

/** A step that is written together with the author's writes and, if it is the run's last, with its finish. */
export interface Commit {
  readonly step: StepRecord;
  readonly writes: readonly AuthorWrite[];
  readonly last?: LastWrite;
}

/**
 * What became of a step's write.
 * - `done`: written.
 * - `refused`: nothing was written. `run`: the record, when it runs no more under this token. `step`: the record that is there
 *   in the place of what was expected (null: none is). `writes`: the places of the author's writes whose conditions failed.
 *   `job`, `pools`: as of any write. Absent: that condition held.
 * - `conflict`: nothing was written; transactions collided and tries ran out.
 */
export type StepAnswer =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'refused';
      readonly run?: Run | null;
      readonly step?: StepRecord | null;
      readonly writes?: readonly number[];
      readonly othersWait?: true;
    }
  | { readonly kind: 'conflict' };

/** Results of steps are no larger, as JSON. */
export const largestStepBytes = 300 * 1024;
