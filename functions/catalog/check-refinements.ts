import { type Dst, type Exception, problems, type Spec, spreadOf } from '../domain/schedule/index.ts';
import { choice, isPlainObject, isSchedule, nonEmptyList, refuseUnknownKeys } from './check-shape.ts';
import { checkSpread } from './check-times.ts';
import type { Findings, Refuse } from './problem.ts';

/** What else determines when a job is due, besides its schedules and its zone. */
export type Refinements = Omit<Spec, 'schedules' | 'timezone'>;

type Given = Readonly<Record<string, unknown>>;

/** What is left out or refused is not part of it. */
export function checkRefinements(given: Given, id: string | undefined, findings: Findings): Refinements {
  const dst = checkDst(given.dst, findings.refuse);
  const except = checkExcept(given.except, findings);
  const spreadMs = spread(given.spread, id, findings.refuse);
  return {
    ...(dst && { dst }),
    ...checkBounds(given, findings),
    ...(except && { except }),
    ...(spreadMs > 0 && { spreadMs }),
  };
}

function checkDst(value: unknown, refuse: Refuse): Dst | undefined {
  if (value === undefined) return undefined;
  if (!isPlainObject(value)) {
    refuse('dst', value, "is not allowed; allowed is an object such as { gap: 'next', repeat: 'first' }");
    return undefined;
  }
  refuseUnknownKeys('dst', value, ['gap', 'repeat'], refuse);
  const gap = choice('dst.gap', value.gap, ['next', 'skip'], refuse);
  const repeat = choice('dst.repeat', value.repeat, ['first', 'second', 'both'], refuse);
  return gap && repeat && { gap, repeat };
}

function checkBounds(given: Given, { refuse, report }: Findings): Pick<Refinements, 'from' | 'until'> {
  const bounds: { from?: string; until?: string } = {};
  for (const name of ['from', 'until'] as const) {
    const value = given[name];
    if (typeof value === 'string') bounds[name] = value;
    else if (value !== undefined)
      refuse(name, value, 'is no local date or time; write a text: 2027-01-01 or 2027-01-01T09:00');
  }
  for (const problem of problems({ schedules: [], timezone: 'UTC', ...bounds })) {
    const name = problem.startsWith('from:') ? 'from' : 'until';
    report(name, problem, bounds[name]);
  }
  return bounds;
}

function checkExcept(value: unknown, findings: Findings): readonly Exception[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return checkException('except', value, findings);
  const items = nonEmptyList('except', value, 'dates, ranges and schedules', findings.refuse);
  return items.flatMap((item, index) => checkException(`except[${index}]`, item, findings));
}

function checkException(option: string, value: unknown, { refuse, report }: Findings): Exception[] {
  if (typeof value !== 'string' && !isSchedule(value)) {
    refuse(option, value, 'is no exception; write 2026-12-25, 2026-12-24/2027-01-02, or cron(…)');
    return [];
  }
  for (const problem of problems({ schedules: [], timezone: 'UTC', except: [value] }))
    report(option, `${option}: ${problem.replace(/^(except|schedule): /, '')}`, value);
  return [value];
}

/** The job's own delay in milliseconds; none when something was refused. */
function spread(value: unknown, id: string | undefined, refuse: Refuse): number {
  const within = value === undefined ? undefined : checkSpread(value, refuse);
  return within === undefined || id === undefined ? 0 : spreadOf(id, within);
}
