import type { DueFire } from './catch-up.ts';
import { judgeDue, type Reign } from './due.ts';
import type { JobState } from './job-state.ts';
import type { ManifestJob } from './manifest.ts';
import { fireKey } from './names.ts';
import type { SkipReason } from './start.ts';

/** What a sweep sees of one job: its fires due in the slice, and which of them have a record. */
export interface Observed {
  readonly job: ManifestJob;
  readonly state: JobState;
  readonly due: readonly { readonly fire: DueFire; readonly reign: Reign; readonly successor?: Reign }[];
  /** Keys of the runs that exist. */
  readonly recorded: ReadonlySet<string>;
}

/** What a sweep is going to do about a job's fires. */
export interface Plan {
  /** Live fires that no alarm starts, oldest first. */
  readonly offers: readonly DueFire[];
  /** Fires that only need their record. */
  readonly skips: readonly { readonly fire: DueFire; readonly reason: SkipReason }[];
  /** Missed fires, newest first: catch-up decides about them in this order. */
  readonly missed: readonly DueFire[];
  /** Due instants whose alarm may still come: they stay owed. */
  readonly notYet: readonly number[];
}

/** Sorts the fires without a record by what they call for. */
export function plan({ job, state, due, recorded }: Observed, now: number): Plan {
  const offers: DueFire[] = [];
  const skips: { fire: DueFire; reason: SkipReason }[] = [];
  const missed: DueFire[] = [];
  const notYet: number[] = [];
  for (const { fire, reign, successor } of due) {
    if (recorded.has(fireKey(fire.fireTime))) continue;
    const verdict = judgeDue(fire.fireTime, { reign, successor, state, graceMs: job.graceMs, now });
    if (verdict === 'not-yet') notYet.push(fire.fireTime);
    else if (verdict === 'offer') offers.push(fire);
    else if (verdict === 'missed') missed.push(fire);
    else skips.push({ fire, reason: verdict });
  }
  offers.sort((a, b) => a.fireTime - b.fireTime);
  missed.sort((a, b) => b.fireTime - a.fireTime);
  return { offers, skips, missed, notYet };
}
