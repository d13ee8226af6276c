import type { JobState, Pause } from '../job-state.ts';
import type { ManifestJob } from '../manifest.ts';
import type { Usual } from './facts.ts';
import type { FireChanges } from './fires.ts';
import type { Difference } from './first-difference.ts';
import type { Look } from './looks.ts';
import type { ComparedOption } from './options.ts';
import type { RightsChanges } from './rights.ts';
import type { TouchedRuns } from './runs.ts';

/** What a deployment means for one job. `kept`: nothing of it changes. */
export interface JobChange {
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'kept';
  /** As it is deployed; absent: it is not. */
  readonly before?: ManifestJob;
  /** As the working copy has it. */
  readonly after?: ManifestJob;
  /** The stack that its function is in, where that changes. */
  readonly stack?: { readonly from: number; readonly to: number };
  /** Removed or added: the job that it most likely is, under another id. */
  readonly lookalike?: string;
  /** Added, and deployed once before: its history goes on. */
  readonly returns?: true;
  /** Null: its schedule is the same. */
  readonly fires: FireChanges | null;
  /** Of another schedule with the same fires throughout the range. */
  readonly later?: Difference;
  /** Its first fire to come; null: there is none. */
  readonly next: number | null;
  readonly options: readonly ComparedOption[];
  readonly rights: RightsChanges;
  /** Null: nobody knows. */
  readonly runs: TouchedRuns | null;
  readonly state: JobState | null;
  readonly paused?: Pause;
  readonly usual?: Usual;
  readonly looks: readonly Look[];
}
