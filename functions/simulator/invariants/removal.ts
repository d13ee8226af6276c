import type { Run } from '../../domain/run.ts';
import type { Invariant } from '../observe.ts';
import { isTerminal, recordsOf, stateText } from './models/records.ts';

/** After so many sweeps nothing of a removed job is left that could be started. */
const mostSweeps = 5;

export const removal: Invariant = {
  name: 'removal',
  rule: 'once its job is removed nothing of it is claimed or offered, and what was not running is canceled',
  watch(violate) {
    /** Sweeps that finished since, by removed job. */
    const removed = new Map<string, number>();
    return {
      wroteJob(_at, _before, { jobId, specId }) {
        if (specId !== undefined) removed.delete(jobId);
        else if (!removed.has(jobId)) removed.set(jobId, 0);
      },
      swept(_at, { manifest }) {
        for (const [jobId, sweeps] of removed)
          if (!manifest.jobs.some((job) => job.id === jobId)) removed.set(jobId, sweeps + 1);
      },
      wroteRun(_at, before, after, byOperator) {
        const sweeps = after ? removed.get(after.jobId) : undefined;
        if (after === null || sweeps === undefined || byOperator) return;
        if (isOffer(before, after)) violate(`became ${after.state} after its job was removed`, after);
        if (isTaken(before, after) && sweeps > mostSweeps)
          violate(`was started ${sweeps} sweeps after its job was removed`, after);
        const wasAsked = after.cancelRequested !== undefined;
        if (after.state === 'canceled' && after.reason !== 'removed' && !wasAsked)
          violate(`is ${stateText(after)}`, after);
      },
      async atRest(_at, ledger) {
        for (const jobId of removed.keys())
          for (const run of await recordsOf(ledger, jobId))
            if (!isTerminal(run)) violate(`is still ${stateText(run)}, and its job was removed`, run);
      },
    };
  },
};

function isOffer(before: Run | null, after: Run): boolean {
  if (after.state === 'running') return before === null;
  return after.state === 'offered' && before?.state !== 'offered';
}

function isTaken(before: Run | null, after: Run): boolean {
  return before?.state === 'offered' && after.state === 'running';
}
