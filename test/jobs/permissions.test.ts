import { afterAll, beforeAll, expect, test } from 'vitest';
import { testFire } from '#testing';
import { dynamo } from '../../functions/example/dynamo.ts';
import type { Job } from '../../functions/job.ts';
import reconcilePayments from '../../functions/jobs/billing/reconcile-payments.ts';
import sendInvoices from '../../functions/jobs/billing/send-invoices.ts';
import pullFx from '../../functions/jobs/rates/pull-fx.ts';
import dailySales from '../../functions/jobs/reports/daily-sales.ts';
import inventory from '../../functions/jobs/reports/inventory.ts';
import purgeExpired from '../../functions/jobs/sessions/purge-expired.ts';
import checkEndpoints from '../../functions/jobs/uptime/check-endpoints.ts';
import { type ExampleApp, startExampleApp } from '../support/example-app.ts';

let app: ExampleApp;
const used = new Set<string>();

beforeAll(async () => {
  app = await startExampleApp({ seededAt: '2026-11-30T12:00:00Z' });
  dynamo.middlewareStack.add(
    (next, context) => (args) => {
      for (const table of tablesOf(args.input)) used.add(grant(actionOf(context.commandName), table));
      return next(args);
    },
    { step: 'initialize' },
  );
});
afterAll(() => app.close());

const grant = (action: string, table: string) => `${action} ${table.replace('fireledger-local-', '')}`;

/** `dynamodb:Query` of `QueryCommand`. */
const actionOf = (command = '') => `dynamodb:${command.replace(/Command$/, '')}`;

function tablesOf(input: object): string[] {
  if ('TableName' in input) return [String(input.TableName)];
  return 'RequestItems' in input ? Object.keys(input.RequestItems ?? {}) : [];
}

function granted({ options: { permissions = [] } }: Job): string[] {
  const table = (resource: string) => resource.replace('arn:aws:dynamodb:*:*:table/fireledger-{stage}-', '');
  return permissions.flatMap(({ actions, resources }) =>
    actions.flatMap((action) => resources.map((resource) => grant(action, table(resource)))),
  );
}

test.each([
  ['billing/reconcile-payments', reconcilePayments, '2026-11-30T19:00:00Z'],
  ['billing/send-invoices', sendInvoices, '2026-12-01T05:00:00Z'],
  ['rates/pull-fx', pullFx, '2026-11-30T12:00:00Z'],
  ['reports/daily-sales', dailySales, '2026-12-01T03:00:00Z'],
  ['reports/inventory', inventory, '2026-12-01T03:00:00Z'],
  ['sessions/purge-expired', purgeExpired, '2026-11-30T12:00:00Z'],
  ['uptime/check-endpoints', checkEndpoints, '2026-11-30T12:00:00Z'],
])('%s is permitted what it does, and nothing else', async (jobId, job, fireTime) => {
  used.clear();
  const environment = { ENDPOINT_TIMEOUT_MS: '50' };
  const { run } = await testFire(job, { jobId, fireTime, environment, fetch });
  expect(run.state).toBe('succeeded');
  expect([...used].sort()).toEqual(granted(job).sort());
});
