import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { removal } from '../../../functions/simulator/invariants/removal.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { due, run, running, state, sweep, watched } from './watched.ts';

const { specId: _removed, ...gone } = state();
const offered = run({ state: 'offered' });

function removed(sweeps = 0) {
  const told = watched(removal);
  told.wroteJob(due, state(), gone, false);
  for (let done = 0; done < sweeps; done += 1) told.swept(due, sweep(due, {}, []));
  return told;
}

function wrote(before: Run | null, after: Run, sweeps = 0) {
  const told = removed(sweeps);
  told.wroteRun(due, before, after, false);
  return told.broken;
}

describe('once its job is removed nothing of it is claimed or offered', () => {
  it('holds for an attempt that ends, an offer on its way, and what is canceled', () => {
    expect(wrote(running(), run({ state: 'succeeded' }))).toEqual([]);
    expect(wrote(offered, running())).toEqual([]);
    expect(wrote(offered, run({ state: 'canceled', reason: 'removed' }))).toEqual([]);
  });
  it('holds for a job that came back', () => {
    const told = removed();
    told.wroteJob(due, gone, state(), false);
    told.wroteRun(due, null, running(), false);
    expect(told.broken).toEqual([]);
  });

  it('is broken by a claim', () =>
    expect(wrote(null, running())).toEqual([
      expect.stringContaining('became running after its job was removed'),
    ]));
  it('is broken by an offer', () => expect(wrote(run({ state: 'waiting' }), offered)).toHaveLength(1));
  it('is broken by an offer that is still taken many sweeps later', () =>
    expect(wrote(offered, running(), 6)).toEqual([
      expect.stringContaining('was started 6 sweeps after its job was removed'),
    ]));
  it('is broken by another reason', () =>
    expect(wrote(offered, run({ state: 'canceled', reason: 'operator' }))).toHaveLength(1));
});

describe('what was not running is canceled', () => {
  it.each(['parked', 'waiting'] as const)('is broken by one that is still %s at rest', async (of) => {
    const ledger = memoryLedger();
    await ledger.create(run({ state: of }));
    const told = removed();
    await told.atRest(due, ledger);
    expect(told.broken).toEqual([expect.stringContaining(`is still ${of}, and its job was removed`)]);
  });
});
