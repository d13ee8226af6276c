import { describe, expect, it } from 'vitest';
import { specIdOf } from '../../../functions/domain/manifest.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { cron } from '../../../functions/domain/schedule/index.ts';
import { hour, minute } from '../../../functions/domain/time.ts';
import { truthfulSkip } from '../../../functions/simulator/invariants/truthful-skip.ts';
import { manifestJob } from '../../support/jobs.ts';
import { due, job, run, running, state, watched, worldOf } from './watched.ts';

const skipped = (reason: NonNullable<Run['reason']>) => run({ state: 'skipped', reason, createdAt: due });

/** The slot is a run's of half an hour before, whose lease ends then. */
function skippedWhile(leaseUntil: number) {
  const told = watched(truthfulSkip);
  const owner = running(1, { fireTime: due - hour / 2, hasSlot: true, attentionAt: leaseUntil });
  told.wroteRun(due - hour / 2, null, owner, false);
  told.wroteJob(due - hour / 2, null, state({ slot: owner.key }), false);
  told.wroteRun(due, null, skipped('overlap'), false);
  return told.broken;
}

/** The slot was freed, or the pause ended, so long ago. */
function skippedAfter(reason: 'overlap' | 'paused', sinceMs: number) {
  const told = watched(truthfulSkip);
  const pause = { at: due - hour, by: 'operator', note: '' };
  const busy = reason === 'paused' ? state({ paused: pause }) : state({ slot: 'another' });
  told.wroteJob(due - hour, null, busy, false);
  told.wroteJob(due - sinceMs, busy, state(), false);
  told.wroteRun(due, null, skipped(reason), false);
  return told.broken;
}

describe('a fire is skipped for the reason that its record tells', () => {
  it('overlap: a run has the slot that may be alive', () => {
    expect(skippedWhile(due + 1)).toEqual([]);
    expect(skippedWhile(due)).toEqual([expect.stringContaining('is skipped: overlap, and that is not so')]);
  });
  it('overlap: or had it a moment ago', () => {
    expect(skippedAfter('overlap', 5_000)).toEqual([]);
    expect(skippedAfter('overlap', 2 * minute)).toHaveLength(1);
  });
  it('paused: the job is, or was when it was tried', () => {
    expect(skippedAfter('paused', minute)).toEqual([]);
    expect(skippedAfter('paused', 2 * minute)).toHaveLength(1);
  });

  const excepting = { ...job.spec, except: ['2026-12-01'] };
  const halves = manifestJob({ schedule: cron('0,30 * * * *') });
  const editedAfter = (fireTime: number, reason: 'edited' | 'excluded', { specId, spec } = halves) => {
    const told = watched(truthfulSkip, worldOf([job], [{ ...job, specId, spec }]));
    told.wroteJob(due - hour, null, state(), false);
    told.wroteJob(due + hour / 2, state(), state({ specId, specSince: due + hour / 2 }), false);
    told.wroteRun(
      due + hour / 2,
      null,
      { ...skipped(reason), ...run({ fireTime, state: 'skipped', reason }) },
      false,
    );
    return told.broken;
  };

  it('edited: the schedule that took force within an hour does not have it', () => {
    expect(editedAfter(due + minute, 'edited')).toEqual([]);
    expect(editedAfter(due, 'edited')).toHaveLength(1);
    expect(editedAfter(due - hour + minute, 'edited')).toHaveLength(1);
  });
  it('excluded: that schedule, or its own, excepts it', () => {
    const version = { ...halves, spec: excepting, specId: specIdOf(excepting) };
    expect(editedAfter(due, 'excluded', version)).toEqual([]);
    expect(editedAfter(due + hour / 2 + minute, 'excluded', version)).toEqual([]);
    expect(editedAfter(due, 'excluded')).toHaveLength(1);
  });
});
