import { noCatchUp } from '../../functions/domain/catch-up.ts';
import type { JobState } from '../../functions/domain/job-state.ts';
import { type JobEntry, specIdOf } from '../../functions/domain/manifest.ts';
import { cron, type Schedule } from '../../functions/domain/schedule/index.ts';
import { day, minute } from '../../functions/domain/time.ts';

/** A valid manifest entry; a test names what it is about. */
export function manifestJob(
  of: Partial<JobEntry> & { schedule?: Schedule | readonly Schedule[]; timezone?: string } = {},
): JobEntry {
  const { schedule = cron('* * * * *'), timezone = 'UTC', ...rest } = of;
  const spec = rest.spec ?? { schedules: [schedule].flat(), timezone };
  return {
    id: 'billing/send-invoices',
    file: 'billing/send-invoices.ts',
    description: 'Send the invoices',
    missed: { policy: 'all', limit: 100, maxAgeMs: 7 * day, ratePerMinute: 10 },
    crashed: 'rerun',
    overlap: 'skip',
    timeoutMs: 5 * minute,
    graceMs: 3 * minute,
    memoryMb: 256,
    environment: {},
    ...rest,
    spec,
    specId: specIdOf(spec),
  };
}

/** A job's state item as `publish` leaves it. */
export function jobState(job: Pick<JobEntry, 'id' | 'specId'>, of: Partial<JobState> = {}): JobState {
  return {
    jobId: job.id,
    specId: job.specId,
    specSince: 0,
    specChanged: false,
    catchUp: noCatchUp,
    failuresInARow: 0,
    strays: 0,
    queued: 0,
    ...of,
  };
}

/** Epoch milliseconds of `2026-12-01T` and a time of day in UTC: `at('03:00')`, `at('03:00:30')`. */
export function at(time: string): number {
  return Date.parse(`2026-12-01T${time.length === 5 ? `${time}:00` : time}Z`);
}

/** Tokens in a row: `t1`, `t2`, … */
export function countedTokens(prefix = 't'): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}${count}`;
  };
}
