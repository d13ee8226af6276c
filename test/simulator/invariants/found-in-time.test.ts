import { describe, expect, it } from 'vitest';
import { minute } from '../../../functions/domain/time.ts';
import type { SweepCounts } from '../../../functions/reconciler/ports.ts';
import { foundInTime } from '../../../functions/simulator/invariants/found-in-time.ts';
import { at } from '../../support/jobs.ts';
import { due, run, state, sweep, watched } from './watched.ts';

/** A sweep at 03:10:30 that tells this; each minute from 02:58 on has its record but for those left out. */
function swept(counts: Partial<SweepCounts>, without: readonly string[]) {
  const told = watched(foundInTime);
  told.wroteJob(at('02:57'), null, state({ specSince: at('02:57') }), false);
  for (let fireTime = at('02:58'); fireTime <= at('03:10'); fireTime += minute)
    if (!without.some((time) => at(time) === fireTime)) told.wroteRun(due, null, run({ fireTime }), false);
  told.swept(at('03:10:35'), sweep(at('03:10:30'), counts));
  return told.broken;
}

describe('a sweep that tells up to when every fire has its record tells the truth', () => {
  it('holds for fires that may still come, and for those that it says are not accounted for', () => {
    expect(swept({ unaccountedMs: 3 * minute }, ['03:08', '03:09', '03:10'])).toEqual([]);
    expect(swept({ unaccountedMs: 13 * minute, gap: 1 }, ['02:58'])).toEqual([]);
    expect(swept({ unaccountedMs: 30 * minute }, ['02:58'])).toEqual([]);
  });
  it('is broken by one that lacks its record though it is accounted for', () =>
    expect(swept({ unaccountedMs: 9 * minute, gap: 1 }, ['03:00', '03:01'])).toEqual([
      'billing/send-invoices#2026-12-01T03:00:00Z: has no record, and a sweep had accounted for it',
      'billing/send-invoices#2026-12-01T03:01:00Z: has no record, and a sweep had accounted for it',
    ]));
  it('is broken by one that lacks its record after its grace, though none does by its word', () =>
    expect(swept({ unaccountedMs: 5 * minute }, ['03:07'])).toHaveLength(1));
});

describe('each version is asked for the fires of its time', () => {
  it('holds when another version took force', () => {
    const told = watched(foundInTime);
    told.wroteJob(due, null, state({ specSince: due }), false);
    told.wroteJob(due + minute, state(), removed(due + minute), false);
    told.wroteRun(due, null, run({ fireTime: due + minute }), false);
    told.swept(at('03:10'), sweep(at('03:10'), {}));
    expect(told.broken).toEqual([]);
  });
});

function removed(specSince: number) {
  const { specId: _removed, ...rest } = state({ specSince });
  return rest;
}
