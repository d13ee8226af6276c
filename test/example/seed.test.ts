import { afterAll, beforeAll, expect, test } from 'vitest';
import { dynamo, putAll } from '../../functions/example/dynamo.ts';
import { seedExample } from '../../functions/example/seed.ts';
import { seedItems } from '../../functions/example/seed-items.ts';
import { type ExampleApp, everyItem, neverAborted, startExampleApp } from '../support/example-app.ts';

const now = Date.parse('2026-11-30T12:00:00Z');
let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp();
});
afterAll(() => app.close());

test('a table that holds anything is left alone, the empty ones are filled, and a second start writes nothing', async () => {
  const own = { soldOn: '2020-01-01', sale: 'ours', product: 'bell', quantity: 1, amount: 5 };
  await putAll('sales', [own], neverAborted);

  expect(await seedExample(dynamo, 'local', now)).toBe(297 + 294 + 40 + 200 + 200);
  expect(await everyItem('sales')).toEqual([own]);
  expect(await everyItem('payments')).toHaveLength(297);
  expect(await seedExample(dynamo, 'local', now)).toBe(0);
});

test('stages have tables of their own', async () => {
  expect(await seedExample(dynamo, 'dev', now)).toBeGreaterThan(1_000);
  expect(await everyItem('sales')).toHaveLength(1);
});

test('the data depend on the instant alone, and no two items of a table share a key', () => {
  const seeds = seedItems(new Date(now));
  expect(seedItems(new Date(now))).toEqual(seeds);
  expect(new Set(seeds.payments.map(({ paidAt }) => paidAt)).size).toBe(seeds.payments.length);
  expect(new Set(seeds['bank-lines'].map(({ reference }) => reference)).size).toBe(
    seeds['bank-lines'].length,
  );
  expect(new Set(seeds.invoices.map(({ invoice }) => invoice)).size).toBe(seeds.invoices.length);
});
