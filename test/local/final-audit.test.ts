import { expect, test } from 'vitest';
import { finalAudit } from '../../functions/local/final-audit.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, World } from '../support/reconciler.ts';

const job = manifestJob();
const manifest = { version: 1, jobs: [job] } as const;

/** Known since 11:59:30; nothing claimed the fire of 12:00, and that of 12:01 has run. */
async function world(): Promise<World> {
  const made = new World(at('11:59:30'), [job]);
  await made.sweep();
  await succeed(made, await deliver(made, job, at('12:01')));
  return made;
}

test('every fire whose alarm rang is judged, its grace over or not', async () => {
  const { ledger } = await world();
  const rang = { since: at('11:59:40'), until: at('12:01:10') };
  expect(await finalAudit(ledger, manifest, rang)).toMatchObject({
    expected: 2,
    missing: ['billing/send-invoices#2026-12-01T12:00:00Z'],
  });
});

test('a fire from before the start is left to the next one while it is within its grace', async () => {
  const { ledger } = await world();
  const rang = { since: at('12:00:30'), until: at('12:01:10') };
  const audit = await finalAudit(ledger, manifest, rang);
  expect(audit).toMatchObject({ to: '2026-12-01T11:59:59Z', expected: 0, missing: [] });
});

test('past its grace a fire from before the start is missing', async () => {
  const { ledger } = await world();
  const rang = { since: at('12:00:30'), until: at('12:03:01') };
  expect((await finalAudit(ledger, manifest, rang)).missing).toContain(
    'billing/send-invoices#2026-12-01T12:00:00Z',
  );
});
