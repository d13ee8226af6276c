import { minute } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';

/** Strays of a job that no schedule has taken force of yet have no place to be counted; they are logged. */
const acquaintanceMs = minute;

interface Counts {
  duplicates: number;
  strays: number;
}

export const nothingSilent: Invariant = {
  name: 'nothing-silent',
  rule: 'each refused delivery is counted: on the run that was in its way, or as a stray of its job',
  watch(violate, world) {
    const handled = new Map<string, Counts>();
    const recorded = new Map<string, Counts>();
    const knownSince = new Map<string, number>();
    return {
      handled(at, jobId, outcome) {
        const isKnown = at > (knownSince.get(jobId) ?? at) + acquaintanceMs;
        if (outcome === 'duplicate') of(handled, jobId).duplicates += 1;
        if (outcome === 'stray' && isKnown) of(handled, jobId).strays += 1;
        check(jobId);
      },
      wroteRun(_at, before, after) {
        if (after) of(recorded, after.jobId).duplicates += after.duplicates - (before?.duplicates ?? 0);
      },
      wroteJob(at, before, after) {
        if (before === null) knownSince.set(after.jobId, at);
        of(recorded, after.jobId).strays += after.strays - (before?.strays ?? 0);
      },
      atRest() {
        // A count whose answer was lost belongs to no delivery that was handled to its end.
        if (!world.isUndisturbed) return;
        for (const jobId of handled.keys()) {
          const [met, counted] = [of(handled, jobId).duplicates, of(recorded, jobId).duplicates];
          if (counted > met) violate(`${jobId} counts ${counted} duplicates, and there were ${met}`);
        }
      },
    };

    function check(jobId: string): void {
      for (const what of ['duplicates', 'strays'] as const) {
        const [met, counted] = [of(handled, jobId)[what], of(recorded, jobId)[what]];
        if (counted < met) violate(`${jobId} counts ${counted} ${what}, and there were ${met}`);
      }
    }
  },
};

function of(counts: Map<string, Counts>, jobId: string): Counts {
  const known = counts.get(jobId) ?? { duplicates: 0, strays: 0 };
  counts.set(jobId, known);
  return known;
}
