import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { hour } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';
import { Schedules } from './models/schedules.ts';

export const edits: Invariant = {
  name: 'edits',
  rule: 'in the hour before a schedule took force, a fire that it does not have and that nobody had claimed is skipped',
  watch(violate, world) {
    const schedules = new Schedules(world);
    const standIns = new Set<string>();
    const isDropped = ({ jobId, fireTime, trigger }: Pick<Run, 'jobId' | 'fireTime' | 'trigger'>) => {
      const successor = schedules.reignAt(jobId, fireTime)?.successor;
      if (trigger === 'manual' || !successor?.of) return false;
      return fireTime > successor.from - hour && !successor.of.timetable.has(fireTime);
    };
    return {
      wroteJob(_at, before, after) {
        schedules.wroteJob(before, after);
      },
      wroteRun(_at, before, after) {
        if (after === null) return;
        const { jobId, state, supersededBy } = after;
        if (state === 'skipped' && supersededBy !== undefined)
          standIns.add(runId({ jobId, key: supersededBy }));
        if (standIns.has(runId(after)) || !isDropped(after)) return;
        if (before === null ? !isClosed(after) : isFirstStart(before, after))
          violate(`is ${stateText(after)}, and the schedule that took force does not have it`, after);
      },
    };
  },
};

function isClosed({ state }: Run): boolean {
  return state === 'skipped' || state === 'canceled';
}

/** It waited, or its offer was not taken, when the other schedule took force. */
function isFirstStart(before: Run, after: Run): boolean {
  if (before.attempts.length > 0) return false;
  return after.state === 'running' || (after.state === 'offered' && before.state === 'waiting');
}
