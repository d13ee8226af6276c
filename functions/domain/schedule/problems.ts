import { readLocal } from './at.ts';
import { readBound, readDates } from './bounds.ts';
import { MINUTE } from './calendar.ts';
import { periodProblem } from './every.ts';
import { parseCron } from './parse-cron.ts';
import type { Exception, Schedule, Spec } from './schedule.ts';
import { ScheduleError } from './schedule-error.ts';
import { zoneProblem } from './zone-problem.ts';

const GAPS = ['next', 'skip'];
const REPEATS = ['first', 'second', 'both'];

/** Everything that is wrong with a spec, one sentence each; empty when it can be followed. */
export function problems(spec: Spec): string[] {
  const zone = zoneProblem(spec.timezone);
  return [
    ...spec.schedules.flatMap(scheduleProblems),
    ...(zone === null ? [] : [zone]),
    ...dstProblems(spec),
    ...boundProblems(spec),
    ...spreadProblems(spec),
    ...(spec.except ?? []).flatMap(exceptionProblems),
  ];
}

function scheduleProblems(schedule: Schedule): readonly string[] {
  switch (schedule.kind) {
    case 'cron':
      return cronProblems(schedule);
    case 'every': {
      const problem = schedule.unreadable ?? periodProblem(schedule.periodMs, schedule.offsetMs);
      return problem === null ? [] : [problem];
    }
    case 'at':
      return readLocal(schedule.local) === null ? [atProblem(schedule.local)] : [];
    case 'manual':
      return [];
  }
}

function cronProblems({ dialect, expression }: Extract<Schedule, { kind: 'cron' }>): readonly string[] {
  try {
    parseCron(dialect, expression);
    return [];
  } catch (error) {
    if (error instanceof ScheduleError) return error.problems;
    throw error;
  }
}

function atProblem(local: string): string {
  return `at: "${local}" is not a local date and time in whole minutes; write it like 2027-01-01T09:00, without zone`;
}

function dstProblems({ dst }: Spec): string[] {
  if (dst === undefined) return [];
  const gap = GAPS.includes(dst.gap)
    ? []
    : [`dst.gap: "${dst.gap}" is not known; allowed are ${GAPS.join(', ')}`];
  const repeat = REPEATS.includes(dst.repeat)
    ? []
    : [`dst.repeat: "${dst.repeat}" is not known; allowed are ${REPEATS.join(', ')}`];
  return [...gap, ...repeat];
}

function boundProblems({ from, until }: Spec): string[] {
  const bounds = Object.entries({ from, until }).filter(([, text]) => text !== undefined);
  const unreadable = bounds.filter(([, text]) => readBound(text ?? '') === null);
  if (unreadable.length > 0) {
    return unreadable.map(
      ([name, text]) => `${name}: "${text}" is no local date or time; write 2027-01-01 or 2027-01-01T09:00`,
    );
  }
  const [first, last] = [readBound(from ?? ''), readBound(until ?? '')];
  const backwards = first !== null && last !== null && first > last;
  return backwards ? [`until: "${until}" is before from, "${from}"; nothing would ever be due`] : [];
}

function spreadProblems({ spreadMs = 0 }: Spec): string[] {
  if (spreadMs >= 0 && spreadMs % MINUTE === 0) return [];
  return [`spread: ${spreadMs} ms is no whole number of minutes`];
}

function exceptionProblems(exception: Exception): readonly string[] {
  if (typeof exception !== 'string') return scheduleProblems(exception);
  const dates = readDates(exception);
  if (dates === null) {
    return [`except: "${exception}" is no date; write 2026-12-25, a range 2026-12-24/2027-01-02, or cron(…)`];
  }
  const backwards = dates[0] > dates[1];
  return backwards ? [`except: "${exception}" runs backwards; write the earlier date first`] : [];
}
