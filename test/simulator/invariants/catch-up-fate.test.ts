import { describe, expect, it } from 'vitest';
import type { MissedPolicy } from '../../../functions/domain/manifest.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { day, hour, minute } from '../../../functions/domain/time.ts';
import { catchUpFate } from '../../../functions/simulator/invariants/catch-up-fate.ts';
import { due, job, run, watched, worldOf } from './watched.ts';

/** Missed fires, one each minute before 03:00, recorded an hour later under this policy; the newest first. */
function recorded(policy: Partial<MissedPolicy>, runs: readonly Partial<Run>[]) {
  const told = watched(catchUpFate, worldOf([{ ...job, missed: { ...job.missed, ...policy } }]));
  for (const [index, more] of runs.entries()) {
    const fireTime = due - index * minute;
    told.wroteRun(due + hour, null, run({ fireTime, createdAt: due + hour, ...more }), false);
  }
  return told.broken;
}

const waits = { state: 'waiting', reason: 'catch-up' } as const;
const superseded = { state: 'skipped', reason: 'superseded' } as const;
const missed = (reason: 'policy' | 'too-old' | 'over-limit') => ({ state: 'missed', reason }) as const;

describe('a missed fire waits, or is left out, as its job says', () => {
  it('holds for the newest up to the limit, and the rest left out', () =>
    expect(recorded({ limit: 2 }, [waits, waits, missed('over-limit')])).toEqual([]));
  it('holds for one that waits, and the others superseded', () =>
    expect(recorded({ policy: 'latest' }, [waits, superseded, superseded])).toEqual([]));
  it('holds for none that waits', () => expect(recorded({ policy: 'skip' }, [missed('policy')])).toEqual([]));
  it('holds for those that are too old', () =>
    expect(recorded({ maxAgeMs: hour + minute }, [waits, waits, missed('too-old')])).toEqual([]));

  it.each([
    ['one more than the limit that waits', { limit: 1 }, [waits, waits], 'waiting: catch-up, 2 wait'],
    [
      'one left out below the limit',
      { limit: 2 },
      [waits, missed('over-limit')],
      'missed: over-limit, 1 wait',
    ],
    ['one that waits though its job skips', { policy: 'skip' }, [waits], 'waiting: catch-up, 1 wait'],
    ['one that is skipped though its job wants all', {}, [missed('policy')], 'missed: policy'],
    ['one that is old and waits', { maxAgeMs: minute }, [waits], 'waiting: catch-up'],
    ['one that is too old before its time', { maxAgeMs: day }, [missed('too-old')], 'missed: too-old'],
    ['one superseded though its job wants all', {}, [waits, superseded], 'skipped: superseded'],
    [
      'two that wait under latest',
      { policy: 'latest' },
      [waits, waits],
      '2 of billing/send-invoices wait at once',
    ],
  ] as const)('is broken by %s', (_what, policy, runs, problem) =>
    expect(recorded(policy, runs)).toContainEqual(expect.stringContaining(problem)),
  );

  it('is broken by a newer one left out for an older one of the same outage', () => {
    const older = { ...waits, fireTime: due - hour };
    expect(recorded({ limit: 1 }, [older, missed('over-limit')])).toEqual([
      expect.stringContaining('was left out for 2026-12-01T02:00:00Z, which is older'),
    ]);
  });

  it('holds for one left out for an older one of an outage before', () => {
    const told = watched(catchUpFate, worldOf([{ ...job, missed: { ...job.missed, limit: 1 } }]));
    const earlier = run({ ...waits, fireTime: due - hour, createdAt: due - 30 * minute });
    told.wroteRun(due - 30 * minute, null, earlier, false);
    told.wroteRun(due + hour, null, run({ ...missed('over-limit'), createdAt: due + hour }), false);
    expect(told.broken).toEqual([]);
  });
});
