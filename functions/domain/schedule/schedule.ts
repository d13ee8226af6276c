import { parseDuration } from './duration.ts';
import { periodProblem, readRate } from './every.ts';
import type { Dialect } from './parse-cron.ts';
import { ScheduleError } from './schedule-error.ts';
import type { Dst } from './wall-clock.ts';

/** One schedule as its author wrote it: plain JSON, since it travels in the manifest and the ledger. */
export type Schedule =
  | { readonly kind: 'cron'; readonly dialect: Dialect; readonly expression: string }
  | {
      readonly kind: 'every';
      readonly periodMs: number;
      readonly offsetMs: number;
      /** The EventBridge rate that the author pasted. */
      readonly rate?: string;
      /** Why the period or the offset can't be used; such a schedule is never due, and is refused by `problems`. */
      readonly unreadable?: string;
    }
  | { readonly kind: 'at'; readonly local: string }
  | { readonly kind: 'manual' };

/** What determines when a job is due. `timezone` may be `UTC` when every schedule is absolute. */
export interface Spec {
  readonly schedules: readonly Schedule[];
  readonly timezone: string;
  /** @default - gap next and repeat first for fixed times; elapsed time where the hour field begins with `*` */
  readonly dst?: Dst;
  /** Milliseconds, in whole minutes, by which every time is put off: see `spreadOf`. @default 0 */
  readonly spreadMs?: number;
  /** The first date (`2027-01-01`) or local time (`2027-01-01T09:00`) that counts. @default - no bound */
  readonly from?: string;
  /** The last date or local time that counts. @default - no bound */
  readonly until?: string;
  /** Fires that stay due and are recorded as excluded, not run. @default - none */
  readonly except?: readonly Exception[];
}

/** A local date (`2026-12-25`), a range of dates, both included (`2026-12-24/2027-01-02`), or a schedule. */
export type Exception = string | Schedule;

const AT = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)\)$/;

/**
 * Five Unix fields (`0 3 * * MON-FRI`), a macro (`@daily`), or an EventBridge expression pasted as it is: `cron(…)`,
 * `rate(…)` or `at(…)`. What can't be read is reported by `problems`, so that all mistakes are told at once.
 */
export function cron(expression: string): Schedule {
  const rate = readRate(expression);
  if (rate !== null) return { kind: 'every', periodMs: rate, offsetMs: 0, rate: expression };
  const local = AT.exec(expression)?.[1];
  if (local !== undefined) return at(local);
  if (/^\s*[a-z]+\(/i.test(expression)) return { kind: 'cron', dialect: 'eventbridge', expression };
  return { kind: 'cron', dialect: 'unix', expression: String(expression).trim() };
}

/** Every whole number of minutes, hours or days: an absolute grid from the epoch, plus `offset`. */
export function every(period: string, options: { offset?: string } = {}): Schedule {
  try {
    const periodMs = parseDuration(period, 'every');
    const offsetMs = parseDuration(options.offset ?? '0 minutes', 'offset');
    const problem = periodProblem(periodMs, offsetMs);
    return { kind: 'every', periodMs, offsetMs, ...(problem !== null && { unreadable: problem }) };
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return { kind: 'every', periodMs: 0, offsetMs: 0, unreadable: error.message };
  }
}

/** Once, at a local time: `at('2027-01-01T09:00')`. */
export function at(local: string): Schedule {
  return { kind: 'at', local };
}

/** Never by itself: only when somebody starts it. */
export function manual(): Schedule {
  return { kind: 'manual' };
}
