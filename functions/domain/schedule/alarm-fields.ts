import { MINUTES_A_DAY } from './calendar.ts';

/** A set of times that needs more alarms than this is cheaper to sweep. */
const MOST_ALARMS = 4;

/**
 * Times of a day (in minutes) as pairs of an EventBridge minute field and hour field: one pair where every hour has the
 * same minutes, otherwise one for each kind of hour. Empty when that takes too many. Times past midnight are left out.
 */
export function spellTimes(times: readonly number[]): string[] {
  const minutesByHour = new Map<number, number[]>();
  for (const time of times.filter((minute) => minute < MINUTES_A_DAY)) {
    const hour = Math.floor(time / 60);
    minutesByHour.set(hour, [...(minutesByHour.get(hour) ?? []), time % 60]);
  }
  const hoursByMinutes = new Map<string, number[]>();
  for (const [hour, minutes] of minutesByHour) {
    const spelled = spell(minutes, 0, 59);
    hoursByMinutes.set(spelled, [...(hoursByMinutes.get(spelled) ?? []), hour]);
  }
  if (hoursByMinutes.size > MOST_ALARMS) return [];
  return [...hoursByMinutes].map(([minutes, hours]) => `${minutes} ${spell(hours, 0, 23)}`);
}

/** Spells a set of values as one field of an EventBridge expression, in forms that its documentation shows. */
export function spell(values: readonly number[], min: number, max: number): string {
  if (values.length === max - min + 1) return '*';
  return asSteps(values, max) ?? spellList(values, String);
}

/** `1-5,8`: runs of three or more as ranges. */
export function spellList(values: readonly number[], name: (value: number) => string): string {
  return runsOf(values)
    .map((run) => spellRun(run, name))
    .join(',');
}

/** `5/15`: from 5 to the end of the field in steps of 15. */
function asSteps(values: readonly number[], max: number): string | null {
  const [first = 0, second = 0] = values;
  const step = second - first;
  const even = values.every((value, index) => value === first + index * step);
  return values.length >= 3 && step > 1 && even && first + values.length * step > max
    ? `${first}/${step}`
    : null;
}

function runsOf(values: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && run.at(-1) === value - 1) run.push(value);
    else runs.push([value]);
  }
  return runs;
}

function spellRun(run: readonly number[], name: (value: number) => string): string {
  const [first = 0] = run;
  const last = run.at(-1) ?? first;
  return run.length < 3 ? run.map(name).join(',') : `${name(first)}-${name(last)}`;
}
