import {
  clockChanges,
  type Dst,
  problems,
  type Spec,
  timetable,
  warnings,
} from '../../domain/schedule/index.ts';
import { day } from '../../domain/time.ts';
import { oneLine } from '../render/text.ts';
import type { Found, Refused, System } from './found.ts';

/** A schedule that was found, as a job can have it. */
export interface Carried {
  readonly found: Found;
  readonly spec: Spec;
  readonly description: string;
  /** What doesn't carry over, a sentence each. */
  readonly lost: readonly string[];
  /** Valid, and probably not meant. */
  readonly warnings: readonly string[];
}

/** Of what the file leaves to the machine that ran it: a cluster's is nearly always UTC, a cron's anything. */
const machineZones: Readonly<Partial<Record<System, string>>> = { Kubernetes: 'UTC' };

/** The zone in which a schedule is due; null when only a person can tell. */
export function timezoneOf(found: Found, asked: string | undefined): string | null {
  return found.timezone ?? asked ?? machineZones[found.system] ?? null;
}

/** The spec with the same due instants, or why the engine refuses it. */
export function carry(
  found: Found,
  timezone: string,
  { asked, now }: { asked: string | undefined; now: number },
): Carried | Refused {
  const { schedules, from, until, system } = found;
  const spec: Spec = { schedules, timezone, ...(from && { from }), ...(until && { until }) };
  const [problem, ...others] = problems(spec);
  if (problem !== undefined)
    return { line: found.line, what: found.name, why: oneLine([problem, ...others].join('; ')) };
  const exact = found.dst !== undefined && differs(spec, found.dst, now) ? { ...spec, dst: found.dst } : spec;
  return {
    found,
    spec: exact,
    description: descriptionOf(found),
    lost: [
      ...(found.timezone === undefined && asked === undefined ? [zoneIsAssumed(timezone)] : []),
      ...(system === 'EventBridge' && found.dst === undefined && isTouched(spec, now) ? [undocumented] : []),
      ...found.lost,
    ].map(oneLine),
    warnings: [...(exact.dst ? [dstWords(exact.dst, system)] : []), ...warnings(exact, now)].map(oneLine),
  };
}

function zoneIsAssumed(timezone: string): string {
  return `its zone, which is its cluster's and is not written down: ${timezone} is taken; --timezone names another`;
}

function dstWords({ repeat }: Dst, system: System): string {
  return `dst: as ${system} does when the clocks change, a time that is skipped is not due, and one that comes twice is due ${repeat === 'both' ? 'both times' : 'the first time'}`;
}

const undocumented =
  'the hour that comes twice in autumn, of which EventBridge documents nothing for every hour: due both times';

const lookAhead = 10 * 366 * day;

/** Whether the change of the clocks in any of the next years gives other fires under the policy. */
function differs(spec: Spec, dst: Dst, now: number): boolean {
  const [ours, theirs] = [timetable(spec), timetable({ ...spec, dst })];
  return clockChanges(spec, now, now + lookAhead).some(({ at }) => {
    const around = (due: typeof ours) => [...due.between(at - 2 * day, at + 2 * day)].join();
    return around(ours) !== around(theirs);
  });
}

function isTouched(spec: Spec, now: number): boolean {
  return clockChanges(spec, now, now + lookAhead).some(({ times }) => times.length > 0);
}

/** Lambda's limit for a function's description. */
const longestDescription = 256;

function descriptionOf({ description, name }: Found): string {
  const text = oneLine(description ?? '') || oneLine(name);
  return text.length > longestDescription ? `${text.slice(0, longestDescription - 1).trimEnd()}…` : text;
}
