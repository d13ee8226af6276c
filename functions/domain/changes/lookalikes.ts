import { distance } from 'fastest-levenshtein';
import { canonicalJson } from '../fingerprint.ts';
import type { ManifestJob } from '../manifest.ts';

/** A job that is gone, and one that is new and most likely the same: its file was moved, and its id with it. */
export interface Lookalike {
  readonly removed: string;
  readonly added: string;
}

/** Of 1; less than this and they have little to do with each other. */
const leastLikeness = 0.6;
/** Of so many of each, so that comparing all with all has an end. */
const mostCompared = 200;

/** Pairs of removed and added jobs that look alike, the most alike first; each job is in one pair at most. */
export function lookalikes(removed: readonly ManifestJob[], added: readonly ManifestJob[]): Lookalike[] {
  const pairs = removed
    .slice(0, mostCompared)
    .flatMap((one) =>
      added.slice(0, mostCompared).map((other) => ({ one, other, likeness: likeness(one, other) })),
    )
    .filter((pair) => pair.likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness);
  const taken = new Set<ManifestJob>();
  return pairs.flatMap(({ one, other }) => {
    if (taken.has(one) || taken.has(other)) return [];
    taken.add(one).add(other);
    return [{ removed: one.id, added: other.id }];
  });
}

/** From 0 to 1. A file whose `id` was changed is the same file. */
function likeness(one: ManifestJob, other: ManifestJob): number {
  if (one.file === other.file) return 1;
  const due = dueAlike(one) === dueAlike(other) ? 1 : 0;
  return (
    0.3 * due +
    0.4 * textLikeness(one.description, other.description) +
    0.3 * textLikeness(nameOf(one), nameOf(other))
  );
}

/** Without its spread, which is drawn from the id. */
function dueAlike({ spec: { spreadMs: _drawn, ...spec } }: ManifestJob): string {
  return canonicalJson(spec);
}

function nameOf({ id }: ManifestJob): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function textLikeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  return longest === 0 ? 1 : 1 - distance(one, other) / longest;
}
