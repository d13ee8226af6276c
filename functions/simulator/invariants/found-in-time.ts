import { fireKey, runId } from '../../domain/names.ts';
import { minute } from '../../domain/time.ts';
import type { Invariant, Swept } from '../observe.ts';
import { Schedules } from './models/schedules.ts';

/** Besides the longest grace: what is older and not accounted for is a backlog. */
const liveMs = 10 * minute;

export const foundInTime: Invariant = {
  name: 'found-in-time',
  rule: 'a sweep that tells up to when every fire has its record, or that none lacks it after its grace, tells the truth',
  watch(violate, world) {
    const schedules = new Schedules(world);
    const recorded = new Set<string>();
    return {
      wroteJob(_at, before, after) {
        schedules.wroteJob(before, after);
      },
      wroteRun(_at, before, after) {
        if (before === null && after !== null) recorded.add(runId(after));
      },
      swept(_at, sweep) {
        const claims = claimsOf(sweep);
        for (const jobId of schedules.jobIds)
          for (const fireTime of schedules.dueUpTo(jobId, claims.get(jobId) ?? claims.ofAll)) {
            const ref = { jobId, key: fireKey(fireTime) };
            if (!recorded.has(runId(ref))) violate('has no record, and a sweep had accounted for it', ref);
          }
      },
    };
  },
};

/** Up to when each job's fires have their records, by the sweep's own word. It began no later than it looked. */
function claimsOf({ beganAt, skewMs, counts, manifest }: Swept): {
  ofAll: number;
  get(jobId: string): number | undefined;
} {
  const looked = beganAt + skewMs;
  const ofAll = looked - counts.unaccountedMs;
  const longestGrace = Math.max(0, ...manifest.jobs.map((job) => job.graceMs));
  if (counts.gap > 0 || counts.unaccountedMs > longestGrace + liveMs) return { ofAll, get: () => undefined };
  const graces = new Map(manifest.jobs.map((job) => [job.id, looked - job.graceMs - 1]));
  return { ofAll, get: (jobId) => Math.max(ofAll, graces.get(jobId) ?? ofAll) };
}
