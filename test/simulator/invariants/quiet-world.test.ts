import { describe, expect, it } from 'vitest';
import type { Run } from '../../../functions/domain/run.ts';
import { minute, second } from '../../../functions/domain/time.ts';
import { quietWorld } from '../../../functions/simulator/invariants/quiet-world.ts';
import { body, due, job, run, running, succeeded, watched, worldOf } from './watched.ts';

function played(record: Run, { lateMs = second, attempt = 1, isUndisturbed = true } = {}) {
  const told = watched(quietWorld, { ...worldOf([job]), isUndisturbed });
  told.wroteRun(due, null, record, false);
  told.bodyBegan(due + lateMs, body({ attempt }));
  return told.broken;
}

describe('where nothing is disturbed every fire runs once and in its minute', () => {
  it('holds for one that does, is swept, is excepted or meets a busy job', () => {
    expect(played(succeeded())).toEqual([]);
    expect(played(run({ state: 'offered' }), { lateMs: minute })).toEqual([]);
    expect(played(run({ state: 'skipped', reason: 'excluded' }))).toEqual([]);
    expect(played(run({ state: 'skipped', reason: 'overlap' }))).toEqual([]);
  });
  it('says nothing of a world that is disturbed', () =>
    expect(played(run(), { lateMs: 5 * minute, isUndisturbed: false })).toEqual([]));

  it.each([
    ['is missed', run()],
    ['is to be made up', run({ state: 'waiting', reason: 'catch-up' })],
    ['is skipped for an edit', run({ state: 'skipped', reason: 'edited' })],
    ['failed', run({ state: 'failed', reason: 'crashed' })],
  ])('is broken by one that %s', (_what, record) => expect(played(record)).toHaveLength(1));
  it('is broken by one that is late, and by a second attempt', () => {
    expect(played(running(), { lateMs: 2 * minute })).toEqual([
      expect.stringContaining('began 120000 ms after'),
    ]);
    expect(played(running(), { attempt: 2 })).toEqual([expect.stringContaining('began as try 2')]);
  });
});
