import { cron, type Dst, type Schedule, timetable } from '../domain/schedule/index.ts';
import { fromIso, toIso } from '../domain/time.ts';
import type { Io } from './io.ts';
import { linesOf } from './lines.ts';
import { UserError } from './user-error.ts';

/** One answer of `fl next --batch`. */
export type BatchAnswer = { readonly fires: readonly string[] } | { readonly error: string };

interface Question {
  readonly schedule: Schedule;
  readonly timezone: string;
  readonly from: number;
  readonly count: number;
  readonly dst?: Dst;
}

const mostFires = 100_000;

/** Answers JSON lines with JSON lines, each as soon as it is read; a line that can't be answered says why, and the next goes on. */
export async function answerLines(io: Pick<Io, 'input' | 'write' | 'now'>): Promise<void> {
  for await (const line of linesOf(io.input))
    await io.write(`${JSON.stringify(answerLine(line, io.now()))}\n`);
}

/** `from` is by default now, and `count` 1. Fewer fires than asked for: there are no more. */
export function answerLine(line: string, now: number): BatchAnswer {
  try {
    return { fires: firesOf(questionOf(parsed(line), now)).map(toIso) };
  } catch (error) {
    // Whatever is wrong with one line, the others are answered.
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function firesOf({ schedule, timezone, from, count, dst }: Question): number[] {
  const due = timetable({ schedules: [schedule], timezone, ...(dst === undefined ? {} : { dst }) });
  const fires: number[] = [];
  for (let fire = due.next(from); fire !== null && fires.length < count; fire = due.next(fire))
    fires.push(fire);
  return fires;
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new UserError(`the line is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UserError(`the line is not a JSON object; write ${example}`);
  return value as Fields;
}

const example = '{"expression":"0 3 * * *","timezone":"Asia/Taipei","from":"2026-12-01T00:00:00Z","count":3}';

function questionOf(fields: Fields, now: number): Question {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new UserError(`${unknown.join(', ')}: not known; known are ${known.join(', ')}`);
  const { expression, timezone, from, count = 1, dialect, dst } = fields;
  if (typeof expression !== 'string')
    throw refused('expression', expression, 'a cron, rate or at expression');
  if (typeof timezone !== 'string') throw refused('timezone', timezone, 'an IANA name such as Asia/Taipei');
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > mostFires)
    throw refused('count', count, `a whole number from 0 to ${mostFires}`);
  return {
    schedule: scheduleOf(expression, dialect),
    timezone,
    from: fromOf(from, now),
    count,
    ...(dst === undefined || dst === null ? {} : { dst: dstOf(dst) }),
  };
}

const known = ['expression', 'timezone', 'from', 'count', 'dialect', 'dst'];

function scheduleOf(expression: string, dialect: unknown): Schedule {
  if (dialect === undefined || dialect === null) return cron(expression);
  if (dialect === 'unix') return { kind: 'cron', dialect, expression: expression.trim() };
  if (dialect !== 'eventbridge') throw refused('dialect', dialect, '"unix" or "eventbridge"');
  const read = cron(isCall(expression) ? expression : `cron(${expression.trim()})`);
  return read.kind === 'cron' ? { ...read, dialect } : read;
}

/** `cron(…)`, `rate(…)` or `at(…)`, and not the six fields alone. */
function isCall(expression: string): boolean {
  return /^\s*[a-z]+\s*\(/i.test(expression);
}

function fromOf(from: unknown, now: number): number {
  if (from === undefined || from === null) return now;
  const instant = typeof from === 'string' ? fromIso(from) : null;
  if (instant === null)
    throw refused('from', from, 'an ISO instant with its zone, such as 2026-12-01T00:00:00Z');
  return instant;
}

/** Its values are checked with the schedule. */
function dstOf(dst: unknown): Dst {
  const shape = typeof dst === 'object' && dst !== null ? (dst as Partial<Record<string, unknown>>) : {};
  if (typeof shape.gap !== 'string' || typeof shape.repeat !== 'string')
    throw refused('dst', dst, '{"gap":"next"|"skip","repeat":"first"|"second"|"both"}');
  return { gap: shape.gap, repeat: shape.repeat } as Dst;
}

function refused(key: string, value: unknown, allowed: string): UserError {
  return new UserError(`${key}: ${JSON.stringify(value) ?? 'missing'}; allowed is ${allowed}`);
}
