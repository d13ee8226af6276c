import type { Ledger } from '../domain/ledger.ts';
import type { Clock, DrawToken, Invoker, Log, Nudger } from '../domain/ports.ts';

/** What a sweep counts; one flush at its end. */
export interface SweepMetrics {
  /** Sends the counts of a finished sweep; best effort, never throws. */
  report(counts: SweepCounts): Promise<void>;
}

/** What one sweep did. */
export interface SweepCounts {
  readonly offered: number;
  readonly waiting: number;
  readonly missed: number;
  readonly skipped: number;
  readonly admitted: number;
  readonly reoffered: number;
  /** Attempts that ended with their lease; what became of their runs counts besides. */
  readonly crashed: number;
  readonly failed: number;
  readonly parked: number;
  /** Fires ahead that another release of the time zone database puts at another instant; at most 100 of a job are told. */
  readonly moved: number;
  /** Fires past their grace that it could not record. */
  readonly gap: number;
  /** Milliseconds since the instant up to which every fire has its record. */
  readonly unaccountedMs: number;
}

export interface ReconcilerPorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly drawToken: DrawToken;
  readonly invoker: Invoker;
  readonly nudger: Nudger;
  readonly log: Log;
  readonly metrics: SweepMetrics;
  readonly sleep: (ms: number) => Promise<void>;
  /** The release of the IANA time zone database that this process goes by: `2025b`. */
  readonly tzdata: string;
}
