import { expect, test } from 'vitest';
import { plainLook } from '../../functions/cli/render/look.ts';
import { minute } from '../../functions/domain/time.ts';
import { finalAudit } from '../../functions/local/final-audit.ts';
import { cutShortText, farewell } from '../../functions/local/print.ts';
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
  expect(audit).toMatchObject({
    ...{ to: '2026-12-01T12:01:10Z', expected: 1, recorded: 1, missing: [], states: { succeeded: 1 } },
    undecided: ['billing/send-invoices#2026-12-01T12:00:00Z'],
  });
  expect(audit.jobs['billing/send-invoices']).toMatchObject({ expected: 1, recorded: 1, missing: [] });
});

test('what ran is never hidden behind a fire that can’t be judged, and that alone is no success', async () => {
  const { ledger } = await world();
  const audit = await finalAudit(ledger, manifest, { since: at('12:00:30'), until: at('12:01:10') });
  const words = { left: [], kept: true, look: plainLook(80) };
  expect(farewell(audit, words)).toBe(
    '\nEvery fire is accounted for: 1 fire due (1 succeeded). Besides, 1 fire without a record may still be made up for, ' +
      "and isn't judged. 0 duplicates refused, 0 strays.",
  );
  const alone = await finalAudit(ledger, manifest, { since: at('12:00:30'), until: at('12:00:40') });
  expect(farewell(alone, words)).toMatch(/^\nNo fire can be judged yet\. Besides, 1 fire/);
});

test('past its grace a fire from before the start is missing', async () => {
  const { ledger } = await world();
  const rang = { since: at('12:00:30'), until: at('12:03:01') };
  expect((await finalAudit(ledger, manifest, rang)).missing).toContain(
    'billing/send-invoices#2026-12-01T12:00:00Z',
  );
});

test('a fire whose delivery may have been lost is left to the reconciler until it can be made up for', async () => {
  const { ledger } = await world();
  const rang = { since: at('11:59:40'), until: at('12:07:00'), repairMs: 4 * minute };
  expect(await finalAudit(ledger, manifest, rang)).toMatchObject({
    ...{ missing: [], expected: 1 },
    undecided: expect.arrayContaining(['billing/send-invoices#2026-12-01T12:00:00Z']),
  });
  const later = { ...rang, until: at('12:07:01') };
  expect((await finalAudit(ledger, manifest, later)).missing).toContain(
    'billing/send-invoices#2026-12-01T12:00:00Z',
  );
});

test('the last words of a disturbed system tell what struck, and how to have it again', async () => {
  const { ledger } = await world();
  const audit = await finalAudit(ledger, manifest, { since: at('12:00:30'), until: at('12:01:10') });
  const chaos = { seed: 7, drops: 14, duplicates: 9, delays: 1, kills: 0 };
  expect(farewell(audit, { left: [], kept: false, look: plainLook(80), chaos })).toContain(
    "may still be made up for, and isn't judged. 0 duplicates refused, 0 strays." +
      '\nchaos (seed 7): 14 drops, 9 duplicates, 1 delay, 0 kills. --chaos 7 strikes alike again.',
  );
});

test('the last words say what became of the fires: accounted for is not succeeded', async () => {
  const { ledger } = await world();
  const audit = await finalAudit(ledger, manifest, { since: at('12:00:30'), until: at('12:01:10') });
  const states = { ...audit.states, succeeded: 24, failed: 8, parked: 1 };
  const words = { left: [], kept: true, look: plainLook(80) };
  expect(farewell({ ...audit, expected: 33, recorded: 33, states, undecided: [] }, words)).toBe(
    '\nEvery fire is accounted for: 33 fires due (24 succeeded, 8 failed, 1 parked). 0 duplicates refused, 0 strays. ' +
      '1 run still open: the next start goes on with that.',
  );
});

test('the last words add up: what was not due by a schedule is told besides', async () => {
  const { ledger } = await world();
  const audit = await finalAudit(ledger, manifest, { since: at('12:00:30'), until: at('12:01:10') });
  const states = { ...audit.states, succeeded: 31, failed: 3, skipped: 3 };
  const words = { left: [], kept: true, look: plainLook(80) };
  const told = { ...audit, expected: 26, recorded: 26, states, undecided: [] };
  const became = '(31 succeeded, 3 failed, 3 skipped). ';
  expect(farewell({ ...told, manual: 11 }, words)).toContain(
    `26 fires due, and 11 runs that persons asked for ${became}`,
  );
  expect(farewell({ ...told, manual: 10 }, words)).toContain(
    `26 fires due, and 10 runs that persons asked for, and 1 run that was not due ${became}`,
  );
});

test('a second Ctrl-C names what it cuts short', () => {
  expect(cutShortText(['billing/send-invoices'])).toContain('half-way: billing/send-invoices. ');
  expect(cutShortText([])).toContain('Nothing was running');
});
