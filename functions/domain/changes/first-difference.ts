import type { Spec } from '../schedule/index.ts';
import { day } from '../time.ts';
import { listed } from './listed.ts';

/** The first fire that only one of two versions has. */
export interface Difference {
  readonly at: number;
  readonly is: 'vanished' | 'appeared';
}

/** So far ahead it is looked for: every change of the clocks comes once. */
const aheadMs = 400 * day;

/** Null: there is none after `from` in the next 400 days, or none among the first `most` fires. */
export function firstDifference(
  before: Spec,
  after: Spec,
  { from, most }: { from: number; most: number },
): Difference | null {
  const range = { from, to: from + aheadMs };
  const [old, fresh] = [listed(before, range, most), listed(after, range, most)];
  const until = Math.min(old.until, fresh.until);
  const gone = firstOnlyIn(old.fires, fresh.fires);
  const come = firstOnlyIn(fresh.fires, old.fires);
  if (Math.min(gone, come) > until) return null;
  return gone < come ? { at: gone, is: 'vanished' } : { at: come, is: 'appeared' };
}

function firstOnlyIn(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  for (const at of one) if (!other.has(at)) return at;
  return Number.POSITIVE_INFINITY;
}
