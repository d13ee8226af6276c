import { MONTHS, WEEKDAYS } from './calendar.ts';

/** One field of a cron expression: which numbers and names it takes, and what a list of them stands for. */
export interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** How many different values there are before the first comes round again (of 0-7 for weekdays: 7). */
  readonly size: number;
  /** Three-letter names, the first of which stands for `min`. */
  readonly names: readonly string[];
  /** The signs that the field takes beside `*` `,` and `-`, as told to the author. */
  readonly signs: string;
  /** Whether a range may run over the end, as in 22-5 or FRI-MON. */
  readonly wraps: boolean;
}

/** Takes one mistake: the text at fault, and what is wrong with it. */
export type Report = (part: string, why: string) => void;

function field(name: string, min: number, max: number, rest: Partial<Field> = {}): Field {
  return { name, min, max, size: max - min + 1, names: [], signs: '/', wraps: true, ...rest };
}

export const MINUTES = field('minute', 0, 59);
export const HOURS = field('hour', 0, 23);
export const DAYS = field('day-of-month', 1, 31, { signs: '/ ? L W' });
export const MONTHS_FIELD = field('month', 1, 12, { names: MONTHS });
export const UNIX_WEEKDAYS = field('day-of-week', 0, 7, { size: 7, names: WEEKDAYS, signs: '/ ? L #' });
export const EVENTBRIDGE_DAYS: Field = { ...DAYS, wraps: false };
export const EVENTBRIDGE_WEEKDAYS = field('day-of-week', 1, 7, { names: WEEKDAYS, signs: '? L #' });
export const YEARS = field('year', 1970, 2199, { wraps: false });

const ITEM = /^(?:(\*)|([A-Z0-9]+)(?:-([A-Z0-9]+))?)(?:\/(\d+))?$/;

/** What one item of a list stands for: `*`, `5`, `10-20`, `MON-FRI`, `*\/15`, `10/5`. Upper case. */
export function valuesOf(item: string, field: Field, report: Report): number[] {
  const [whole, star, first, second, stepText] = ITEM.exec(item) ?? [];
  if (whole === undefined) {
    report(item, 'cannot be read');
    return [];
  }
  if (stepText !== undefined && !stepIsFine(item, stepText, field, report)) return [];
  const step = Number(stepText ?? 1);
  const last = field.min + field.size - 1;
  if (star || first === undefined) return numbers(field.min, last, step, field);
  const from = oneValue(first, field, report);
  const to = second === undefined ? from : oneValue(second, field, report);
  if (from === null || to === null) return [];
  if (second === undefined) return numbers(from, stepText ? Math.max(from, last) : from, step, field);
  if (to >= from) return numbers(from, to, step, field);
  if (field.wraps) return numbers(from, to + field.size, step, field);
  report(item, `runs backwards; write ${first}-${last},${field.min}-${second}`);
  return [];
}

function stepIsFine(item: string, step: string, field: Field, report: Report): boolean {
  if (!field.signs.includes('/'))
    report(item, 'has a step, which EventBridge does not take here; list the values');
  else if (Number(step) === 0) report(item, 'has step 0; a step is 1 or more');
  else return true;
  return false;
}

/** One number or name; null, and reported, when the field has no such value. */
export function oneValue(text: string, field: Field, report: Report): number | null {
  const named = field.names.indexOf(text);
  if (named >= 0) return field.min + named;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= field.min && value <= field.max) return value;
  report(text, /^\d+$/.test(text) ? 'is out of range' : 'is not a value');
  return null;
}

function numbers(from: number, to: number, step: number, field: Field): number[] {
  const values: number[] = [];
  for (let value = from; value <= to; value += step) {
    values.push(((value - field.min) % field.size) + field.min);
  }
  return values;
}

/** `0-59, with * , - /`: the end of every message about the field. */
export function allowed(field: Field): string {
  const names = field.names.length > 0 ? ` or ${field.names[0]}-${field.names.at(-1)}` : '';
  return `${field.min}-${field.max}${names}, with * , - ${field.signs}`;
}

export function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
