import { afterAll, beforeAll, expect, test } from 'vitest';
import { testFire } from '#testing';
import job from '../../../functions/jobs/uptime/check-endpoints.ts';
import { type ExampleApp, everyItem, startExampleApp } from '../../support/example-app.ts';

let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp();
});
afterAll(() => app.close());

const impatient = { ENDPOINT_TIMEOUT_MS: '500' };
const checksAt = async (dueAt: string) =>
  (await everyItem('uptime-checks')).filter((check) => check.dueAt === dueAt);

test('what is up, failing or too slow is recorded, and the run succeeds', async () => {
  const { origin } = app.fixtures;
  const { run, result, logs } = await testFire(job, {
    fireTime: '2026-11-30T10:00:00Z',
    environment: impatient,
    fetch,
  });
  expect(run.state).toBe('succeeded');
  expect(result).toEqual({ checked: 3, down: [`${origin}/health/slow`, `${origin}/health/failing`] });

  const checks = await checksAt('2026-11-30T10:00:00Z');
  expect(Object.fromEntries(checks.map(({ endpoint, status, up }) => [endpoint, { status, up }]))).toEqual({
    [`${origin}/health/ok`]: { status: 200, up: true },
    [`${origin}/health/slow`]: { status: 'timed-out', up: false },
    [`${origin}/health/failing`]: { status: 503, up: false },
  });
  expect(logs.filter(({ level }) => level === 'warn')).toHaveLength(2);
});

test('an endpoint that nobody listens at is recorded with the reason', async () => {
  const environment = { FIRELEDGER_STAGE: 'local', FIXTURE_ORIGIN: 'http://127.0.0.1:1' };
  const { run } = await testFire(job, { fireTime: '2026-11-30T10:01:00Z', environment, fetch });
  expect(run.state).toBe('succeeded');
  for (const { up, status } of await checksAt('2026-11-30T10:01:00Z')) {
    expect({ up, status }).toEqual({ up: false, status: expect.stringMatching(/\w/) });
  }
});

test("the run's own timeout aborts the requests and records nothing", async () => {
  const environment = { ENDPOINT_TIMEOUT_MS: '60000' };
  const { run } = await testFire(job, {
    fireTime: '2026-11-30T10:02:00Z',
    environment,
    fetch,
    elapses: '30 seconds',
  });
  expect(run).toMatchObject({ state: 'failed', reason: 'timed-out' });
  expect(await checksAt('2026-11-30T10:02:00Z')).toEqual([]);
});
