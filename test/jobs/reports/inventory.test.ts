import { afterAll, beforeAll, expect, test } from 'vitest';
import pools from '#pools';
import { testFire } from '#testing';
import { putAll } from '../../../functions/example/dynamo.ts';
import dailySales from '../../../functions/jobs/reports/daily-sales.ts';
import job from '../../../functions/jobs/reports/inventory.ts';
import { type ExampleApp, everyItem, neverAborted, startExampleApp } from '../../support/example-app.ts';

let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp();
});
afterAll(() => app.close());

test('the stock is what came in less what went out before the fire, over all pages', async () => {
  const before = Array.from({ length: 80 }, (_, n) => ({
    product: n % 2 === 0 ? 'anchor' : 'bell',
    movedAt: `2026-11-30T12:00:00Z#${n}`,
    quantity: n < 2 ? 100 : -2,
  }));
  const after = { product: 'anchor', movedAt: '2026-12-01T03:00:00Z#1', quantity: 1_000 };
  await putAll('stock-movements', [...before, after], neverAborted);

  await testFire(job, { fireTime: '2026-12-01T03:00:00Z' });
  expect(await everyItem('reports')).toEqual([
    { report: 'inventory', day: '2026-12-01', totals: { anchor: 100 - 39 * 2, bell: 100 - 39 * 2 } },
  ]);
});

test('it takes so much of the reporting database that daily-sales, due in the same minute, never runs beside it', () => {
  const weights = [job, dailySales].map(({ options }) => options.pools?.['reports-db'] ?? 0);
  expect(weights.every((weight) => weight <= pools['reports-db'].capacity)).toBe(true);
  expect(weights.reduce((sum, weight) => sum + weight)).toBeGreaterThan(pools['reports-db'].capacity);
});
