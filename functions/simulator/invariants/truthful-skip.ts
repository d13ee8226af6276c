import type { JobState } from '../../domain/job-state.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { hour, minute } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { Schedules } from './models/schedules.ts';

/** What stood in the way when a start was tried, by some clock, may be gone when the skip is written. */
const skewMs = minute;

/** A job as it is now, and when its slot and its pause last changed, by true time. */
interface Known {
  readonly state: JobState;
  readonly slotSince: number;
  readonly pauseSince: number;
}

export const truthfulSkip: Invariant = {
  name: 'truthful-skip',
  rule: 'a fire is skipped for the reason that its record tells: a run that may be alive, a pause, an exception, an edit',
  watch(violate, world) {
    const schedules = new Schedules(world);
    const jobs = new Map<string, Known>();
    const runs = new Map<string, Run>();
    const tells = (run: Run): boolean => {
      const job = jobs.get(run.jobId);
      if (job === undefined) return false;
      const triedAt = run.createdAt - skewMs;
      if (run.reason === 'paused') return job.state.paused !== undefined || triedAt <= job.pauseSince;
      if (run.reason === 'overlap') return isBusy(job, run) || triedAt <= job.slotSince;
      return run.reason === 'superseded' || isUnwanted(run, schedules);
    };
    const isBusy = ({ state: { jobId, slot } }: Known, { createdAt }: Run) => {
      const owner = slot === undefined ? undefined : runs.get(runId({ jobId, key: slot }));
      return owner !== undefined && !(owner.state === 'running' && (owner.attentionAt ?? 0) <= createdAt);
    };
    return {
      wroteJob(at, before, after) {
        schedules.wroteJob(before, after);
        const { slotSince = at, pauseSince = at } = jobs.get(after.jobId) ?? {};
        jobs.set(after.jobId, {
          state: after,
          slotSince: before?.slot === after.slot ? slotSince : at,
          pauseSince: before?.paused?.at === after.paused?.at ? pauseSince : at,
        });
      },
      wroteRun(_at, before, after) {
        if (after === null) return;
        if (after.hasSlot) runs.set(runId(after), after);
        else runs.delete(runId(after));
        if (before === null && after.state === 'skipped' && !tells(after))
          violate(`is skipped: ${after.reason}, and that is not so`, after);
      },
    };
  },
};

/** Excluded by its own schedule, or dropped by the one that took force within an hour. */
function isUnwanted({ jobId, fireTime, reason }: Run, schedules: Schedules): boolean {
  const { version, successor } = schedules.reignAt(jobId, fireTime) ?? {};
  const next = successor && fireTime > successor.from - hour ? successor.of : null;
  if (reason === 'edited') return next != null && !next.timetable.has(fireTime);
  return version?.of?.isExcluded(fireTime) === true || next?.isExcluded(fireTime) === true;
}
