import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fakeFetch, testFire } from '#testing';
import { invoicesUrl } from '../../../functions/example/addresses.ts';
import job from '../../../functions/jobs/billing/send-invoices.ts';
import { type ExampleApp, startExampleApp } from '../../support/example-app.ts';

const firstOfDecember = { fireTime: '2026-12-01T06:00:00+01:00', jobId: 'billing/send-invoices' };
let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp({ seededAt: '2026-11-30T12:00:00Z' });
});
afterEach(() => app.fixtures.forgetMails());
afterAll(() => app.close());

test("last month's invoices go out, each under a key made of the fire and the invoice", async () => {
  const { result } = await testFire(job, { ...firstOfDecember, fetch });
  expect(result).toEqual({ month: '2026-11', sent: 20 });
  const mails = app.fixtures.mails;
  expect(mails).toHaveLength(20);
  expect(mails[0]).toEqual({
    idempotencyKey: 'billing/send-invoices#2026-12-01T05:00:00Z/inv-2026-11-000',
    invoice: expect.objectContaining({ invoice: 'inv-2026-11-000', email: 'customer-000@example.com' }),
  });
});

test('a fire that is repeated sends nothing twice', async () => {
  for (const _attempt of [1, 2]) {
    const { result } = await testFire(job, { ...firstOfDecember, fetch });
    expect(result).toMatchObject({ sent: 20 });
  }
  expect(app.fixtures.mails).toHaveLength(20);
});

test('a fire that is delivered twice is run once', async () => {
  const { outcomes } = await testFire(job, { ...firstOfDecember, fetch, deliveries: 2 });
  expect(outcomes).toEqual(['succeeded', 'duplicate']);
});

test('the run that follows a failure half-way sends the rest alone', async () => {
  const network = fetch;
  let calls = 0;
  const broken: typeof fetch = async (...request) => {
    calls += 1;
    if (calls > 7) throw new Error('connection lost');
    return network(...request);
  };
  const failed = await testFire(job, { ...firstOfDecember, fetch: broken });
  expect(failed.run).toMatchObject({ state: 'failed', reason: 'error' });
  expect(app.fixtures.mails).toHaveLength(7);

  await testFire(job, { ...firstOfDecember, fetch });
  expect(app.fixtures.mails).toHaveLength(20);
});

test('a refusal of the mail service fails the run and says which invoice', async () => {
  const refusal = fakeFetch({ [`POST ${invoicesUrl()}`]: new Response('try later', { status: 503 }) });
  const { run, error } = await testFire(job, { ...firstOfDecember, fetch: refusal });
  expect(run.state).toBe('failed');
  expect(error?.message).toBe('The mail service answered 503 to inv-2026-11-000: try later');
});

test('deployed without a mail service, the run fails before anything is sent', async () => {
  const environment = { FIRELEDGER_STAGE: 'prod', FIXTURE_ORIGIN: '' };
  const { run, error } = await testFire(job, { ...firstOfDecember, environment });
  expect(run.state).toBe('failed');
  expect(error?.message).toMatch(/INVOICES_URL is empty/);
});
