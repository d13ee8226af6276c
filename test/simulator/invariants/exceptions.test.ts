import { describe, expect, it } from 'vitest';
import { type ManifestJob, specIdOf } from '../../../functions/domain/manifest.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { minute } from '../../../functions/domain/time.ts';
import { exceptions } from '../../../functions/simulator/invariants/exceptions.ts';
import { due, job, run, running, state, watched, worldOf } from './watched.ts';

/** Due each minute, but for this day. */
const spec = { ...job.spec, except: ['2026-12-01'] };
const excepting: ManifestJob = { ...job, spec, specId: specIdOf(spec) };

function recorded(record: Run, version = excepting) {
  const told = watched(exceptions, worldOf([version]));
  told.wroteJob(due - minute, null, state({ specId: version.specId }), false);
  told.wroteRun(due, null, record, false);
  return told.broken;
}

describe('a fire that its schedule excepts is recorded as skipped', () => {
  it('holds for one that is', () =>
    expect(recorded(run({ state: 'skipped', reason: 'excluded' }))).toEqual([]));
  it('holds for one that a person started', () =>
    expect(recorded(running(1, { trigger: 'manual' }))).toEqual([]));
  it('holds for one that is not excepted', () => expect(recorded(running(), job)).toEqual([]));
  it.each([
    ['is started', running()],
    ['is offered', run({ state: 'offered' })],
    ['is to be made up', run({ state: 'waiting', reason: 'catch-up' })],
  ])('is broken by one that %s', (_what, record) =>
    expect(recorded(record)).toEqual([expect.stringContaining('is excepted, and is')]),
  );
});
