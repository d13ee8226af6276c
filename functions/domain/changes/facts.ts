import type { JobState } from '../job-state.ts';
import type { PoolState } from '../pools.ts';
import type { Run } from '../run.ts';

/** What the ledger knows beside the manifest. */
export interface LedgerFacts {
  /** By job; one that it does not know is absent. */
  readonly jobs: ReadonlyMap<string, JobFacts>;
  readonly pools: ReadonlyMap<string, PoolState>;
  /** What successful attempts took of jobs around a pool that changes, in milliseconds, newest first. */
  readonly durations: ReadonlyMap<string, readonly number[]>;
}

/** What the ledger knows of a job; what was not asked for is absent. */
export interface JobFacts {
  readonly state: JobState | null;
  /** Its open runs. */
  readonly open: readonly Run[];
  /** The records of its fires of the last hour. */
  readonly doubtful: readonly Run[];
  readonly usual?: Usual;
}

/** What a job's runs were measured to need. */
export interface Usual {
  /** 95 of 100 successes took no longer. */
  readonly durationMs?: number;
  /** The most that any of them held. */
  readonly memoryMb?: number;
  /** Of so many runs. */
  readonly samples: number;
}
