import {
  cron,
  type Dst,
  every,
  formatDuration,
  localTime,
  type Schedule,
  zoneProblem,
} from '../../domain/schedule/index.ts';
import { fromIso, minute } from '../../domain/time.ts';
import type { Found, Reading } from './found.ts';
import { booleanOf, type Fields, fieldsOf, listOf, presentKeys, shownValue, textOf } from './values.ts';

/** A schedule of EventBridge, from whichever template; its values may be anything. */
export interface Written {
  readonly line: number;
  /** For people: `schedule Nightly`. */
  readonly what: string;
  readonly name: string;
  readonly description: unknown;
  /** `cron(…)`, `rate(…)` or `at(…)`, or a list of them. */
  readonly expression: unknown;
  readonly timezone?: unknown;
  readonly start?: unknown;
  readonly end?: unknown;
  /** `ENABLED`, `DISABLED`, true or false; absent: enabled. */
  readonly state?: unknown;
  readonly ran: string;
  /** What else its template says of it that doesn't carry over. */
  readonly lost: readonly string[];
  readonly limits?: Pick<Found, 'timeoutMs' | 'memoryMb'>;
}

/** One job, or why there is none. */
export function eventBridgeReading(written: Written): Reading {
  const { line, what, timezone: zone } = written;
  const expressions = listOf(written.expression);
  const unknown = [...expressions, ...listOf(zone)].find((value) => textOf(value) === undefined);
  if (unknown !== undefined || expressions.length === 0) {
    const why =
      unknown === undefined
        ? 'its schedule is missing'
        : `${shownValue(unknown)} is known only at deployment; write the value in its place`;
    return { found: [], refused: [{ line, what, why }] };
  }
  return { found: [foundOf(written, expressions.map(String), textOf(zone) ?? 'UTC')], refused: [] };
}

function foundOf(written: Written, expressions: readonly string[], timezone: string): Found {
  const { start, end, state, limits, lost, line, name, ran } = written;
  const startsAt = fromIso(textOf(start) ?? '');
  const endsAt = fromIso(textOf(end) ?? '');
  const description = textOf(written.description);
  const dst = dstOf(expressions);
  const off = offBecause(state);
  return {
    system: 'EventBridge',
    line,
    name,
    ...(description && { description }),
    schedules: expressions.map((expression) => scheduleOf(expression, startsAt)),
    timezone,
    ...(zoneProblem(timezone) === null && boundsOf({ startsAt, endsAt }, timezone)),
    ...(dst && { dst }),
    ran,
    overlap: 'allow',
    ...limits,
    ...(off && { off }),
    lost: [
      ...(startsAt === null ? expressions.filter((text) => text.startsWith('rate(')).map(phaseLost) : []),
      ...(start !== undefined && startsAt === null ? [`StartDate ${shownValue(start)}`] : []),
      ...(end !== undefined && endsAt === null ? [`EndDate ${shownValue(end)}`] : []),
      ...lost,
    ],
  };
}

/** What isn't EventBridge's is left for the engine to refuse. A rate with a start is a grid of known phase. */
function scheduleOf(expression: string, startsAt: number | null): Schedule {
  const read = cron(expression);
  if (read.kind === 'cron') return { ...read, dialect: 'eventbridge', expression };
  if (read.kind !== 'every') return read;
  const offset = startsAt === null ? 0 : startsAt % read.periodMs;
  return every(formatDuration(read.periodMs), offset === 0 ? {} : { offset: formatDuration(offset) });
}

function phaseLost(rate: string): string {
  return `${rate}: its phase, which was AWS's; it is due on a fixed grid from 1970-01-01T00:00:00Z`;
}

/** Fires are whole minutes, so a bound within a minute is as good as the minute's end or beginning. */
function boundsOf(
  { startsAt, endsAt }: { startsAt: number | null; endsAt: number | null },
  timezone: string,
): Pick<Found, 'from' | 'until'> {
  const local = (instant: number) => localTime(instant, timezone).slice(0, 16);
  return {
    ...(startsAt !== null && { from: local(Math.ceil(startsAt / minute) * minute) }),
    ...(endsAt !== null && { until: local(endsAt) }),
  };
}

/** As documented for times of the day; of expressions with a star for the hour nothing is documented. */
function dstOf(expressions: readonly string[]): Dst | undefined {
  const fixed = expressions.every((expression) => !/^cron\(\s*\S+\s+\*/.test(expression));
  return fixed ? { gap: 'skip', repeat: 'first' } : undefined;
}

function offBecause(state: unknown): string | undefined {
  const text = textOf(state);
  if (state === undefined || state === null || booleanOf(state) === true || text?.startsWith('ENABLED'))
    return undefined;
  if (booleanOf(state) === false || text === 'DISABLED') return 'it was disabled';
  return `whether it is enabled depends on ${shownValue(state)}`;
}

const meanings: readonly (readonly [key: string, meaning: string])[] = [
  ['Input', 'what a run was given belongs in run()'],
  ['InputPath', 'what a run was given belongs in run()'],
  ['InputTransformer', 'what a run was given belongs in run()'],
  ['RetryPolicy', 'grace says how late a fire may start, and missed what becomes of it then'],
  ['DeadLetterConfig', 'a fire that came to nothing is in the ledger'],
];

/** What a target, or an event of SAM's, says besides what it calls. */
export function lostOfTarget(target: Fields): string[] {
  return meanings.filter(([key]) => target[key] !== undefined).map(([key, meaning]) => `${key}: ${meaning}`);
}

export function lostOfWindow(window: unknown): string[] {
  const { Mode: mode, MaximumWindowInMinutes: minutes } = fieldsOf(window);
  if (mode === undefined || mode === 'OFF') return [];
  return [
    `FlexibleTimeWindow of ${shownValue(minutes)} minutes: it is due to the minute; see the option spread`,
  ];
}

const ofFunctions = [
  'Environment',
  'environment',
  'Policies',
  'Role',
  'role',
  'VpcConfig',
  'vpc',
  'Layers',
  'layers',
  'ReservedConcurrentExecutions',
  'reservedConcurrency',
  'EventInvokeConfig',
  'DeadLetterQueue',
  'onError',
];

/** What a function of a template has besides its code. */
export function lostOfFunction(fields: Fields): string[] {
  const keys = presentKeys(fields, ofFunctions);
  return keys.length === 0 ? [] : [`of its function: ${keys.join(', ')}`];
}
