import type { ManifestJob } from './manifest.ts';
import { hour, minute } from './time.ts';

/** How long Lambda may keep an accepted event before it starts it: the job's grace, within what Lambda allows. */
export function eventAgeMs(graceMs: number): number {
  return Math.min(Math.max(graceMs, minute), 6 * hour);
}

/** What is held for an offer must not be held for hours because its invocation was lost. */
const firstLifeMs = 5 * minute;

/**
 * How long an offer stays open before it is made anew: each time twice as long, until it is longer than Lambda may keep the
 * event that carries it. Whoever comes with an older token finds it gone.
 */
export function offerLifeMs(graceMs: number, reoffers = 0): number {
  return Math.min(eventAgeMs(graceMs), firstLifeMs * 2 ** reoffers) + minute;
}

/** What makes a run an offer: nobody but who carries this token can take it. */
export function offered(
  job: Pick<ManifestJob, 'graceMs'>,
  { token, now, reoffers = 0 }: { token: string; now: number; reoffers?: number },
): { readonly state: 'offered'; readonly token: string; readonly attentionAt: number } {
  return { state: 'offered', token, attentionAt: now + offerLifeMs(job.graceMs, reoffers) };
}
