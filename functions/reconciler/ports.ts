import type { Ledger } from '../domain/ledger.ts';
import type { Message } from '../domain/notices/message.ts';
import type { Clock, DrawToken, Invoker, Log, Nudger } from '../domain/ports.ts';

/** What a sweep counts; one flush at its end. */
export interface SweepMetrics {
  /** Sends the counts of a finished sweep; best effort, never throws. */
  report(counts: SweepCounts): Promise<void>;
  /** Sends how many alarms EventBridge Scheduler gave up on, of which control messages told; likewise. */
  undeliverable(alarms: number): Promise<void>;
}

/** What one sweep did. */
export interface SweepCounts {
  readonly offered: number;
  readonly waiting: number;
  readonly missed: number;
  /** Of the missed: those that their job wants made up, and its bounds forbid. */
  readonly beyondPolicy: number;
  readonly skipped: number;
  readonly canceled: number;
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
  /** Runs that wait for a person, whenever they were parked. */
  readonly parkedNow: number;
  /** How long the run had waited that has waited longest for its slot or its pools; 0: none waits. */
  readonly oldestWaitMs: number;
}

/** How things stand at a sweep's end, as its last turn found them. */
export type Gauges = Pick<SweepCounts, 'gap' | 'unaccountedMs' | 'parkedNow' | 'oldestWaitMs'>;

/** Sends a letter to whoever wants to be told. */
export interface Notifier {
  /** Resolves once it is accepted, and rejects when it was not; within seconds, since a turn waits for it. */
  notify(message: Message): Promise<void>;
}

export interface ReconcilerPorts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly drawToken: DrawToken;
  readonly invoker: Invoker;
  readonly nudger: Nudger;
  readonly notifier: Notifier;
  readonly log: Log;
  readonly metrics: SweepMetrics;
  readonly sleep: (ms: number) => Promise<void>;
  /** When this process was, by its clock: one of before a deploy is told from one of after it. */
  readonly loadedAt: number;
  /** Its name is part of the commands that people are told. */
  readonly stage: string;
  /** The release of the IANA time zone database that this process goes by: `2025b`. */
  readonly tzdata: string;
}
