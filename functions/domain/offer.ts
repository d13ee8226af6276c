import { hour, minute } from './time.ts';

/** How long Lambda may keep an accepted event before it starts it: the job's grace, within what Lambda allows. */
export function eventAgeMs(graceMs: number): number {
  return Math.min(Math.max(graceMs, minute), 6 * hour);
}

/** How long an offer stays open: longer than Lambda may keep the event that carries it. Then nobody can take it any more, and it is made anew. */
export function offerLifeMs(graceMs: number): number {
  return eventAgeMs(graceMs) + minute;
}
