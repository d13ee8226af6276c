/** What was done to a job, a run or the control queue that no schedule asked for. */
export type ActionVerb =
  | 'trigger'
  | 'retry'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'release'
  | 'backfill'
  | 'redrive';

/** One line of the log of actions, written in one transaction with what it tells of. */
export interface Action {
  readonly at: number;
  /** The name of the operating system's user; of the reconciler `fireledger`. */
  readonly by: string;
  readonly verb: ActionVerb;
  /** Absent: of the whole stage. */
  readonly jobId?: string;
  /** The key of the run that it was done to. */
  readonly run?: string;
  readonly note?: string;
  /** What else was said: `{ as: 'resume', stepDone: true }`. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/** Who acts when it is no person. */
export const ourselves = 'fireledger';

/** Of the log, newest first. Both inclusive, epoch milliseconds. */
export interface ActionRange {
  readonly from: number;
  readonly to: number;
  readonly limit?: number;
}
