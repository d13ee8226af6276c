import { boundsOf, readDates } from './bounds.ts';
import type { Exception, Spec } from './schedule.ts';
import { timetable } from './timetable.ts';
import { ELAPSED_TIME } from './wall-clock.ts';
import { zoneOf } from './zone.ts';

/**
 * Whether a spec excepts a fire: it stays due, and is recorded as skipped because it is excluded.
 * The spec is one without `problems`.
 */
export function isExcluded(spec: Spec, fire: number): boolean {
  return (spec.except ?? []).some((exception) => excepts(exception, spec.timezone, fire));
}

function excepts(exception: Exception, timezone: string, fire: number): boolean {
  if (typeof exception !== 'string') {
    return timetable({ schedules: [exception], timezone, dst: ELAPSED_TIME }).has(fire);
  }
  const dates = readDates(exception);
  if (dates === null) return false;
  const { start, end } = boundsOf(zoneOf(timezone), ...dates);
  return start <= fire && fire < end;
}
