import { expect, test } from 'vitest';
import type { LedgerAnswer, TimelineAnswer } from '../../../functions/console/data.ts';
import { day, toIso } from '../../../functions/domain/time.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { serve } from '../served.ts';
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
