import { describe, expect, it } from 'vitest';
import { hour } from '../../../functions/domain/time.ts';
import { nothingSilent } from '../../../functions/simulator/invariants/nothing-silent.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { due, job, state, succeeded, watched, worldOf } from './watched.ts';

function refused(outcome: string, { counted = true, isUndisturbed = false, more = 0 } = {}) {
  const told = watched(nothingSilent, { ...worldOf([job]), isUndisturbed });
  told.wroteJob(due - hour, null, state(), false);
  const count = (counted ? 1 : 0) + more;
  told.wroteRun(due, succeeded(), succeeded({ duplicates: outcome === 'duplicate' ? count : 0 }), false);
  told.wroteJob(due, state(), state({ strays: outcome === 'stray' ? count : 0 }), false);
  told.handled(due, job.id, outcome);
  return told;
}

describe('each refused delivery is counted', () => {
  it('holds for a duplicate, a stray and a start', () => {
    for (const outcome of ['duplicate', 'stray', 'succeeded'])
      expect(refused(outcome, { counted: outcome !== 'succeeded' }).broken).toEqual([]);
  });
  it('holds for a stray of a job that nobody knows yet, which has no place to be counted', () => {
    const told = watched(nothingSilent);
    told.handled(due, job.id, 'stray');
    told.wroteJob(due + 1, null, state(), false);
    expect(told.broken).toEqual([]);
  });
  it.each(['duplicate', 'stray'])('is broken by a %s that is not counted', (outcome) =>
    expect(refused(outcome, { counted: false }).broken).toEqual([
      expect.stringContaining(`billing/send-invoices counts 0 ${outcome}s, and there were 1`),
    ]),
  );
  it('is broken by one that is counted twice, where nothing is disturbed', async () => {
    const [told, disturbed] = [
      refused('duplicate', { more: 1, isUndisturbed: true }),
      refused('duplicate', { more: 1 }),
    ];
    await told.atRest(due, memoryLedger());
    await disturbed.atRest(due, memoryLedger());
    expect(told.broken).toEqual(['billing/send-invoices counts 2 duplicates, and there were 1']);
    expect(disturbed.broken).toEqual([]);
  });
});
