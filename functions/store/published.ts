import type { JobState, SpecVersion } from '../domain/job-state.ts';

/** The version is the one in force: how a publisher whose answer was lost recognises its own. */
export function isInForce({ from, spec, specId }: SpecVersion, job: JobState | null | undefined): boolean {
  return job?.specSince === from && job.specId === (spec === null ? undefined : specId);
}
