import { day } from '../time.ts';

/** The first instant of the UTC day in which an instant lies. */
export function dayOf(instant: number): number {
  return Math.floor(instant / day) * day;
}

/** The last instant of the day that begins then. */
export function lastOf(firstInstant: number): number {
  return firstInstant + day - 1;
}
