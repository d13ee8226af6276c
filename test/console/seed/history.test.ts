import { describe, expect, test } from 'vitest';
import type { JobAnswer, LedgerAnswer, TimelineAnswer } from '../../../functions/console/data.ts';
import { day, toIso } from '../../../functions/domain/time.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { serve } from '../served.ts';
import { seedDays } from './closed-days.ts';
import { fillLedger } from './fill.ts';
import { seedHistory } from './history.ts';

const now = Date.parse('2026-11-03T09:30:00Z');

test('a seeded ledger is one that could be: every fire is on record, no attempt beside another, no pool above its capacity', async () => {
  const history = seedHistory({ jobs: 41, runs: 4_100, seed: 7, now });
  const ledger = memoryLedger();
  await fillLedger(ledger, history);
  const { get } = await serve(ledger, () => now);
  const range = `from=${toIso(history.from + 1)}&to=${toIso(now)}`;
  const audit = await get<LedgerAnswer>(`/api/ledger?${range}`);
  expect(audit).toMatchObject({ recorded: audit.expected, missing: [], doubleRuns: 0 });
  expect(audit.expected).toBeGreaterThan(4_000);
  expect(Object.keys(audit.states).length).toBeGreaterThan(5);
  const { lines, pools } = await get<TimelineAnswer>(`/api/timeline?${range}`);
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['clock', 'deploy']));
  for (const { held, capacity } of pools)
    expect(Math.max(...held.map(([, amount]) => amount))).toBeLessThanOrEqual(capacity);
});

test('a seeded ledger is the same each time', () => {
  const size = { jobs: 10, runs: 500, seed: 7, now };
  expect(seedHistory(size)).toEqual(seedHistory(size));
  expect(seedHistory(size).from).toBeLessThan(now - 10 * day);
});

describe('what the console tells of a seeded ledger', () => {
  const history = seedHistory({ jobs: 41, runs: 4_100, seed: 7, now });
  const range = `from=${toIso(history.from + 1)}&to=${toIso(now)}`;

  /** By its closed days, whose records are gone; and by its records alone. */
  async function bothWays<T>(path: string): Promise<[T, T]> {
    const [days, records] = [memoryLedger(), memoryLedger()];
    for (const ledger of [days, records]) await fillLedger(ledger, history);
    for (const { closed } of seedDays(history))
      for (const { jobId, runs } of closed) for (const { key } of runs) days.expire({ jobId, key });
    records.closedDays = async function* () {};
    const [one, other] = [await serve(days, () => now), await serve(records, () => now)];
    return [await one.get(path), await other.get(path)];
  }

  test.each([
    ['the timeline', `/api/timeline?${range}`],
    ['the timeline of a part of a day', '/api/timeline?from=2026-10-20T05:10:00Z&to=2026-10-20T13:00:00Z'],
    ['the audit', `/api/ledger?${range}`],
  ])('is the same by its closed days as by its records: %s', async (_what, path) => {
    const [byDays, byRecords] = await bothWays<{ from: string }>(path);
    expect(byDays).toEqual(byRecords);
    expect(byDays.from).toBeDefined();
  });

  test('is the same by its closed days as by its records: what became of a job’s fires on each day', async () => {
    const [byDays, byRecords] = await bothWays<JobAnswer>(`/api/jobs/${history.jobs[3]?.entry.id}`);
    expect(byDays.days).toEqual(byRecords.days);
    expect(byDays.days.filter(({ counts }) => Object.keys(counts).length > 0).length).toBeGreaterThan(25);
  });

  test('has nearly all days closed', async () => {
    const days = seedDays(history);
    const closed = days.reduce((sum, ofJob) => sum + ofJob.closed.length, 0);
    expect(closed).toBeGreaterThan(41 * 28);
  });
});
