import type { Reason, RunState, Trigger } from '../domain/run.ts';

/** The answers of the console's API. Instants are ISO texts in UTC, lengths milliseconds; texts of jobs are as they wrote them. */

export type Iso = string;

/** A run in a list or as a bar. */
export interface RunBrief {
  /** `billing/send-invoices#2026-12-01T05:00:00Z` */
  readonly id: string;
  readonly jobId: string;
  readonly fireTime: Iso;
  readonly state: RunState;
  readonly reason: Reason | null;
  readonly trigger: Trigger;
  /** When its first attempt began, and when it was settled; null: not yet, or never. */
  readonly startedAt: Iso | null;
  readonly settledAt: Iso | null;
  /** From its first attempt to its end, to the millisecond; null: it has not ended, or never began. */
  readonly tookMs: number | null;
  readonly attempts: number;
  /** Why it is what it is, in words; empty when there is nothing to say. */
  readonly why: string;
  readonly progress: {
    readonly done: number;
    readonly total: number | null;
    readonly note: string | null;
  } | null;
}

export interface NextFire {
  readonly jobId: string;
  readonly at: Iso;
  /** On the wall of its zone: `2026-12-01 03:00 +08:00`. */
  readonly local: string;
  readonly paused: boolean;
}

/** How things stand. `bad`: a person should look; `warn`: it may heal by itself. */
export interface Health {
  readonly level: 'good' | 'warn' | 'bad';
  readonly name: 'last sweep' | 'ledger gap' | 'failing' | 'parked' | 'waiting';
  readonly value: string;
  /** What it means, and what to do. */
  readonly detail: string;
  /** Where to look: a route of the page, such as `#/runs/…`. */
  readonly route: string;
}

export interface NowAnswer {
  readonly now: Iso;
  readonly place: string;
  readonly health: readonly Health[];
  readonly running: readonly RunBrief[];
  readonly waiting: readonly RunBrief[];
  readonly parked: readonly RunBrief[];
  /** What went wrong within the last day, a line for each job: first those that have not succeeded since. */
  readonly wrong: readonly Wrong[];
  /** Newest first. */
  readonly recent: readonly RunBrief[];
  readonly next: readonly NextFire[];
  readonly jobs: number;
  /** How many there are of each in all; the lists have the first of them. */
  readonly counts: Readonly<Record<'running' | 'waiting' | 'parked' | 'wrong' | 'next', number>>;
}

/** What a job's newest runs did not do. */
export interface Wrong {
  /** The newest that failed, was missed, or waited too long. */
  readonly run: RunBrief;
  /** How many did, of those that were looked at. */
  readonly count: number;
  /** There may be more of them: only the newest were looked at. */
  readonly isMore: boolean;
  /** It has succeeded since. */
  readonly isOver: boolean;
}

export interface JobsAnswer {
  readonly now: Iso;
  /** Those that are deployed, by id. */
  readonly jobs: readonly JobLine[];
  /** Those that were deployed once, and have records. */
  readonly removed: readonly string[];
}

export interface JobLine {
  readonly id: string;
  readonly description: string;
  /** In words. */
  readonly schedule: string;
  readonly timezone: string;
  /** Null: it is never due, or never again. */
  readonly next: NextFire | null;
  readonly paused: { readonly by: string; readonly note: string; readonly until: Iso | null } | null;
  /** How many of its runs wait for a person's decision. */
  readonly parked: number;
  readonly failuresInARow: number;
  /** Its newest runs, oldest first. */
  readonly strip: readonly RunBrief[];
}

export interface PoolsAnswer {
  readonly pools: readonly {
    readonly name: string;
    /** What it stands for. */
    readonly description: string;
    readonly capacity: number;
    /** Below zero while runs hold more than a lowered capacity. */
    readonly free: number;
    readonly holders: number;
    readonly waiting: number;
    /** How many jobs take of it. */
    readonly jobs: number;
  }[];
}

export interface TimelineAnswer {
  readonly from: Iso;
  readonly to: Iso;
  readonly now: Iso;
  readonly lanes: readonly Lane[];
  /** DST transitions and deploys. */
  readonly lines: readonly { readonly at: Iso; readonly kind: 'clock' | 'deploy'; readonly text: string }[];
  readonly pools: readonly PoolUse[];
  /** Bars that were left out, since there were too many. */
  readonly leftOut: number;
}

export interface Lane {
  readonly jobId: string;
  readonly timezone: string;
  /** Oldest first, in short forms, for tens of thousands of them. */
  readonly bars: readonly Bar[];
}

/**
 * [key (of a fire of the schedule its epoch seconds), start (epoch seconds), end (epoch seconds; 0: a mark without length), index into `barStates`, how many runs it stands
 * for, where that is more than one: the key is then the first one's]
 */
export type Bar = readonly [key: string | number, start: number, end: number, state: number, runs?: number];

/** What `Bar` counts into. */
export const barStates: readonly RunState[] = [
  'succeeded',
  'failed',
  'canceled',
  'skipped',
  'missed',
  'running',
  'waiting',
  'offered',
  'retrying',
  'parked',
];

export interface PoolUse {
  readonly pool: string;
  readonly capacity: number;
  /** [at (epoch seconds), held from then on], ascending; none before the first. Nothing is known of what is yet to come. */
  readonly held: readonly (readonly [number, number])[];
}

export interface JobAnswer {
  readonly id: string;
  /** Else it was removed: it is due no more, and nothing is there to run. */
  readonly isDeployed: boolean;
  readonly description: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly next: readonly NextFire[];
  readonly paused: {
    readonly at: Iso;
    readonly by: string;
    readonly note: string;
    readonly until: Iso | null;
    /** So many fires were skipped for it so far, and would be made up; null: too many to say. */
    readonly skipped: number | null;
  } | null;
  /** The newest that was begun within the last days; null: none was. */
  readonly backfill: BackfillProgress | null;
  /** Name and value in words, in the order in which people ask: missed, crashed, overlap, pools, timeout, retry … */
  readonly policies: readonly (readonly [string, string])[];
  /** Of its last 90 local days, oldest first; fewer, where so many runs can't be counted at once. */
  readonly days: readonly JobDay[];
  /** Of its newest successes, oldest first. */
  readonly durations: readonly { readonly id: string; readonly fireTime: Iso; readonly ms: number }[];
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly recent: readonly RunBrief[];
}

/** How far a backfill is. */
export interface BackfillProgress {
  /** When it was begun, by which it is stopped. */
  readonly at: Iso;
  readonly by: string;
  readonly note: string | null;
  readonly from: Iso;
  readonly to: Iso;
  readonly only: string;
  /** So many fires it is of. */
  readonly fires: number;
  /** What became of those that were handed over; others may have taken some of them in hand since. */
  readonly states: Readonly<Partial<Record<RunState, number>>>;
  /** This console hands them over one after the other, and goes on with it. */
  readonly isFed: boolean;
  /** Why it was not handed over whole. */
  readonly problem: string | null;
}

export interface JobDay {
  /** `2026-12-01` */
  readonly date: string;
  readonly counts: Readonly<Partial<Record<RunState, number>>>;
}

export interface RunAnswer {
  readonly run: RunBrief;
  /** Everything of the record, as `fl show --json` has it. */
  readonly record: Readonly<Record<string, unknown>>;
  readonly timezone: string;
  readonly attempts: readonly {
    readonly number: number;
    readonly startedAt: Iso;
    readonly settledAt: Iso | null;
    /** To the millisecond; null: it has not ended. */
    readonly tookMs: number | null;
    readonly outcome: string | null;
    readonly bill: readonly {
      readonly name: string;
      readonly value: string;
      /** What is usual for its job, in words; null: nobody knows, or it isn't compared. */
      readonly usual: string | null;
      /** It is clearly more than that. */
      readonly isUnusual: boolean;
    }[];
    /** The request id, by which its lines of the log are found. */
    readonly log: string | null;
    /** Those lines in CloudWatch Logs; null: it ran on this machine. */
    readonly logUrl: string | null;
  }[];
  readonly steps: readonly {
    readonly name: string;
    readonly kind: string;
    readonly state: string;
    readonly at: Iso;
    readonly result: string | null;
  }[];
  readonly waits: readonly {
    readonly reason: string;
    readonly from: Iso;
    readonly until: Iso;
    readonly behind: readonly string[];
  }[];
  /** JSON, no more of it than can be read at a glance; null: none. */
  readonly result: string | null;
  /** The step of which nobody knows whether it was done. */
  readonly uncertain: string | null;
  /** From where its job wants it run once more. */
  readonly retriesFrom: 'beginning' | 'last-step';
  /** `fl why`: what is told about, such as `culprit`, and the sentences that tell it. */
  readonly facts: readonly (readonly [about: string, sentences: readonly string[]])[];
  /** Whose fault it most likely is that it went wrong; null: it didn't, it is its own, or nobody can tell. */
  readonly culprit: string | null;
  readonly overlapping: readonly RunBrief[];
  readonly error: { readonly name: string; readonly message: string; readonly stack: string | null } | null;
  /** The verbs that make sense now. */
  readonly can: readonly (
    | 'cancel'
    | 'retry'
    | 'release-rerun'
    | 'release-resume'
    | 'release-fail'
    | 'say-step'
  )[];
}

export interface PoolAnswer {
  readonly name: string;
  /** What it stands for; empty: nobody says so any more. */
  readonly description: string;
  /** The range in which it is told how it was used. */
  readonly from: Iso;
  readonly to: Iso;
  readonly capacity: number;
  readonly free: number;
  readonly use: PoolUse;
  readonly holders: readonly { readonly run: RunBrief; readonly weight: number; readonly since: Iso }[];
  readonly waiters: readonly {
    readonly run: RunBrief;
    readonly weight: number;
    readonly since: Iso;
    readonly position: number;
    readonly why: string;
  }[];
  /** Who used what of it in the range: by job, most first. */
  readonly used: readonly {
    readonly jobId: string;
    readonly heldMs: number;
    readonly amounts: readonly (readonly [unit: string, amount: number])[];
  }[];
}

export interface LedgerAnswer {
  readonly from: Iso;
  readonly to: Iso;
  readonly expected: number;
  readonly recorded: number;
  readonly missing: readonly string[];
  readonly doubleRuns: number;
  readonly duplicates: number;
  readonly strays: number;
  /** Due fires of which nobody can tell any more. */
  readonly unjudged: number;
  readonly states: Readonly<Record<RunState, number>>;
  /** Jobs with something missing first. */
  readonly jobs: readonly {
    readonly id: string;
    readonly expected: number;
    readonly recorded: number;
    readonly missing: number;
    readonly doubleRuns: number;
    readonly states: Readonly<Record<RunState, number>>;
  }[];
  readonly actions: readonly {
    readonly at: Iso;
    readonly by: string;
    readonly verb: string;
    readonly target: string;
    readonly note: string | null;
  }[];
}

/** As a person types it, and as `fl` takes it: `2026-12-01T03:00` or `03:00` is on the wall of the job's zone; or with a zone. */
export type TypedTime = string;

/** What `POST /api/act/…` takes. All are refused without the token. */
export interface ActRequests {
  readonly trigger: {
    readonly jobId: string;
    readonly at?: TypedTime;
    readonly input?: unknown;
    readonly note?: string;
  };
  readonly retry: { readonly run: string; readonly from?: 'beginning' | 'last-step'; readonly note?: string };
  readonly cancel: { readonly run: string; readonly note?: string };
  readonly release: {
    readonly run: string;
    readonly as: 'rerun' | 'resume' | 'fail';
    readonly stepDone?: boolean;
    /** What the step is to have returned, where it was done. */
    readonly result?: unknown;
    readonly note?: string;
  };
  readonly pause: { readonly jobId: string; readonly until?: TypedTime; readonly note?: string };
  readonly resume: { readonly jobId: string; readonly catchUp?: boolean; readonly note?: string };
  /** `previewed`: the fingerprint of the preview that is to be carried out; without it, it is a preview, and nothing is written. */
  readonly backfill: {
    readonly jobId: string;
    readonly from: TypedTime;
    readonly to: TypedTime;
    readonly only: 'missed' | 'failed' | 'skipped' | 'all';
    readonly previewed?: string;
    readonly order?: 'oldest' | 'newest';
    /** At most so many a minute, where that is fewer than its job's own rate. */
    readonly rate?: number;
    readonly note?: string;
  };
  /** Stops a backfill: what of it waits is taken back, what runs goes on. `at`: when it was begun. */
  readonly withdraw: { readonly jobId: string; readonly at: Iso };
  /** Sends back what failed too often on the control queue. `dryRun`: it is only counted. */
  readonly redrive: { readonly dryRun?: boolean; readonly note?: string };
}

export interface BackfillAnswer {
  /** The range as it was read. */
  readonly from: Iso;
  readonly to: Iso;
  /** The same on the wall of the job's zone: `2026-12-01 03:00 +08:00`. */
  readonly local: readonly [from: string, to: string];
  /** Of these fires as they stand. */
  readonly fingerprint: string;
  readonly fires: readonly {
    readonly at: Iso;
    readonly local: string;
    readonly state: RunState | 'unrecorded';
  }[];
  readonly left: Readonly<Record<string, number>>;
  readonly ratePerMinute: number;
  /** How many are made up from now on; null: it was a preview. */
  readonly begun: number | null;
}

export interface ApiError {
  readonly error: string;
  /** The server was started anew: the page's token is of before. */
  readonly reload?: true;
}
