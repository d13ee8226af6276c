import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import type { StepRecord } from '../../domain/steps.ts';
import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

export const stepFence: Invariant = {
  name: 'step-fence',
  rule: 'a step is written by the attempt that owns its run and by no other; what a person says of it, while the run is parked',
  watch(violate) {
    const runs = new Map<string, Run>();
    return {
      wroteRun(_at, _before, after) {
        if (after === null) return;
        if (after.state === 'running' || after.state === 'parked') runs.set(runId(after), after);
        else runs.delete(runId(after));
      },
      wroteStep(_at, ref, before, after, byOperator) {
        const run = runs.get(runId(ref));
        const problem = byOperator ? saidProblem(run) : ownerProblem(run, before, after);
        if (problem !== null) violate(`step ${after.name} was written, and ${problem}`, ref);
      },
    };
  },
};

function saidProblem(run: Run | undefined): string | null {
  return run?.state === 'parked' ? null : 'its run does not wait for a person';
}

function ownerProblem(run: Run | undefined, before: StepRecord | null, after: StepRecord): string | null {
  if (run?.state !== 'running') return `its run is ${run ? stateText(run) : 'not running'}`;
  if (run.token !== after.token) return 'its run is owned by another attempt';
  if ((run.restarts ?? 0) !== after.restarts) return 'it tells another beginning of its run';
  const isOver = before?.state === 'done' && (before.restarts === after.restarts || isForGood(before));
  return isOver ? 'it was done' : null;
}

/** Not done anew, however often its run is. */
function isForGood({ kind }: StepRecord): boolean {
  return kind === 'once' || kind === 'commit';
}
