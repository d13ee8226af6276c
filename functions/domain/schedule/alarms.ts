import { MINUTE } from './calendar.ts';
import { cronAlarms } from './cron-alarms.ts';
import { gridAlarms } from './grid-alarms.ts';
import { parseCron } from './parse-cron.ts';
import { cron, type Schedule, type Spec } from './schedule.ts';
import { isBounded, type Timetable, timetable } from './timetable.ts';
import { ELAPSED_TIME, EVENTBRIDGE } from './wall-clock.ts';
import { localTime, offsetChanges } from './zone.ts';

/** An EventBridge Scheduler schedule: `cron(…)` or `at(…)`, never `rate(…)`, whose phase is AWS's own. */
export interface Alarm {
  readonly expression: string;
  readonly timezone: string;
}

export interface Alarms {
  readonly alarms: readonly Alarm[];
  /** Whether a fire is due without any alarm hitting it, so that the reconciler must offer it. */
  isSwept(fire: number): boolean;
}

/** EventBridge refuses longer expressions. */
const LONGEST = 256;

/** Long enough for any deployment; a new one looks again. */
const YEARS_AHEAD = { from: Date.UTC(2020, 0), to: Date.UTC(2100, 0) };

/**
 * The alarms of a spec. Under EventBridge's documented semantics they hit only due instants; what is due beside them is swept.
 *
 * @throws ScheduleError when the spec can't be followed
 */
export function compileAlarms(spec: Spec): Alarms {
  const due = timetable(spec);
  // An alarm's own start and end dates are refused once they are past, so bounds are left to the sweep.
  const candidates = isBounded(spec) ? [] : spec.schedules.flatMap((schedule) => alarmsOf(schedule, spec));
  const distinct = new Map(candidates.map((alarm) => [`${alarm.expression} ${alarm.timezone}`, alarm]));
  const alarms = [...distinct.values()].filter((alarm) => alarm.expression.length <= LONGEST);
  const timetables = alarms.map(alarmTimetable);
  return {
    alarms,
    isSwept: (fire) => due.has(fire) && !timetables.some((alarm) => alarm.has(fire)),
  };
}

/** When EventBridge fires an alarm: not at all in a gap, and once, at its first instant, where a time is repeated. */
export function alarmTimetable(alarm: Alarm): Timetable {
  return timetable({ schedules: [cron(alarm.expression)], timezone: alarm.timezone, dst: EVENTBRIDGE });
}

function alarmsOf(schedule: Schedule, spec: Spec): Alarm[] {
  const { spreadMs = 0, timezone } = spec;
  switch (schedule.kind) {
    case 'cron': {
      const fields = parseCron(schedule.dialect, schedule.expression);
      return cronAlarms(fields, spreadMs / MINUTE)
        .map((expression) => ({ expression, timezone }))
        .filter((alarm) => spec.dst?.repeat !== 'second' || neverRepeated(alarm));
    }
    case 'at':
      return singleAlarm(schedule, spec);
    case 'every': {
      const offset = (schedule.offsetMs + spreadMs) % schedule.periodMs;
      return gridAlarms(schedule.periodMs, offset).map((expression) => ({ expression, timezone: 'UTC' }));
    }
    case 'manual':
      return [];
  }
}

/** None unless the wall shows the time exactly once: what else becomes of it EventBridge doesn't document. */
function singleAlarm(schedule: Schedule, { timezone, spreadMs = 0 }: Spec): Alarm[] {
  const shown = timetable({ schedules: [schedule], timezone, spreadMs, dst: ELAPSED_TIME });
  const fire = shown.next(-1);
  if (fire === null || shown.next(fire) !== null) return [];
  return [{ expression: `at(${localTime(fire, timezone).slice(0, 19)})`, timezone }];
}

/** Whether no time of an alarm comes twice in the years ahead: EventBridge would take its first instant. */
function neverRepeated(alarm: Alarm): boolean {
  const due = alarmTimetable(alarm);
  return offsetChanges(alarm.timezone, YEARS_AHEAD.from, YEARS_AHEAD.to).every(({ at, before, after }) => {
    const fire = due.next(at - Math.max(0, before - after) - 1);
    return fire === null || fire >= at;
  });
}
