import type { Schedule } from '../domain/schedule/index.ts';
import { nearest, suggestion } from './nearest.ts';
import { type Findings, type Refuse, shown } from './problem.ts';

/** An object as written in a job file: `{ … }`, not an array, a Map, a Date or a class's instance. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Refuses the keys of an option's object that are not among the known ones. */
export function refuseUnknownKeys(
  option: string,
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  refuse: Refuse,
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      refuse(
        `${option}.${key}`,
        value[key],
        `is no part of ${option}; ${suggestion(key, known, 'its parts')}`,
      );
  }
}

/** A whole number within bounds, or undefined when it was refused. */
export function wholeNumber(
  option: string,
  value: unknown,
  [least, most]: readonly [number, number],
  unit: string,
  refuse: Refuse,
): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  refuse(option, value, `is not allowed; allowed is a whole number${unit} from ${least} to ${most}`);
  return undefined;
}

/** A line for the person on call, or undefined when it was refused. */
export function oneLine(
  option: string,
  value: unknown,
  longest: number,
  { refuse, report }: Findings,
): string | undefined {
  const todo = 'write one sentence for the person on call';
  if (value === undefined) report(option, `${option}: missing; ${todo}`);
  else if (typeof value !== 'string' || value.trim() === '') refuse(option, value, `is not allowed; ${todo}`);
  else if (value.length > longest)
    refuse(option, value, `has ${value.length} characters; at most ${longest} are allowed`);
  else if (/\p{Cc}/u.test(value)) refuse(option, value, 'must be one line without control characters');
  else return value;
  return undefined;
}

/** One of the choices, or undefined when it was refused. */
export function choice<const Choice extends string>(
  option: string,
  value: unknown,
  choices: readonly Choice[],
  refuse: Refuse,
): Choice | undefined {
  const found = choices.find((name) => name === value);
  if (found !== undefined) return found;
  const near = typeof value === 'string' ? nearest(value, choices) : null;
  const guess = near === null ? '' : `; did you mean "${near}"?`;
  refuse(option, value, `is not allowed; allowed is ${choices.map(shown).join(' or ')}${guess}`);
  return undefined;
}

/** A list with something in it, or an empty one when it was refused. */
export function nonEmptyList(
  option: string,
  value: unknown,
  what: string,
  refuse: Refuse,
): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return [...value];
  refuse(option, value, `is not allowed; allowed is a list of ${what}, with at least one`);
  return [];
}

/** What cron(), every(), at() and manual() make, whatever its fields say. */
export function isSchedule(value: unknown): value is Schedule {
  if (!isPlainObject(value)) return false;
  switch (value.kind) {
    case 'cron':
      return typeof value.expression === 'string' && typeof value.dialect === 'string';
    case 'every':
      return typeof value.periodMs === 'number' && typeof value.offsetMs === 'number';
    case 'at':
      return typeof value.local === 'string';
    default:
      return value.kind === 'manual';
  }
}
