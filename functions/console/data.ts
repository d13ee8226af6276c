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
  /** Where to look: a route of the page, such as `#/runs/…`. Null: nowhere. */
  readonly route: string | null;
}

export interface NowAnswer {
  readonly now: Iso;
  readonly place: string;
  readonly health: readonly Health[];
  readonly running: readonly RunBrief[];
  readonly waiting: readonly RunBrief[];
  readonly parked: readonly RunBrief[];
  /** Newest first. */
  readonly recent: readonly RunBrief[];
  readonly next: readonly NextFire[];
  readonly jobs: number;
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
  /** Short forms, for tens of thousands of them. */
  readonly bars: readonly Bar[];
}

/**
 * [key, start (epoch seconds), end (epoch seconds; 0: a mark without length), index into `barStates`, how many runs it stands
 * for, where that is more than one: the key is then the first one's]
 */
export type Bar = readonly [key: string, start: number, end: number, state: number, runs?: number];

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
  readonly description: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly next: readonly NextFire[];
  readonly paused: {
    readonly at: Iso;
    readonly by: string;
    readonly note: string;
    readonly until: Iso | null;
  } | null;
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
    readonly outcome: string | null;
    /** Name, value, and how it compares with the usual, in words; empty: as usual, or nobody knows. */
    readonly bill: readonly (readonly [string, string, string])[];
    /** The request id, by which its lines of the log are found. */
    readonly log: string | null;
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
  /** `fl why`, in sentences. */
  readonly sentences: readonly string[];
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

/** What `POST /api/act/…` takes. All are refused without the token. */
export interface ActRequests {
  readonly trigger: {
    readonly jobId: string;
    readonly at?: Iso;
    readonly input?: unknown;
    readonly note?: string;
  };
  readonly retry: { readonly run: string; readonly from?: 'beginning' | 'last-step'; readonly note?: string };
  readonly cancel: { readonly run: string; readonly note?: string };
  readonly release: {
    readonly run: string;
    readonly as: 'rerun' | 'resume' | 'fail';
    readonly stepDone?: boolean;
    readonly note?: string;
  };
  readonly pause: { readonly jobId: string; readonly until?: Iso; readonly note?: string };
  readonly resume: { readonly jobId: string; readonly catchUp?: boolean; readonly note?: string };
  /** With `preview` nothing is written. */
  readonly backfill: {
    readonly jobId: string;
    readonly from: Iso;
    readonly to: Iso;
    readonly only: 'missed' | 'failed' | 'skipped' | 'all';
    readonly preview?: boolean;
    readonly note?: string;
  };
}

export interface BackfillAnswer {
  readonly fires: readonly {
    readonly at: Iso;
    readonly local: string;
    readonly state: RunState | 'unrecorded';
  }[];
  readonly left: Readonly<Record<string, number>>;
  readonly ratePerMinute: number;
  /** How many wait now; null: it was a preview. */
  readonly begun: number | null;
}

export interface ApiError {
  readonly error: string;
  /** The server was started anew: the page's token is of before. */
  readonly reload?: true;
}
