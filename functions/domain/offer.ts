import type { ManifestJob } from './manifest.ts';
import { hour, minute } from './time.ts';

/** How long Lambda may keep an accepted event before it starts it: the job's grace, within what Lambda allows. */
export function eventAgeMs(graceMs: number): number {
  return Math.min(Math.max(graceMs, minute), 6 * hour);
}

/** How long an offer stays open: longer than Lambda may keep the event that carries it. Then nobody can take it any more, and it is made anew. */
export function offerLifeMs(graceMs: number): number {
  return eventAgeMs(graceMs) + minute;
}

/** What makes a run an offer: nobody but who carries this token can take it, and not after its life. */
export function offered(
  job: Pick<ManifestJob, 'graceMs'>,
  { token, now }: { token: string; now: number },
): { readonly state: 'offered'; readonly token: string; readonly attentionAt: number } {
  return { state: 'offered', token, attentionAt: now + offerLifeMs(job.graceMs) };
}
