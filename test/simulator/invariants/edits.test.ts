import { describe, expect, it } from 'vitest';
import { fireKey } from '../../../functions/domain/names.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { cron } from '../../../functions/domain/schedule/index.ts';
import { hour, minute } from '../../../functions/domain/time.ts';
import { edits } from '../../../functions/simulator/invariants/edits.ts';
import { manifestJob } from '../../support/jobs.ts';
import { due, job, run, running, state, watched, worldOf } from './watched.ts';

const halves = manifestJob({ schedule: cron('0,30 * * * *') });
/** In force since 03:20, in the place of a schedule of each minute: 03:00 is of both, 03:10 of the old one alone. */
const editedAt = due + 20 * minute;
const oldOnly = due + 10 * minute;

function edited() {
  const told = watched(edits, worldOf([job], [halves]));
  told.wroteJob(due, null, state(), false);
  told.wroteJob(editedAt, state(), state({ specId: halves.specId, specSince: editedAt }), false);
  return told;
}

function recorded(fireTime: number, more: Partial<Run>) {
  const told = edited();
  told.wroteRun(editedAt + minute, null, run({ fireTime, ...more }), false);
  return told.broken;
}

const waits = { state: 'waiting', reason: 'catch-up' } as const;

describe('in the hour before a schedule took force, a fire that it does not have is skipped', () => {
  it('holds for one that is skipped, and for one of both schedules that is made up', () => {
    expect(recorded(oldOnly, { state: 'skipped', reason: 'edited' })).toEqual([]);
    expect(recorded(due, waits)).toEqual([]);
  });
  it('holds for one from before that hour', () => expect(recorded(oldOnly - hour, waits)).toEqual([]));

  it.each([
    ['is made up', waits],
    ['is offered', { state: 'offered' }],
    ['is started', { state: 'running' }],
    ['is called missed', { state: 'missed', reason: 'too-old' }],
  ] as const)('is broken by one that %s', (_what, more) => expect(recorded(oldOnly, more)).toHaveLength(1));
});

describe('one that nobody had claimed when the schedule took force does not start', () => {
  const old = { fireTime: oldOnly };
  const wrote = (before: Run, after: Run) => {
    const told = edited();
    told.wroteRun(editedAt + minute, before, after, false);
    return told.broken;
  };

  it('holds for one that had run, and is offered again', () =>
    expect(wrote(running(1, old), run({ ...old, state: 'offered' }))).toEqual([]));
  it('holds for one that stands for others', () => {
    const told = edited();
    const other = run({ fireTime: due - minute, state: 'skipped', supersededBy: fireKey(oldOnly) });
    told.wroteRun(due, null, other, false);
    told.wroteRun(editedAt, run({ ...old, ...waits }), run({ ...old, state: 'offered' }), false);
    expect(told.broken).toEqual([]);
  });
  it('is broken by one that waited and is offered', () =>
    expect(wrote(run({ ...old, ...waits }), run({ ...old, state: 'offered' }))).toHaveLength(1));
  it('is broken by one whose offer is taken', () =>
    expect(wrote(run({ ...old, state: 'offered' }), running(1, old))).toHaveLength(1));
});
