import type { Pause } from '../../domain/job-state.ts';
import { toIso } from '../../domain/time.ts';

/** A pause as scripts read it. */
export function pauseJson({ at, by, note, until }: Pause) {
  return { at: toIso(at), by, note, ...(until !== undefined && { until: toIso(until) }) };
}
