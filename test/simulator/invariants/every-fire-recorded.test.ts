import { describe, expect, it } from 'vitest';
import type { ManifestJob } from '../../../functions/domain/manifest.ts';
import { cron } from '../../../functions/domain/schedule/index.ts';
import { hour, minute } from '../../../functions/domain/time.ts';
import { everyFireRecorded } from '../../../functions/simulator/invariants/every-fire-recorded.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { at, manifestJob } from '../../support/jobs.ts';
import { due, run, state, watched, worldOf } from './watched.ts';

const hourly = manifestJob({ schedule: cron('0 * * * *') });
const from = at('00:00');

/** A ledger in which the hourly job took force, with records of these hours. */
async function ledgerOf(hours: readonly number[], version = hourly, since = from) {
  const ledger = memoryLedger();
  const { id: jobId, specId, spec } = version;
  await ledger.publish({ jobId, from: since, specId, spec }, null);
  for (const at of hours) await ledger.create(run({ fireTime: from + at * hour, specId }));
  return ledger;
}

function world(...deploys: readonly (readonly ManifestJob[])[]) {
  return { ...worldOf(...deploys), calmAt: at('03:30') };
}

describe('every instant that was due has its record', () => {
  it('holds when each has one', async () => {
    const told = watched(everyFireRecorded, world([hourly]));
    await told.atRest(at('09:00'), await ledgerOf([1, 2, 3]));
    expect(told.broken).toEqual([]);
  });

  it('is broken by one that has none', async () => {
    const told = watched(everyFireRecorded, world([hourly]));
    await told.atRest(at('09:00'), await ledgerOf([1, 3]));
    expect(told.broken).toEqual(['billing/send-invoices#2026-12-01T02:00:00Z: was due and has no record']);
  });

  it('is broken by a version that was not deployed when it took force', async () => {
    const told = watched(everyFireRecorded, world([hourly]));
    await told.atRest(at('09:00'), await ledgerOf([1, 2, 3], hourly, from - hour));
    expect(told.broken).toContain(
      'a version of billing/send-invoices took force at 2026-11-30T23:00:00Z that was not deployed then',
    );
  });

  it('is broken by a deploy that never takes force', async () => {
    const told = watched(everyFireRecorded, world([hourly], []));
    await told.atRest(at('09:00'), await ledgerOf([1, 2, 3]));
    expect(told.broken).toEqual(['the last version of billing/send-invoices never took force']);
  });
});

describe('a record is of a fire', () => {
  const recorded = (more: Parameters<typeof run>[0]) => {
    const told = watched(everyFireRecorded, world([hourly]));
    told.wroteJob(from, null, state({ specId: hourly.specId }), false);
    told.wroteRun(due, null, run({ specId: hourly.specId, ...more }), false);
    return told.broken;
  };

  it.each([
    ['of its version', {}],
    ['or what a person started', { fireTime: due + minute, trigger: 'manual' }],
  ] as const)('holds for one %s', (_what, more) => expect(recorded(more)).toEqual([]));

  it.each([
    ['an instant that is not due', { fireTime: due + minute }, 'was recorded and is no fire'],
    [
      'the first instant of a version, which was not in force yet',
      { fireTime: from },
      'was recorded and is no fire',
    ],
    ['another version', { specId: 'other' }, 'was recorded under another version of the schedule'],
    ['another key', { key: '2026-12-01T03:00Z' }, 'has a key that is not its instant'],
  ])('is broken by %s', (_what, more, problem) =>
    expect(recorded(more)).toEqual([expect.stringContaining(problem)]),
  );
});
