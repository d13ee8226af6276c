import { spellTimes } from './alarm-fields.ts';
import { DAY, MINUTE, WEEKDAYS, weekdayOf } from './calendar.ts';

/** EventBridge expressions, in UTC, that hit every instant of a grid; none when cron can't say it. */
export function gridAlarms(periodMs: number, offsetMs: number): string[] {
  if (periodMs === 7 * DAY) return weekly(offsetMs);
  if (DAY % periodMs !== 0) return [];
  const times: number[] = [];
  for (let time = offsetMs % periodMs; time < DAY; time += periodMs) times.push(time / MINUTE);
  return spellTimes(times).map((time) => `cron(${time} * * ? *)`);
}

function weekly(offsetMs: number): string[] {
  const day = Math.floor(offsetMs / DAY);
  return spellTimes([(offsetMs - day * DAY) / MINUTE]).map(
    (time) => `cron(${time} ? * ${WEEKDAYS[weekdayOf(day)]} *)`,
  );
}
