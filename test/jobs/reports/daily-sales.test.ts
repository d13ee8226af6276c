import { afterAll, beforeAll, expect, test } from 'vitest';
import { testFire } from '#testing';
import { putAll } from '../../../functions/example/dynamo.ts';
import job from '../../../functions/jobs/reports/daily-sales.ts';
import { type ExampleApp, everyItem, neverAborted, startExampleApp } from '../../support/example-app.ts';

let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp();
  const days = ['2026-11-28', '2026-11-29', '2026-11-30'];
  await putAll(
    'sales',
    days.flatMap((day, index) => salesOf(day, (index + 1) * 10)),
    neverAborted,
  );
});
afterAll(() => app.close());

/** 60 bells and 30 jibs: more than fit on three pages. */
function salesOf(soldOn: string, amount: number) {
  return Array.from({ length: 90 }, (_, n) => ({
    soldOn,
    sale: String(n).padStart(3, '0'),
    product: n % 3 === 0 ? 'jib' : 'bell',
    quantity: 1,
    amount,
  }));
}

test("yesterday's revenue is summed over all pages, by product", async () => {
  await testFire(job, { fireTime: '2026-12-01T03:00:00Z' });
  expect(await everyItem('reports')).toEqual([
    { report: 'daily-sales', day: '2026-11-30', totals: { bell: 60 * 30, jib: 30 * 30 } },
  ]);
});

test('one run makes up for every night that it covers', async () => {
  const covers = ['2026-11-29T03:00:00Z', '2026-11-30T03:00:00Z'];
  const { result } = await testFire(job, { fireTime: '2026-12-01T03:00:00Z', covers });
  expect(result).toEqual({ days: ['2026-11-28', '2026-11-29', '2026-11-30'] });
  const reports = (await everyItem('reports')).sort((a, b) => a.day.localeCompare(b.day));
  expect(reports.map(({ day, totals }) => [day, totals.jib])).toEqual([
    ['2026-11-28', 300],
    ['2026-11-29', 600],
    ['2026-11-30', 900],
  ]);
});
