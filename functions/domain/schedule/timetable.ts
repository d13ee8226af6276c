import { readLocal, SingleTime } from './at.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import { DAY, firstDayOf, LAST_YEAR, MINUTE } from './calendar.ts';
import { CronPattern } from './cron-pattern.ts';
import { Grid } from './every.ts';
import { parseCron } from './parse-cron.ts';
import { problems } from './problems.ts';
import type { Schedule, Spec } from './schedule.ts';
import { ScheduleError } from './schedule-error.ts';
import {
  Delayed,
  type Dst,
  ELAPSED_TIME,
  FIXED_TIMES,
  WallClock,
  type WallClockPattern,
} from './wall-clock.ts';
import { type ZoneRules, zoneOf } from './zone.ts';

/** The due instants of a spec, in epoch milliseconds, from 1970 to the end of 9999. */
export interface Timetable {
  has(instant: number): boolean;
  /** The first due instant strictly after `after`. */
  next(after: number): number | null;
  /** The last due instant strictly before `before`. */
  previous(before: number): number | null;
  /** Ascending and lazy. */
  between(fromExclusive: number, toInclusive: number): Iterable<number>;
}

/** One schedule's due instants; infinite when there is no other. */
interface Sequence {
  next(after: number): number;
  previous(before: number): number;
}

const END = firstDayOf((LAST_YEAR + 1) * 12) * DAY;

/**
 * Compiles a spec once, to be asked often. `rules` of its zone: this process's own, unless others are given.
 *
 * @throws ScheduleError with everything that is wrong with the spec
 */
export function timetable(spec: Spec, rules?: ZoneRules): Timetable {
  const found = problems(spec);
  if (found.length > 0) throw new ScheduleError(found);
  const zone = rules ?? zoneOf(spec.timezone);
  const sequences = spec.schedules.flatMap((schedule) => sequenceOf(schedule, spec, zone) ?? []);
  const [only] = sequences;
  const all = only && sequences.length === 1 ? only : new Union(sequences);
  return new Sequences(isBounded(spec) ? new Bounded(all, boundsOf(zone, spec.from, spec.until)) : all);
}

export function isBounded({ from, until }: Spec): boolean {
  return from !== undefined || until !== undefined;
}

/** What becomes of one schedule's wall times that are skipped or repeated. */
export function dstOf(schedule: Schedule, spec: Pick<Spec, 'dst'>): Dst {
  if (spec.dst !== undefined) return spec.dst;
  const elapsed =
    schedule.kind === 'cron' && parseCron(schedule.dialect, schedule.expression).followsElapsedTime;
  return elapsed ? ELAPSED_TIME : FIXED_TIMES;
}

function sequenceOf(schedule: Schedule, spec: Spec, zone: ZoneRules): Sequence | null {
  const { spreadMs = 0 } = spec;
  switch (schedule.kind) {
    case 'cron': {
      const pattern = new CronPattern(parseCron(schedule.dialect, schedule.expression));
      return new WallClock(delayed(pattern, spreadMs), zone, dstOf(schedule, spec));
    }
    case 'at': {
      const time = new SingleTime(readLocal(schedule.local) ?? Number.NaN);
      return new WallClock(delayed(time, spreadMs), zone, dstOf(schedule, spec));
    }
    case 'every':
      return new Grid(schedule.periodMs, (schedule.offsetMs + spreadMs) % schedule.periodMs);
    case 'manual':
      return null;
  }
}

function delayed(pattern: WallClockPattern, spreadMs: number): WallClockPattern {
  return spreadMs === 0 ? pattern : new Delayed(pattern, spreadMs / MINUTE);
}

class Union implements Sequence {
  readonly #members: readonly Sequence[];

  constructor(members: readonly Sequence[]) {
    this.#members = members;
  }

  next(after: number): number {
    let first = Number.POSITIVE_INFINITY;
    for (const member of this.#members) first = Math.min(first, member.next(after));
    return first;
  }

  previous(before: number): number {
    let last = Number.NEGATIVE_INFINITY;
    for (const member of this.#members) last = Math.max(last, member.previous(before));
    return last;
  }
}

class Bounded implements Sequence {
  readonly #sequence: Sequence;
  readonly #bounds: Bounds;

  constructor(sequence: Sequence, bounds: Bounds) {
    this.#sequence = sequence;
    this.#bounds = bounds;
  }

  next(after: number): number {
    const fire = this.#sequence.next(Math.max(after, this.#bounds.start - 1));
    return fire < this.#bounds.end ? fire : Number.POSITIVE_INFINITY;
  }

  previous(before: number): number {
    const fire = this.#sequence.previous(Math.min(before, this.#bounds.end));
    return fire >= this.#bounds.start ? fire : Number.NEGATIVE_INFINITY;
  }
}

class Sequences implements Timetable {
  readonly #sequence: Sequence;

  constructor(sequence: Sequence) {
    this.#sequence = sequence;
  }

  has(instant: number): boolean {
    return this.next(instant - 1) === instant;
  }

  next(after: number): number | null {
    if (after >= END) return null;
    const fire = this.#sequence.next(Math.max(Math.floor(after), -1));
    return fire < END ? fire : null;
  }

  previous(before: number): number | null {
    if (before <= 0) return null;
    const fire = this.#sequence.previous(Math.min(Math.ceil(before), END));
    return fire >= 0 ? fire : null;
  }

  *between(fromExclusive: number, toInclusive: number): Iterable<number> {
    const to = Math.min(toInclusive, END - 1);
    let fire = this.#sequence.next(Math.max(Math.floor(fromExclusive), -1));
    while (fire <= to) {
      yield fire;
      fire = this.#sequence.next(fire);
    }
  }
}
