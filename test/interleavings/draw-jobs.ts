import fc from 'fast-check';
import type { ManifestJob, MissedPolicy } from '../../functions/domain/manifest.ts';
import { cron, every, type Spec } from '../../functions/domain/schedule/index.ts';
import { day, minute } from '../../functions/domain/time.ts';
import { manifestJob } from '../support/jobs.ts';

/** What may differ from job to job. */
const ways = fc.record({
  crashed: fc.constantFrom('rerun' as const, 'park' as const),
  overlap: fc.constantFrom(
    ...(['skip', 'skip', 'queue', 'queue', 'queue-one', 'cancel-running', 'allow'] as const),
  ),
  missed: fc.constantFrom<MissedPolicy['policy'][]>('all', 'all', 'latest', 'skip').map(missing),
});

export function missing(policy: MissedPolicy['policy']): MissedPolicy {
  return { policy, limit: 2, maxAgeMs: 7 * day, ratePerMinute: 10 };
}

export type Of = Parameters<typeof manifestJob>[0];

export function jobs(of: Of): fc.Arbitrary<ManifestJob> {
  return ways.map((way) => manifestJob({ timeoutMs: minute, ...way, ...of }));
}

export const atNoon: Of = { schedule: cron('0 12 * * *') };
export const threeTimes: Of = { schedule: cron('0,5,10 12 * * *') };
/** Due at 12:04, which no alarm hits. */
export const swept: Of = {
  spec: {
    schedules: [every('7 minutes')],
    timezone: 'UTC',
    from: '2026-12-01T12:00',
    until: '2026-12-01T12:08',
  },
};

/** Its schedule, changed. */
export function edited(job: ManifestJob, change: Partial<Spec>): ManifestJob {
  return manifestJob({ ...job, spec: { ...job.spec, ...change } });
}
