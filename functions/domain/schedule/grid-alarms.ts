import { spell } from './alarm-fields.ts';
import { DAY, HOUR, MINUTE, WEEKDAYS, weekdayOf } from './calendar.ts';

/** A grid that needs more alarms than this is cheaper to sweep. */
const MOST_ALARMS = 4;

/** EventBridge expressions, in UTC, that hit every instant of a grid; none when cron can't say it. */
export function gridAlarms(periodMs: number, offsetMs: number): string[] {
  if (periodMs === 7 * DAY) return [weekly(offsetMs)];
  if (DAY % periodMs !== 0) return [];
  const hoursByMinutes = new Map<string, { minutes: number[]; hours: number[] }>();
  for (let hour = 0; hour < 24; hour++) {
    const minutes = minutesOf(hour, periodMs, offsetMs);
    const alike = hoursByMinutes.get(minutes.join());
    if (alike) alike.hours.push(hour);
    else if (minutes.length > 0) hoursByMinutes.set(minutes.join(), { minutes, hours: [hour] });
  }
  if (hoursByMinutes.size > MOST_ALARMS) return [];
  return [...hoursByMinutes.values()].map(
    ({ minutes, hours }) => `cron(${spell(minutes, 0, 59)} ${spell(hours, 0, 23)} * * ? *)`,
  );
}

function minutesOf(hour: number, periodMs: number, offsetMs: number): number[] {
  const minutes: number[] = [];
  for (let minute = 0; minute < 60; minute++) {
    if ((hour * HOUR + minute * MINUTE - offsetMs) % periodMs === 0) minutes.push(minute);
  }
  return minutes;
}

function weekly(offsetMs: number): string {
  const minute = (offsetMs / MINUTE) % 60;
  const hour = Math.floor(offsetMs / HOUR) % 24;
  const weekday = WEEKDAYS[weekdayOf(Math.floor(offsetMs / DAY))];
  return `cron(${minute} ${hour} ? * ${weekday} *)`;
}
