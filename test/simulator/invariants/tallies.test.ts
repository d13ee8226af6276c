import { describe, expect, it } from 'vitest';
import type { JobState } from '../../../functions/domain/job-state.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { tallies } from '../../../functions/simulator/invariants/tallies.ts';
import { due, run, running, state, succeeded, watched } from './watched.ts';

/** One transaction: the run, then its job's state. */
function wrote(after: Run, { before = null, job }: { before?: Run | null; job: Partial<JobState> }) {
  const told = watched(tallies);
  told.wroteRun(due, before, after, false);
  told.wroteJob(due, state(), state(job), false);
  return told.broken;
}

const waits = run({ state: 'waiting', reason: 'catch-up' });
const queues = run({ state: 'waiting', reason: 'slot' });
const waiting = { waiting: 1, newest: waits.key, minute: 0, admitted: 0 };
const success = { fireTime: due, settledAt: due + 60_000 };
const failed = run({ state: 'failed', reason: 'error' });

describe("what a job's state counts is what its records say", () => {
  it('holds for one that waits, a success and a failure', () => {
    expect(wrote(waits, { job: { catchUp: waiting } })).toEqual([]);
    expect(wrote(queues, { job: { queued: 1 } })).toEqual([]);
    expect(wrote(run({ state: 'offered' }), { before: queues, job: { queued: 0 } })).toEqual([]);
    expect(wrote(succeeded(), { before: running(), job: { lastSuccess: success } })).toEqual([]);
    expect(wrote(failed, { job: { failuresInARow: 1 } })).toEqual([]);
  });
  it('holds for a job that was removed, while what waits is being canceled', () => {
    const told = watched(tallies);
    told.wroteRun(due, null, waits, false);
    const { specId: _removed, ...removed } = state();
    told.wroteJob(due, state(), removed, false);
    expect(told.broken).toEqual([]);
  });

  it.each([
    ['one that waits and is not counted', waits, {}, 'counts 0 that wait, and 1 do'],
    [
      'one that is counted and does not wait',
      failed,
      { failuresInARow: 1, catchUp: waiting },
      'counts 1 that wait, and 0 do',
    ],
    [
      'a newest that does not wait',
      waits,
      { catchUp: { ...waiting, newest: 'another' } },
      'names another as waiting',
    ],
    ['one that queues and is not counted', queues, {}, 'counts 0 that wait for its slot, and 1 do'],
    [
      'one that left the queue and is still counted',
      run({ state: 'offered' }),
      { queued: 1 },
      'counts 1 that wait for its slot, and 0 do',
    ],
    ['a failure that is not counted', failed, {}, 'counts 0 failures in a row, and there were 1'],
    ['a success that is not noted', succeeded(), {}, 'names a last success that it was not'],
  ])('is broken by %s', (_what, after, job, problem) =>
    expect(wrote(after, { job })).toEqual([expect.stringContaining(problem)]),
  );

  it('is broken by failures that go on being counted after a success', () => {
    const told = watched(tallies);
    told.wroteRun(due, null, failed, false);
    told.wroteJob(due, state(), state({ failuresInARow: 1 }), false);
    told.wroteRun(due + 1, running(), succeeded(), false);
    told.wroteJob(due + 1, state(), state({ failuresInARow: 1, lastSuccess: success }), false);
    expect(told.broken).toEqual([expect.stringContaining('counts 1 failures in a row, and there were 0')]);
  });
});
