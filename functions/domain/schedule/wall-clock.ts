import { DAY, MINUTE } from './calendar.ts';
import type { Segment, ZoneRules } from './zone.ts';

/** Times on the wall, in minutes since 1970-01-01T00:00 local. Infinite when there is no other. */
export interface WallClockPattern {
  /** The earliest at or after `minute`; Infinity when there is none. */
  next(minute: number): number;
  /** The latest at or before `minute`; -Infinity when there is none. */
  previous(minute: number): number;
}

/** A pattern put off by some minutes on the wall. */
export class Delayed implements WallClockPattern {
  readonly #pattern: WallClockPattern;
  readonly #delay: number;

  constructor(pattern: WallClockPattern, delay: number) {
    this.#pattern = pattern;
    this.#delay = delay;
  }

  next(minute: number): number {
    return this.#pattern.next(minute - this.#delay) + this.#delay;
  }

  previous(minute: number): number {
    return this.#pattern.previous(minute - this.#delay) + this.#delay;
  }
}

/** What becomes of wall times that don't exist (`gap`) or exist twice (`repeat`) when the clocks change. */
export interface Dst {
  /** `next`: due at the first instant after the gap. `skip`: not due. */
  readonly gap: 'next' | 'skip';
  readonly repeat: 'first' | 'second' | 'both';
}

export const FIXED_TIMES: Dst = { gap: 'next', repeat: 'first' };
/** Elapsed time: each repeated time is due, and a gap, in which no time passes, has nothing due. */
export const ELAPSED_TIME: Dst = { gap: 'skip', repeat: 'both' };
/** What EventBridge Scheduler documents. */
export const EVENTBRIDGE: Dst = { gap: 'skip', repeat: 'first' };

/**
 * Two segments' ideas of one wall time differ by a day at most. So what the wall shows within this distance of a
 * segment's end may be shown again, or left out, after it; and no further.
 */
const REACH = 2 * DAY;

/** Later than any irregular change that is planned, calendar and rules repeat: what isn't due in a cycle never is. */
const SETTLED = Date.UTC(2100, 0);
const CYCLE = 146_097 * DAY;

/** The instants at which a clock on the wall of one zone shows a time of the pattern. */
export class WallClock {
  readonly #pattern: WallClockPattern;
  readonly #zone: ZoneRules;
  readonly #dst: Dst;

  constructor(pattern: WallClockPattern, zone: ZoneRules, dst: Dst) {
    this.#pattern = pattern;
    this.#zone = zone;
    this.#dst = dst;
  }

  /** The first instant after `after`; Infinity when there is none. */
  next(after: number): number {
    let from = after + 1;
    for (;;) {
      const segment = this.#zone.segmentAt(from);
      if (segment.start === from && this.#gapHasMatch(segment)) return from;
      const low = Math.max(from + segment.offset, this.#lowestWall(segment));
      const wall = this.#pattern.next(Math.ceil(low / MINUTE)) * MINUTE;
      if (wall < this.#endOfWall(segment)) return wall - segment.offset;
      const repeatsWithinReach = segment.end <= from + REACH;
      if (wall === Number.POSITIVE_INFINITY && !repeatsWithinReach) return wall;
      if (from > Math.max(after, SETTLED) + CYCLE) return Number.POSITIVE_INFINITY;
      from = repeatsWithinReach ? segment.end : Math.max(segment.end, wall - segment.offset - REACH);
    }
  }

  /** The last instant before `before`; -Infinity when there is none. */
  previous(before: number): number {
    let to = before - 1;
    for (;;) {
      const segment = this.#zone.segmentAt(to);
      const high = Math.min(to + segment.offset, this.#endOfWall(segment) - 1);
      const wall = this.#pattern.previous(Math.floor(high / MINUTE)) * MINUTE;
      if (wall >= this.#lowestWall(segment)) return wall - segment.offset;
      if (this.#gapHasMatch(segment)) return segment.start;
      const repeatsWithinReach = segment.start >= to - REACH;
      if (wall === Number.NEGATIVE_INFINITY && !repeatsWithinReach) return wall;
      to = repeatsWithinReach
        ? segment.start - 1
        : Math.min(segment.start - 1, wall - segment.offset + REACH);
      if (to > SETTLED && to < before - CYCLE) to = SETTLED;
    }
  }

  /** The segment's first wall time that counts; wall times below it, if any, were shown before. */
  #lowestWall(segment: Segment): number {
    const repeated = this.#dst.repeat === 'first' && segment.before > segment.offset;
    return segment.start + (repeated ? segment.before : segment.offset);
  }

  /** Where the segment's wall times that count end; later ones, if any, will be shown again. */
  #endOfWall(segment: Segment): number {
    const repeated = this.#dst.repeat === 'second' && segment.after < segment.offset;
    return segment.end + (repeated ? segment.after : segment.offset);
  }

  /** Whether a time of the pattern was left out when the clocks went forward at the segment's start. */
  #gapHasMatch(segment: Segment): boolean {
    if (this.#dst.gap === 'skip' || segment.before >= segment.offset) return false;
    const minute = this.#pattern.next(Math.ceil((segment.start + segment.before) / MINUTE));
    return minute * MINUTE < segment.start + segment.offset;
  }
}
