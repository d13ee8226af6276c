import { DAY, firstDayOf, formatLocal, monthOf } from './calendar.ts';
import { ScheduleError } from './schedule-error.ts';
import { zoneProblem } from './zone-problem.ts';

/**
 * A stretch of time in which a zone keeps one offset. `before` and `after` are the offsets of its neighbours; they are
 * equal to `offset` where the stretch was cut for another reason than an offset change. Everything in milliseconds.
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly before: number;
  readonly after: number;
}

/** What is known of a zone: this process's own rules, or those that were recorded once. */
export interface ZoneRules {
  /** The stretch with an instant in it. */
  segmentAt(instant: number): Segment;
}

/** Two changes of one zone were never less than 6.9 days apart since 1970, so a probe every 3 days sees each. */
const PROBE = 3 * DAY;
const ALWAYS: Segment = { start: -Infinity, end: Infinity, offset: 0, before: 0, after: 0 };
const NOT_YET: Segment = { ...ALWAYS, start: 0, end: 0 };
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The offsets of one zone, asked of Intl once per year of the calendar and kept. */
export class Zone implements ZoneRules {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #years = new Map<number, readonly Segment[]>();
  #last: Segment;

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hour: 'numeric',
      timeZoneName: 'longOffset',
    });
    this.#last = this.#format.resolvedOptions().timeZone === 'UTC' ? ALWAYS : NOT_YET;
  }

  segmentAt(instant: number): Segment {
    if (this.#last.start <= instant && instant < this.#last.end) return this.#last;
    const year = Math.floor(monthOf(Math.floor(instant / DAY)) / 12);
    for (const segment of this.#segmentsOf(year)) {
      if (instant < segment.end) {
        this.#last = segment;
        break;
      }
    }
    return this.#last;
  }

  #segmentsOf(year: number): readonly Segment[] {
    const known = this.#years.get(year);
    if (known) return known;
    const segments = this.#explore(firstDayOf(year * 12) * DAY, firstDayOf(year * 12 + 12) * DAY);
    this.#years.set(year, segments);
    return segments;
  }

  #explore(from: number, to: number): Segment[] {
    const segments: Segment[] = [];
    let start = from;
    let before = this.#offsetAt(from - 1);
    let offset = this.#offsetAt(from);
    for (let probe = from; probe < to; probe += PROBE) {
      const until = Math.min(probe + PROBE, to);
      const after = this.#offsetAt(until);
      if (after === offset) continue;
      const end = this.#changeBetween(probe, until, offset);
      segments.push({ start, end, offset, before, after });
      [start, before, offset] = [end, offset, after];
    }
    if (start < to) segments.push({ start, end: to, offset, before, after: offset });
    return segments;
  }

  #changeBetween(from: number, to: number, offset: number): number {
    let [low, high] = [from / 1000, to / 1000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle * 1000) === offset) low = middle;
      else high = middle;
    }
    return high * 1000;
  }

  #offsetAt(instant: number): number {
    const [, sign, hours, minutes, seconds] = OFFSET.exec(this.#format.format(instant)) ?? [];
    const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
    return (sign === '-' ? -size : size) * 1000;
  }
}

const zones = new Map<string, Zone>();

/** @throws ScheduleError for a name that isn't in the IANA database */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const problem = zoneProblem(name);
  if (problem) throw new ScheduleError([problem]);
  const zone = new Zone(name);
  zones.set(name, zone);
  return zone;
}

/** One change of a zone's offset: `at` is the first instant of the new one. */
export interface OffsetChange {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The offset changes from `from` to `to`, both included. */
export function offsetChanges(timezone: string, from: number, to: number): OffsetChange[] {
  const zone = zoneOf(timezone);
  const changes: OffsetChange[] = [];
  for (let segment = zone.segmentAt(from - 1); segment.end <= to; segment = zone.segmentAt(segment.end)) {
    const { end: at, offset: before, after } = segment;
    if (after !== before) changes.push({ at, before, after });
  }
  return changes;
}

/** Whether the zone's offset changes within `withinMs` of the instant, before or after. */
export function nearOffsetChange(timezone: string, instant: number, withinMs: number): boolean {
  return offsetChanges(timezone, instant - withinMs, instant + withinMs).length > 0;
}

/** How far the wall's clock is ahead of UTC at an instant, in milliseconds. */
export function offsetAt(instant: number, timezone: string): number {
  return zoneOf(timezone).segmentAt(instant).offset;
}

/** `2026-12-01T03:00:00+08:00`: the wall time of an instant, with its offset. */
export function localTime(instant: number, timezone: string): string {
  const offset = offsetAt(instant, timezone);
  const size = formatLocal(Math.abs(offset)).slice(11);
  return `${formatLocal(instant + offset)}${offset < 0 ? '-' : '+'}${size.replace(/:00$/, '')}`;
}
