import { afterAll, beforeAll, expect, test } from 'vitest';
import { testFire } from '#testing';
import { putAll } from '../../../functions/example/dynamo.ts';
import job from '../../../functions/jobs/billing/reconcile-payments.ts';
import { type ExampleApp, everyItem, neverAborted, startExampleApp } from '../../support/example-app.ts';

let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp({ seededAt: '2026-11-30T12:00:00Z' });
});
afterAll(() => app.close());

async function differencesOf(day: string) {
  const differences = (await everyItem('differences')).filter((difference) => difference.day === day);
  return differences.sort((a, b) => a.reference.localeCompare(b.reference));
}

test('the night finds the five differences of the day before, and a second run writes the same items', async () => {
  const fired = await testFire(job, { fireTime: '2026-12-01T03:00:00+08:00' });
  expect(fired.result).toEqual({ day: '2026-11-30', payments: 99, bankLines: 98, differences: 5 });

  const written = await differencesOf('2026-11-30');
  expect(written).toEqual([
    { day: '2026-11-30', reference: 'pay-20261130-010', paid: 8190, banked: null },
    { day: '2026-11-30', reference: 'pay-20261130-020', paid: 6380, banked: 6350 },
    { day: '2026-11-30', reference: 'pay-20261130-030', paid: null, banked: 4570 },
    { day: '2026-11-30', reference: 'pay-20261130-040', paid: 2760, banked: null },
    { day: '2026-11-30', reference: 'pay-20261130-050', paid: 9950, banked: 9920 },
  ]);

  await testFire(job, { fireTime: '2026-12-01T03:00:00+08:00' });
  expect(await differencesOf('2026-11-30')).toEqual(written);
});

test('a day begins and ends at midnight in Taipei, not in UTC', async () => {
  const payments = [
    '2026-02-28T15:59:59Z',
    '2026-02-28T16:00:00Z',
    '2026-03-01T15:59:59Z',
    '2026-03-01T16:00:00Z',
  ];
  await putAll(
    'payments',
    payments.map((paidAt) => ({
      merchant: 'shop',
      paidAt: `${paidAt}#${paidAt}`,
      reference: paidAt,
      amount: 1,
    })),
    neverAborted,
  );

  await testFire(job, { fireTime: '2026-03-02T03:00:00+08:00' });
  const found = await differencesOf('2026-03-01');
  expect(found.map(({ reference }) => reference)).toEqual(['2026-02-28T16:00:00Z', '2026-03-01T15:59:59Z']);
});

test('a night that was missed reconciles its own day, however late it runs', async () => {
  const fired = await testFire(job, {
    fireTime: '2026-11-30T03:00:00+08:00',
    trigger: 'backfill',
    now: '2026-12-02T10:00:00+08:00',
  });
  expect(fired.result).toMatchObject({ day: '2026-11-29', differences: 5 });
});
