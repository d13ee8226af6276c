import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { versionsAt } from './models/deployed.ts';

/** A minute's admissions are counted by the clock's minutes, and clocks differ: any minute of true time touches three of them. */
const minutesTouched = 3;

export const catchUpRate: Invariant = {
  name: 'catch-up-rate',
  rule: "a job's missed fires are admitted within its rate",
  watch(violate, world) {
    const admissions = new Map<string, number[]>();
    return {
      wroteRun(at, before, after) {
        if (after === null || !isAdmission(before, after)) return;
        const { jobId } = after;
        const recent = (admissions.get(jobId) ?? []).filter((earlier) => earlier > at - minute);
        admissions.set(jobId, [...recent, at]);
        const rates = versionsAt(world, jobId, at).map((job) => job?.missed.ratePerMinute ?? 0);
        const most = minutesTouched * Math.max(...rates);
        if (recent.length + 1 > most)
          violate(`is number ${recent.length + 1} that was admitted in a minute`, after);
      },
    };
  },
};

function isAdmission(before: Run | null, after: Run): boolean {
  return before?.state === 'waiting' && before.reason === 'catch-up' && after.state === 'offered';
}
