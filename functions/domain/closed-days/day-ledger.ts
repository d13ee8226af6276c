import type { Run } from '../run.ts';
import type { ClosedDay } from './closed-day.ts';
import { dayOf } from './utc-day.ts';

/** A job's day, by its first instant. */
export type DayRef = Pick<ClosedDay, 'jobId' | 'day'>;

/** The ledger's record of a day. */
export interface DayRecord {
  /** As it was closed last; null: it never was. */
  readonly closed: ClosedDay | null;
  /** It was opened again, last by whoever drew this token: what it says counts no more. */
  readonly reopened?: string;
}

/** What a write of a day starts from; all of it must still hold. */
export interface DayFence {
  /** The token by which it was opened again; null: it has no record. Read before the day's runs were. */
  readonly replaces: string | null;
  /** The job's `closedUntil` as it was read (null: absent), and the next one. Absent: the day lies before it. */
  readonly progress?: { readonly before: number | null; readonly after: number };
}

/** What is written of a run that has been, or of one that is of a day that may have been: that day is to be closed anew. */
export interface Reopening {
  readonly day: number;
  /** Of the run's next record: another one each time. */
  readonly token: string;
}

export function reopening({ fireTime, token }: Pick<Run, 'fireTime' | 'token'>): Reopening {
  return { day: dayOf(fireTime), token };
}

/** The ledger's verbs of days. */
export interface DayLedger {
  /** A job's closed days whose first instants lie within [from, to], oldest first, in pages; without those opened again. */
  closedDays(jobId: string, range: { readonly from: number; readonly to: number }): AsyncIterable<ClosedDay>;
  dayRecord(ref: DayRef): Promise<DayRecord | null>;
  /** Puts a closed day, and takes it from its job's open days. Refused: a run of it was begun again meanwhile, or another closed it. */
  closeDay(closed: ClosedDay, fence: DayFence): Promise<'done' | 'refused'>;
  /** Leaves a day unclosed, among its job's open days or not. Refused as above. */
  leaveDay(ref: DayRef, fence: DayFence, where: 'among-open' | 'unlisted'): Promise<'done' | 'refused'>;
}
