import { boundsOf, readDates } from './bounds.ts';
import type { Exception, Schedule, Spec } from './schedule.ts';
import { timetable } from './timetable.ts';
import { ELAPSED_TIME } from './wall-clock.ts';
import { zoneOf } from './zone.ts';

type Test = (fire: number) => boolean;

/**
 * Whether a spec excepts a fire: it stays due, and is recorded as skipped because it is excluded.
 * The spec is one without `problems`.
 */
export function isExcluded(spec: Spec, fire: number): boolean {
  return exclusions(spec)(fire);
}

/** The same, compiled once, to be asked often. */
export function exclusions(spec: Spec): Test {
  const tests = (spec.except ?? []).map((exception) => testOf(exception, spec));
  return (fire) => tests.some((test) => test(fire));
}

function testOf(exception: Exception, spec: Spec): Test {
  if (typeof exception !== 'string') return scheduleTest(exception, spec);
  const dates = readDates(exception);
  if (dates === null) return () => false;
  const { start, end } = boundsOf(zoneOf(spec.timezone), ...dates);
  return (fire) => start <= fire && fire < end;
}

/**
 * A schedule excepts the times that it names, put off as the job's are, however often the wall shows them. One that the
 * clocks skip it excepts where the job makes up for it after the gap, and not what is due there anyway.
 */
function scheduleTest(exception: Schedule, { schedules, timezone, spreadMs = 0 }: Spec): Test {
  const named = timetable({ schedules: [exception], timezone, spreadMs, dst: ELAPSED_TIME });
  const orAfterGap = timetable({
    schedules: [exception],
    timezone,
    spreadMs,
    dst: { gap: 'next', repeat: 'both' },
  });
  const shown = timetable({ schedules, timezone, spreadMs, dst: ELAPSED_TIME });
  return (fire) => named.has(fire) || (!shown.has(fire) && orAfterGap.has(fire));
}
