import type { Invariant } from '../observe.ts';

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
    return {
      handled(_at, jobId, outcome) {
        if (outcome === 'duplicate') of(handled, jobId).duplicates += 1;
        if (outcome === 'stray') of(handled, jobId).strays += 1;
        check(jobId);
      },
      wroteRun(_at, before, after) {
        if (after) of(recorded, after.jobId).duplicates += after.duplicates - (before?.duplicates ?? 0);
      },
      wroteJob(_at, before, after) {
        of(recorded, after.jobId).strays += after.strays - (before?.strays ?? 0);
      },
      atRest() {
        // A count whose answer was lost belongs to no delivery that was handled to its end.
        if (world.isUndisturbed) for (const jobId of handled.keys()) check(jobId, true);
      },
    };

    function check(jobId: string, exactly = false): void {
      for (const what of ['duplicates', 'strays'] as const) {
        const [met, counted] = [of(handled, jobId)[what], of(recorded, jobId)[what]];
        if (counted < met || (exactly && counted > met))
          violate(`${jobId} counts ${counted} ${what}, and there were ${met}`);
      }
    }
  },
};

function of(counts: Map<string, Counts>, jobId: string): Counts {
  const known = counts.get(jobId) ?? { duplicates: 0, strays: 0 };
  counts.set(jobId, known);
  return known;
}
