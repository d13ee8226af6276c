import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestRuns } from '../../functions/cli/newest-runs.ts';
import { terminalStates } from '../../functions/domain/run.ts';
import { minute } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { manifestJob } from '../support/jobs.ts';
import { holds } from '../support/property.ts';
import { runOf } from './seeded.ts';

test('the newest runs of several jobs are those that a sort of all would give', async () => {
  const jobs = ['a', 'b', 'c'].map((id) => manifestJob({ id }));
  const record = fc.record({
    job: fc.constantFrom(...jobs),
    at: fc.nat(40),
    state: fc.constantFrom(...terminalStates),
  });
  const records = fc.uniqueArray(record, { maxLength: 40, selector: ({ job, at }) => `${job.id} ${at}` });
  const state = fc.option(fc.constantFrom(...terminalStates), { nil: undefined });
  await holds(
    fc.asyncProperty(records, fc.integer({ min: 1, max: 20 }), state, async (records, limit, state) => {
      const ledger = memoryLedger();
      const runs = records.map(({ job, at, state }) => runOf(job, at * minute, { state }));
      for (const run of runs) await ledger.create(run);
      const range = { from: 5 * minute, to: 35 * minute };
      const wanted = runs
        .filter((run) => run.fireTime >= range.from && run.fireTime <= range.to)
        .filter((run) => state === undefined || run.state === state)
        .map((run) => run.fireTime)
        .sort((a, b) => b - a)
        .slice(0, limit);
      const found = await newestRuns(ledger, jobs, { ...range, limit, ...(state ? { state } : {}) });
      expect(found.map((run) => run.fireTime)).toEqual(wanted);
    }),
  );
});
