import { boundsOf, readBound } from './bounds.ts';
import { CronPattern } from './cron-pattern.ts';
import { parseCron } from './parse-cron.ts';
import type { Exception, Spec } from './schedule.ts';
import { ELAPSED_TIME, WallClock } from './wall-clock.ts';
import { zoneOf } from './zone.ts';

const DATES = /^(\d{4}-\d\d-\d\d)(?:\/(\d{4}-\d\d-\d\d))?$/;

/** Whether a spec excepts a fire: it stays due, and is recorded as skipped because it is excluded. */
export function isExcluded(spec: Spec, fire: number): boolean {
  return (spec.except ?? []).some((exception) => excepts(exception, spec.timezone, fire));
}

function excepts(exception: Exception, timezone: string, fire: number): boolean {
  if (typeof exception !== 'string') {
    const pattern = new CronPattern(parseCron(exception.dialect, exception.expression));
    return new WallClock(pattern, zoneOf(timezone), ELAPSED_TIME).next(fire - 1) === fire;
  }
  const [, from, to = from] = DATES.exec(exception) ?? [];
  const { start, end } = boundsOf(timezone, from, to);
  return start <= fire && fire < end;
}

/** Why a text names no dates; null when it does. */
export function exceptionProblem(exception: string): string | null {
  const [, from, to = from] = DATES.exec(exception) ?? [];
  const [first, last] = [from, to].map((date) => (date === undefined ? null : readBound(date)));
  if (typeof first !== 'number' || typeof last !== 'number') {
    return `except: "${exception}" is no date; write 2026-12-25, a range 2026-12-24/2027-01-02, or cron(…)`;
  }
  return first <= last ? null : `except: "${exception}" runs backwards; write the earlier date first`;
}
