import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cron, defineJob } from '#job';
import { simulateJob } from '#testing';
import sendInvoices from '../../../functions/jobs/billing/send-invoices.ts';
import { type ExampleApp, startExampleApp } from '../../support/example-app.ts';

/** New York's shop sends them at 01:30, which on 1 November 2026 is shown twice: the clocks go back at 02:00. */
const job = defineJob({
  ...sendInvoices.options,
  schedule: cron('30 1 1 * *'),
  timezone: 'America/New_York',
});
const jobId = 'billing/send-invoices';
/** One call reads the invoices, and each of the others mails one. */
const halfWay = [{ fireTime: '2026-11-01T01:30:00-04:00', afterCalls: 1 + 7 }];
const night = { jobId, from: '2026-10-31T12:00:00Z', days: 1, seed: 7 } as const;
let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp({ seededAt: '2026-10-31T12:00:00Z' });
});
afterEach(() => app.fixtures.forgetMails());
afterAll(() => app.close());

describe('what if it crashes half-way on the night when the clocks change?', () => {
  test('the rest waits for a person, and no mail goes out twice', async () => {
    const { runs, executions, audit } = await simulateJob(job, {
      ...night,
      fetch,
      faults: 'none',
      crashes: halfWay,
    });
    expect(audit).toMatchObject({ expected: 1, recorded: 1, doubleRuns: 0 });
    expect(runs).toMatchObject([
      { key: '2026-11-01T05:30:00Z', state: 'parked', reason: 'crashed', crashes: 1 },
    ]);
    expect(executions).toMatchObject([{ attempt: 1, end: 'killed' }]);
    expect(app.fixtures.mails).toHaveLength(7);
  });

  test('a person has it run again: every invoice is sent, and the seven of before are known by their keys', async () => {
    const sent: unknown[] = [];
    const counted: typeof fetch = (input, init) => {
      sent.push(new Headers(init?.headers).get('idempotency-key'));
      return fetch(input, init);
    };
    const { runs } = await simulateJob(job, {
      ...night,
      fetch: counted,
      faults: 'none',
      crashes: halfWay,
      parked: 'rerun',
    });
    expect(runs).toMatchObject([{ state: 'succeeded', result: { month: '2026-10', sent: 20 } }]);
    expect(sent).toHaveLength(7 + 20);
    expect(new Set(sent).size).toBe(20);
    expect(app.fixtures.mails).toHaveLength(20);
  });
});

test.each([1, 2, 3])(
  'whatever else goes wrong that night, the run that succeeds has sent every invoice (seed %i)',
  async (seed) => {
    const { runs, audit } = await simulateJob(job, { ...night, seed, fetch, parked: 'rerun' });
    expect(audit).toMatchObject({ expected: 1, recorded: 1, doubleRuns: 0 });
    for (const { key, state } of runs) {
      const own = app.fixtures.mails.filter(({ idempotencyKey }) =>
        idempotencyKey.startsWith(`${jobId}#${key}/`),
      );
      if (state === 'succeeded') expect(own).toHaveLength(20);
      else expect(own.length).toBeLessThanOrEqual(20);
    }
  },
);
