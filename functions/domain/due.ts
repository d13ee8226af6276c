import type { DueFire } from './catch-up.ts';
import type { JobState, SpecVersion } from './job-state.ts';
import { beganAt, isOver } from './pause.ts';
import { nearOffsetChange, type Spec, type Timetable } from './schedule/index.ts';
import { hour, minute } from './time.ts';
import type { Interval } from './watermark.ts';

/** After the schedule of an existing job changed, and before: how long alarms of the other version may still be about. */
export const editDoubtMs = hour;
/** Around an offset change of its zone, what EventBridge does in undocumented cases can't matter. */
export const offsetDoubtMs = 3 * hour;
/** In doubt the alarm goes first, by so much. */
export const doubtDelayMs = minute;

/** A stretch in which one version of a job's schedule was in force: on (from, until]. */
export interface Reign {
  readonly specId: string;
  readonly from: number;
  /** Absent: still in force. */
  readonly until?: number;
  readonly timetable: Timetable;
  /** The instants that no alarm of this version hits. */
  readonly isSwept: (fire: number) => boolean;
  /** The due instants that this version excepts. */
  readonly isExcluded: (fire: number) => boolean;
  readonly timezone: string;
}

/** What of a reign its spec alone determines. */
export type CompiledSpec = Pick<Reign, 'timetable' | 'isSwept' | 'isExcluded' | 'timezone'>;

/** The versions of a job's schedule as stretches of time, oldest first; `compile` may be cached by the spec's id. */
export function reignsOf(
  versions: readonly SpecVersion[],
  compile: (specId: string, spec: Spec) => CompiledSpec,
): Reign[] {
  return versions.flatMap((version, index) => {
    if (version.spec === null) return [];
    const next = versions[index + 1];
    const compiled = compile(version.specId, version.spec);
    return [
      {
        specId: version.specId,
        from: version.from,
        ...(next ? { until: next.from } : {}),
        ...compiled,
      },
    ];
  });
}

/** The fires of a job in an interval, each under the version in force at its instant. */
export function dueFires(
  jobId: string,
  reigns: readonly Reign[],
  within: Interval,
): { fire: DueFire; reign: Reign; successor?: Reign }[] {
  return reigns.flatMap((reign, index) => {
    const from = Math.max(within.from, reign.from);
    const to = Math.min(within.to, reign.until ?? Number.POSITIVE_INFINITY);
    if (from >= to) return [];
    const successor = reigns[index + 1];
    return [...reign.timetable.between(from, to)].map((fireTime) => ({
      fire: { jobId, fireTime, specId: reign.specId },
      reign,
      ...(successor ? { successor } : {}),
    }));
  });
}

/** What a due fire without a record calls for. `offer`: it is live, and no alarm is expected (any more) to start it. */
export type DueVerdict = 'not-yet' | 'offer' | 'missed' | 'paused' | 'edited' | 'excluded';

/** Judges a due fire that has no record. Everything in epoch milliseconds. */
export function judgeDue(
  fireTime: number,
  {
    reign,
    successor,
    state,
    graceMs,
    now,
  }: {
    reign: Reign;
    successor?: Reign | undefined;
    state: Pick<JobState, 'paused' | 'specChanged' | 'refusedFire'>;
    graceMs: number;
    now: number;
  },
): DueVerdict {
  const next = reign.until !== undefined && isDoubtful(fireTime, reign.until) ? successor : undefined;
  const dropped = next ? droppedBy(next, fireTime) : null;
  if (dropped !== null) return dropped;
  if (reign.isExcluded(fireTime)) return 'excluded';
  const overdue = now > fireTime + graceMs;
  const delay = next ? 0 : offerDelay(fireTime, reign, { state, graceMs });
  if (!overdue && now < fireTime + delay) return 'not-yet';
  if (state.paused !== undefined && fireTime >= beganAt(state.paused) && !isOver(state.paused, fireTime))
    return 'paused';
  return overdue ? 'missed' : 'offer';
}

/**
 * In the hour before a new version took force only fires of both versions are still expected. No delivery may start them
 * any more: the old code's version is not in force, and the new one was not when they were due.
 */
export function isDoubtful(fireTime: number, inForceFrom: number): boolean {
  return fireTime <= inForceFrom && fireTime > inForceFrom - editDoubtMs;
}

/** Why the version that took force does not want a fire of the doubtful hour run; null: it is due under both. */
export function droppedBy(
  next: Pick<CompiledSpec, 'timetable' | 'isExcluded'>,
  fireTime: number,
): 'edited' | 'excluded' | null {
  if (!next.timetable.has(fireTime)) return 'edited';
  return next.isExcluded(fireTime) ? 'excluded' : null;
}

function offerDelay(
  fireTime: number,
  reign: Reign,
  { state, graceMs }: { state: Pick<JobState, 'specChanged' | 'refusedFire'>; graceMs: number },
): number {
  if (reign.isSwept(fireTime) || state.refusedFire === fireTime) return 0;
  const edited = state.specChanged && reign.until === undefined && fireTime <= reign.from + editDoubtMs;
  if (edited || nearOffsetChange(reign.timezone, fireTime, offsetDoubtMs)) return doubtDelayMs;
  return graceMs + 1;
}
