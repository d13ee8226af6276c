import { expect, test } from 'vitest';
import { mostDue, planBackfill } from '../../functions/domain/backfill.ts';
import type { SpecVersion } from '../../functions/domain/job-state.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { day } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { record } from '../support/ledger-records.ts';

const now = at('12:00');
const job = manifestJob({ id: 'pay/salaries', schedule: cron('0 6 1 * *') });

function planned(range: { from: number; to?: number }, deployedAt: number, of = job) {
  const version: SpecVersion = { jobId: of.id, from: deployedAt, specId: of.specId, spec: of.spec };
  const asked = { range: { to: now, ...range }, only: 'missed', now } as const;
  return planBackfill(of, { versions: [version], runs: [], ...asked });
}

test('a fire whose record may have been deleted since is not made up: it may have succeeded', () => {
  const { fires, left } = planned({ from: now - 800 * day }, now - 690 * day);
  const months = fires.map(({ key }) => key.slice(0, 7));
  expect(months.slice(0, 5)).toEqual(['2024-10', '2024-11', '2024-12', '2025-01', '2025-12']);
  expect(left).toEqual({ expired: 10 });
});

test('nor is one whose record is about to be deleted, and its steps with it', () => {
  const due = at('06:00') - 365 * day;
  const old = record(due, { jobId: job.id, state: 'failed', createdAt: due });
  const version: SpecVersion = { jobId: job.id, from: due - day, specId: job.specId, spec: job.spec };
  const range = { from: due, to: due };
  const plan = planBackfill(job, { versions: [version], runs: [old], range, only: 'failed', now });
  expect(plan).toEqual({ fires: [], left: { failed: 1 } });
});

test('one from before its job was first deployed is, however long ago', () => {
  const { fires, left } = planned({ from: now - 800 * day }, now - day);
  expect({ fires: fires.length, left }).toEqual({ fires: 27, left: {} });
});

test('a range of more fires than can be looked through is cut', () => {
  const everyMinute = manifestJob({ id: 'rates/pull-fx' });
  const { fires, isCut } = planned({ from: 0 }, now - day, everyMinute);
  expect({ fires: fires.length, isCut }).toEqual({ fires: mostDue, isCut: true });
});
