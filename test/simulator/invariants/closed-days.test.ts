import { describe, expect, it } from 'vitest';
import { type ClosedDay, closedRunOf, dayOf } from '../../../functions/domain/closed-days/index.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { cron } from '../../../functions/domain/schedule/index.ts';
import { day, hour } from '../../../functions/domain/time.ts';
import { closedDays } from '../../../functions/simulator/invariants/closed-days.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { jobState, manifestJob } from '../../support/jobs.ts';
import { due, run, running, succeeded, watched, worldOf } from './watched.ts';

/** Due at 03:00 alone. */
const daily = manifestJob({ schedule: cron('0 3 * * *') });
const first = dayOf(due);
const ref = { jobId: daily.id, day: first };

function told(...records: readonly Run[]) {
  const of = watched(closedDays, worldOf([daily]));
  of.wroteJob(first, null, jobState(daily, { specSince: first }), false);
  for (const record of records) of.wroteRun(due, null, record, false);
  return of;
}

function closing(...records: readonly Run[]): { readonly closed: ClosedDay } {
  const { jobId } = ref;
  const states = {} as ClosedDay['counts']['states'];
  const counts = { expected: 1, recorded: 1, manual: 0, extra: [], duplicates: 0, doubleRuns: 0, states };
  return { closed: { jobId, day: first, counts, runs: records.map(closedRunOf) } };
}

describe('a closed day says of each of its fires what the record says', () => {
  it('holds when it is closed with its one fire', () => {
    const of = told(succeeded());
    of.wroteDay(first + day, ref, closing(succeeded()));
    expect(of.broken).toEqual([]);
  });

  it('holds when it is opened before a run is begun anew, and when a refused delivery is counted', () => {
    const of = told(succeeded());
    of.wroteDay(first + day, ref, closing(succeeded()));
    of.wroteRun(first + day, succeeded(), succeeded({ duplicates: 1 }), false);
    of.wroteDay(first + 2 * day, ref, { ...closing(succeeded()), reopened: 'again' });
    of.wroteRun(first + 2 * day, succeeded(), running(2), true);
    expect(of.broken).toEqual([]);
  });

  it('holds when the records of a day have expired', () => {
    const of = told(succeeded());
    of.wroteDay(first + day, ref, closing(succeeded()));
    of.wroteRun(first + 90 * day, succeeded(), null, false);
    expect(of.broken).toEqual([]);
  });

  it('is broken when a run of it is open', () => {
    const of = told(running());
    of.wroteDay(first + day, ref, closing(running()));
    expect(of.broken).toEqual([expect.stringContaining('is running, and its day was closed')]);
  });

  it.each([
    ['otherwise', closing(run({ state: 'failed', reason: 'error' }))],
    ['as one that never ran', closing(succeeded({ attempts: [] }))],
  ])('is broken when it tells of a run %s', (_what, record) => {
    const of = told(succeeded());
    of.wroteDay(first + day, ref, record);
    expect(of.broken).toEqual([expect.stringContaining('is not what its closed day says of it')]);
  });

  it('is broken when it lacks a fire, and when it has one that never was', () => {
    const lacking = told();
    lacking.wroteDay(first + day, ref, closing());
    expect(lacking.broken).toEqual([expect.stringContaining('was due, and its day was closed without it')]);
    const inventing = told();
    inventing.wroteDay(first + day, ref, closing(succeeded()));
    expect(inventing.broken).toEqual([expect.stringContaining('with runs that never were')]);
  });

  it('is broken when a run of it is begun and it stays closed', () => {
    const of = told(succeeded());
    of.wroteDay(first + day, ref, closing(succeeded()));
    of.wroteRun(first + 2 * day, null, run({ key: `${run().key}~manual-1`, trigger: 'manual' }), true);
    expect(of.broken).toEqual([expect.stringContaining('of which its closed day says nothing')]);
  });
});

describe('each day is closed once it has settled', () => {
  async function atRest(at: number, ...records: readonly Run[]) {
    const of = told(...records);
    await of.atRest(at, memoryLedger());
    return of.broken;
  }

  it('is broken when one is not, three hours after its end', async () =>
    expect(await atRest(first + day + 3 * hour, succeeded())).toEqual([
      expect.stringContaining('has settled and was not closed'),
    ]));
  it('holds before that, and while a run of it is open', async () => {
    expect(await atRest(first + day + 3 * hour - 1, succeeded())).toEqual([]);
    expect(await atRest(first + 2 * day, running())).toEqual([]);
  });
  it('holds for a while after its last write', async () => {
    const of = told(running());
    of.wroteRun(first + 2 * day - hour, running(), succeeded(), false);
    await of.atRest(first + 2 * day, memoryLedger());
    expect(of.broken).toEqual([]);
  });
});
