import type { ManifestJob } from '../manifest.ts';
import type { Expectation } from './duration.ts';
import type { Range } from './fires.ts';
import type { Entrant, Tally } from './lane.ts';

/** A job whose fires find its own runs in the way. */
export interface Overlap extends Expectation, Readonly<Tally> {
  readonly job: string;
  readonly overlap: ManifestJob['overlap'];
  readonly fires: number;
  /** The shortest time between two fires. */
  readonly periodMs: number;
  /** Its fires come faster than its runs end, all in all: no queue of it ever empties. */
  readonly endless: boolean;
  /** Its runs end before its next fire: only what they wait for pools puts them in its way. */
  readonly isOfPools: boolean;
}

/** What of a job's fires meets its own runs; null: nothing does. */
export function overlapOf(entrant: Entrant, tally: Tally, { from, to }: Range): Overlap | null {
  const { job, durationMs, samples } = entrant;
  const fires = entrant.fires.filter((fire) => fire < to);
  const touched = tally.queued + tally.skipped + tally.superseded + tally.canceled + tally.waitedTooLong;
  if (touched === 0) return null;
  const periodMs = shortestGap(fires);
  return {
    job: job.id,
    overlap: job.overlap,
    durationMs,
    samples,
    fires: fires.length,
    periodMs,
    endless: durationMs * fires.length > to - from && periodMs < durationMs,
    isOfPools: tally.behindPools.length > 0 && durationMs <= periodMs,
    ...tally,
  };
}

function shortestGap(fires: readonly number[]): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (const [index, fire] of fires.entries())
    shortest = Math.min(shortest, fire - (fires[index - 1] ?? Number.NEGATIVE_INFINITY));
  return shortest;
}
