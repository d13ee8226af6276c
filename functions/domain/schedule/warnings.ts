import { DAY } from './calendar.ts';
import { cronWarnings } from './cron-warnings.ts';
import { formatDuration } from './duration.ts';
import type { Schedule, Spec } from './schedule.ts';
import { type Timetable, timetable } from './timetable.ts';
import { ELAPSED_TIME } from './wall-clock.ts';
import { localTime, offsetChanges } from './zone.ts';

/** Long enough to see each yearly change of the clocks once. */
const LOOK_AHEAD = 400 * DAY;

/**
 * What is valid and probably not meant, one sentence each, with the fires that show it.
 *
 * @throws ScheduleError when the spec can't be followed
 */
export function warnings(spec: Spec, now: number): string[] {
  const found = spec.schedules.flatMap((schedule) => scheduleWarnings(schedule, spec, now));
  return [...found, ...zoneWarnings(spec.timezone)];
}

function scheduleWarnings(schedule: Schedule, spec: Spec, now: number): string[] {
  const alone: Spec = { ...spec, schedules: [schedule] };
  const table = timetable(alone);
  switch (schedule.kind) {
    case 'manual':
      return [];
    case 'every':
      return schedule.rate === undefined ? [] : [rateWarning(schedule.rate, schedule.periodMs)];
    case 'at':
      return table.next(now) === null
        ? [overWarning(schedule.local, table, alone, now)]
        : clockWarnings(alone, now);
    case 'cron':
      if (table.next(now) === null) return [overWarning(schedule.expression, table, alone, now)];
      return [...cronWarnings(schedule, shownFires(table, spec.timezone, now)), ...clockWarnings(alone, now)];
  }
}

function rateWarning(rate: string, periodMs: number): string {
  return `schedule: ${rate} is read as every('${formatDuration(periodMs)}'): due on a fixed grid from 1970-01-01T00:00:00Z, not from the time of deployment`;
}

function overWarning(written: string, table: Timetable, { timezone }: Spec, now: number): string {
  const last = table.previous(now + 1);
  const over =
    last === null ? 'is never due' : `was last due at ${localTime(last, timezone)}, and never will be again`;
  return `schedule: "${written}" ${over}; for a job that is only started by hand write manual()`;
}

/** The next few fires on the wall, naming the date where it changes: `2026-12-01 00:00, 00:35, 2026-12-02 00:00`. */
function shownFires(table: Timetable, timezone: string, now: number): string {
  const shown: string[] = [];
  let [date, fire] = ['', table.next(now)];
  while (fire !== null && shown.length < 5) {
    const [day = '', time = ''] = localTime(fire, timezone).split('T');
    shown.push(day === date ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`);
    [date, fire] = [day, table.next(fire)];
  }
  return shown.join(', ');
}

/** The first time ahead that doesn't exist, and the first that comes twice, unless the author has said what then. */
function clockWarnings(spec: Spec, now: number): string[] {
  if (spec.dst !== undefined) return [];
  const due = timetable(spec);
  const shown = timetable({ ...spec, dst: ELAPSED_TIME });
  const changes = offsetChanges(spec.timezone, now, now + LOOK_AHEAD);
  const moved = changes.find(({ at }) => due.has(at) && !shown.has(at));
  const repeated = changes
    .flatMap(({ at, before, after }) => [...shown.between(at - 1, at + Math.max(0, before - after) - 1)])
    .find((fire) => !due.has(fire));
  return [
    ...(moved ? [movedWarning(moved.at, spec.timezone)] : []),
    ...(repeated === undefined ? [] : [repeatedWarning(repeated, spec.timezone)]),
  ];
}

function movedWarning(at: number, timezone: string): string {
  return `timezone: a time that this schedule names does not exist when the clocks of ${timezone} go forward; it is due at ${localTime(at, timezone)} instead (dst: { gap: 'next' }), or not at all with gap: 'skip'`;
}

function repeatedWarning(fire: number, timezone: string): string {
  const time = localTime(fire, timezone);
  return `timezone: ${time.slice(0, 16)} comes twice when the clocks of ${timezone} go back; it is due the first time and not at ${time} (dst: { repeat: 'first' }); 'second' and 'both' change that`;
}

function zoneWarnings(timezone: string): string[] {
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(timezone) ?? [];
  if (sign === undefined || hours === '0') return [];
  const meant = `UTC${sign === '+' ? '-' : '+'}${hours}`;
  return [`timezone: ${timezone} is ${meant}: IANA counts these zones westwards`];
}
