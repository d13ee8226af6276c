import { isDeepStrictEqual } from 'node:util';
import type { JobState } from '../../domain/job-state.ts';
import type { Run } from '../../domain/run.ts';
import type { Invariant } from '../observe.ts';
import { Transactions } from './models/transactions.ts';
import { Waiting } from './models/waiting.ts';

type Counted = Pick<JobState, 'failuresInARow' | 'lastSuccess'>;

export const tallies: Invariant = {
  name: 'tallies',
  rule: "what a job's state counts is what its records say: those that wait to be made up or for the slot, failures in a row since it was last resumed, the last success",
  watch(violate) {
    const waiting = new Waiting();
    const queued = new Map<string, Set<string>>();
    const counted = new Map<string, Counted>();
    const states = new Map<string, JobState>();
    const check = (jobId: string) => {
      const state = states.get(jobId);
      if (state === undefined) return;
      for (const problem of [
        outcomesProblem(state, counted.get(jobId)),
        waitingProblem(state, waiting.of(jobId)),
        queuedProblem(state, queued.get(jobId)),
      ])
        if (problem !== null) violate(`${jobId} ${problem}`);
    };
    const writes = new Transactions(check);
    return {
      wroteRun(at, before, after) {
        if (after === null) return;
        writes.wroteRun(at, after.jobId, () => {
          waiting.wroteRun(at, before, after);
          queueing(queued, after);
          if (before?.state !== after.state)
            counted.set(after.jobId, counting(counted.get(after.jobId), after));
        });
      },
      wroteJob(at, before, after) {
        writes.wroteJob(at, after.jobId, () => {
          states.set(after.jobId, after);
          if (before?.paused && !after.paused)
            counted.set(after.jobId, { ...counted.get(after.jobId), failuresInARow: 0 });
        });
      },
      atRest() {
        writes.settle();
      },
    };
  },
};

function queueing(queued: Map<string, Set<string>>, { jobId, key, state, reason }: Run): void {
  const ofJob = queued.get(jobId) ?? new Set();
  queued.set(jobId, ofJob);
  if (state === 'waiting' && reason === 'slot') ofJob.add(key);
  else ofJob.delete(key);
}

function counting(before: Counted = { failuresInARow: 0 }, { state, fireTime, settledAt }: Run): Counted {
  if (state === 'failed') return { ...before, failuresInARow: before.failuresInARow + 1 };
  if (state !== 'succeeded' || settledAt === undefined) return before;
  return { failuresInARow: 0, lastSuccess: { fireTime, settledAt } };
}

function outcomesProblem(
  { failuresInARow, lastSuccess }: JobState,
  counted: Counted = { failuresInARow: 0 },
): string | null {
  if (failuresInARow !== counted.failuresInARow)
    return `counts ${failuresInARow} failures in a row, and there were ${counted.failuresInARow}`;
  return isDeepStrictEqual(lastSuccess, counted.lastSuccess) ? null : 'names a last success that it was not';
}

function queuedProblem(
  { specId, queued }: JobState,
  waiting: ReadonlySet<string> = new Set(),
): string | null {
  if (specId === undefined || queued === waiting.size) return null;
  return `counts ${queued} that wait for its slot, and ${waiting.size} do`;
}

/** Of a removed job all that wait are being canceled, and the first one's cancellation clears the tally. */
function waitingProblem({ specId, catchUp }: JobState, waiting: ReadonlyMap<string, unknown>): string | null {
  if (specId === undefined) return null;
  if (catchUp.waiting !== waiting.size) return `counts ${catchUp.waiting} that wait, and ${waiting.size} do`;
  const { newest } = catchUp;
  return newest === undefined || waiting.has(newest) ? null : `names ${newest} as waiting, which does not`;
}
