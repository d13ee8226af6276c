import { problems, type Schedule, type Spec, zoneProblem } from '../domain/schedule/index.ts';
import { checkRefinements } from './check-refinements.ts';
import { isSchedule, nonEmptyList } from './check-shape.ts';
import { type Findings, shown } from './problem.ts';

const howTo =
  "write cron('0 3 * * *'), every('5 minutes'), at('2027-01-01T09:00'), manual(), or a list of them";

/** When the job is due, or undefined when its zone was refused. Its own delay depends on its id. */
export function checkSpec(
  given: Readonly<Record<string, unknown>>,
  id: string | undefined,
  findings: Findings,
): Spec | undefined {
  const schedules = checkSchedules(given.schedule, findings);
  const refinements = checkRefinements(given, id, findings);
  const { from, until, except } = refinements;
  const isLocal = schedules.some(({ kind }) => kind === 'cron' || kind === 'at');
  const namesDates = (from ?? until ?? except) !== undefined;
  const timezone = checkTimezone(given.timezone, isLocal || namesDates, findings);
  return timezone === undefined ? undefined : { schedules, timezone, ...refinements };
}

function checkSchedules(value: unknown, findings: Findings): readonly Schedule[] {
  if (value === undefined) {
    findings.report('schedule', `schedule: missing; when is the job due? ${howTo}`);
    return [];
  }
  if (!Array.isArray(value)) return checkSchedule('schedule', value, findings);
  const items = nonEmptyList('schedule', value, 'schedules', findings.refuse);
  return items.flatMap((item, index) => checkSchedule(`schedule[${index}]`, item, findings));
}

/** The schedule, or nothing when it isn't one. One with a bad field is returned, so that its zone is checked too. */
function checkSchedule(option: string, value: unknown, { refuse, report }: Findings): Schedule[] {
  if (!isSchedule(value)) {
    refuse(option, value, `is not a schedule; ${hint(value)}`);
    return [];
  }
  for (const problem of problems({ schedules: [value], timezone: 'UTC' }))
    report(option, `${option}: ${problem.replace(/^schedule: /, '')}`, written(value));
  return [value];
}

function hint(value: unknown): string {
  if (typeof value === 'string') return `write cron(${shown(value)}), or every(…) or at(…)`;
  if (typeof value === 'function' && /^[a-z]+$/.test(value.name)) return `call it: ${value.name}(…)`;
  return howTo;
}

function written(schedule: Schedule): unknown {
  if (schedule.kind === 'cron') return schedule.expression;
  if (schedule.kind === 'at') return schedule.local;
  return schedule;
}

function checkTimezone(value: unknown, isNeeded: boolean, { refuse, report }: Findings): string | undefined {
  if (value === undefined) {
    if (!isNeeded) return 'UTC';
    report(
      'timezone',
      "timezone: missing; whose 03:00 is meant? Write an IANA name such as 'Asia/Taipei', or 'UTC'",
    );
    return undefined;
  }
  if (typeof value !== 'string') {
    refuse('timezone', value, "is not a time zone; write an IANA name such as 'Asia/Taipei', or 'UTC'");
    return undefined;
  }
  const problem = zoneProblem(value);
  if (problem !== null) report('timezone', problem, value);
  return problem === null ? value : undefined;
}
