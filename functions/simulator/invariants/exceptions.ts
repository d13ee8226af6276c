import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';
import { Schedules } from './models/schedules.ts';

export const exceptions: Invariant = {
  name: 'exceptions',
  rule: 'a fire that its schedule excepts is recorded as skipped, and never runs',
  watch(violate, world) {
    const schedules = new Schedules(world);
    return {
      wroteJob(_at, before, after) {
        schedules.wroteJob(before, after);
      },
      wroteRun(_at, before, after) {
        if (before !== null || after === null || after.trigger === 'manual') return;
        const { jobId, fireTime, state, reason } = after;
        const isExcepted = schedules.reignAt(jobId, fireTime)?.version.of?.isExcluded(fireTime);
        const isSkipped = state === 'skipped' && (reason === 'excluded' || reason === 'edited');
        if (isExcepted && !isSkipped) violate(`is excepted, and is ${stateText(after)}`, after);
      },
    };
  },
};
