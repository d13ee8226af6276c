import { offsetChanges, type Segment, type ZoneRules, zoneOf } from './zone.ts';

/**
 * A zone's offsets over a stretch of time, as plain JSON: what tells, once the rules are others, which fires have moved.
 * Everything in milliseconds.
 */
export interface ZoneRecord {
  readonly from: number;
  readonly to: number;
  /** At `from`. */
  readonly offset: number;
  /** The later ones, oldest first: since when, and which. */
  readonly changes: readonly (readonly [at: number, offset: number])[];
}

/** @throws ScheduleError for a name that isn't in the IANA database */
export function recordZone(timezone: string, from: number, to: number): ZoneRecord {
  const changes = offsetChanges(timezone, from + 1, to).map(({ at, after }) => [at, after] as const);
  return { from, to, offset: zoneOf(timezone).segmentAt(from).offset, changes };
}

/** The rules as they were recorded; before and after its stretch a record knows no change. */
export function recordedRules({ offset, changes }: ZoneRecord): ZoneRules {
  const offsets = [offset, ...changes.map(([, after]) => after)];
  const segments = offsets.map(
    (own, index): Segment => ({
      start: changes[index - 1]?.[0] ?? Number.NEGATIVE_INFINITY,
      end: changes[index]?.[0] ?? Number.POSITIVE_INFINITY,
      offset: own,
      before: offsets[index - 1] ?? own,
      after: offsets[index + 1] ?? own,
    }),
  );
  return { segmentAt: (instant) => segments.find(({ end }) => instant < end) ?? segmentOf(offset) };
}

function segmentOf(offset: number): Segment {
  return {
    start: Number.NEGATIVE_INFINITY,
    end: Number.POSITIVE_INFINITY,
    offset,
    before: offset,
    after: offset,
  };
}
