import type { ClosedDay, DayRecord, DayRef, Reopening } from '../domain/closed-days/index.ts';
import { copied } from './copied.ts';

/** Told of each write of a day. */
export type DayWatch = (ref: DayRef, after: DayRecord) => void;

/** The records of days. */
export class MemoryDays {
  readonly #watch: DayWatch | undefined;
  /** By job, then by first instant. */
  readonly #days = new Map<string, Map<number, DayRecord>>();

  constructor(watch?: DayWatch) {
    this.#watch = watch;
  }

  get({ jobId, day }: DayRef): DayRecord | null {
    return this.#days.get(jobId)?.get(day) ?? null;
  }

  close(closed: ClosedDay): void {
    this.#put(closed, { closed });
  }

  reopen(jobId: string, { day, token }: Reopening): void {
    this.#put({ jobId, day }, { closed: this.get({ jobId, day })?.closed ?? null, reopened: token });
  }

  /** Oldest first. */
  closed(jobId: string, { from, to }: { readonly from: number; readonly to: number }): ClosedDay[] {
    return [...(this.#days.get(jobId) ?? [])]
      .filter(([day, { reopened }]) => from <= day && day <= to && reopened === undefined)
      .sort(([one], [other]) => one - other)
      .flatMap(([, { closed }]) => closed ?? []);
  }

  #put({ jobId, day }: DayRef, record: DayRecord): void {
    const ofJob = this.#days.get(jobId) ?? new Map<number, DayRecord>();
    const after = copied(record);
    this.#days.set(jobId, ofJob.set(day, after));
    this.#watch?.({ jobId, day }, after);
  }
}
