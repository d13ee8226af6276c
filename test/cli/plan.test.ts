import { describe, expect, test } from 'vitest';
import { looks } from '../../functions/domain/changes/index.ts';
import { waitingForSlot } from '../../functions/domain/run.ts';
import { day, hour, minute, second } from '../../functions/domain/time.ts';
import { codeBlocks, read, section, tableRows } from '../docs/documents.ts';
import { type DeployedJobs, deployedJobs, jobFile } from './deployed-jobs.ts';
import { type Ended, runFl } from './run-fl.ts';
import { attemptOf, runOf } from './seeded.ts';

/** Ten in the morning in Taipei. */
const now = Date.parse('2026-12-01T02:00:00Z');

const files = {
  '../pools.ts': `
import { definePools } from '#job';
export default definePools({ 'reports-db': { capacity: 4, describe: 'IO of the reporting database' } });
`,
  'billing/send-invoices.ts': jobFile(`
  description: 'Send the invoices of the day',
  schedule: cron('0 9 * * *'),
  timezone: 'Asia/Taipei',`),
  'reports/daily-sales.ts': jobFile(`
  description: 'Sum up the sales of yesterday',
  schedule: cron('0 3 * * *'),
  timezone: 'Asia/Taipei',
  overlap: 'queue',
  pools: { 'reports-db': 2 },`),
  'reports/inventory.ts': jobFile(`
  description: 'Count the stock',
  schedule: cron('50 9 * * *'),
  timezone: 'Asia/Taipei',
  overlap: 'queue',
  pools: { 'reports-db': 2 },`),
};
const inventoryFire = now - 10 * minute;

function system(): Promise<DeployedJobs> {
  return deployedJobs(files, now - 30 * day);
}

function plan({ dir, jobs }: DeployedJobs, ...more: string[]): Promise<Ended> {
  return runFl(['plan', '--data', dir, '--jobs', jobs, ...more], { now, width: 80 });
}

/** The plan's answer in 80 columns, but for its first lines, which name folders. */
async function planned(copy: DeployedJobs): Promise<{ code: number; text: string }> {
  const { code, out, err } = await plan(copy);
  expect(err).toBe('');
  const text = out.slice(out.indexOf('\n\n') + 2);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  return { code, text };
}

/** A run of a job that goes on, with what it holds. */
async function run({ ledger, job }: DeployedJobs, id: string, fireTime: number): Promise<void> {
  const leaseUntil = fireTime + 16 * minute;
  const { pools } = job(id);
  const running = runOf(job(id), fireTime, {
    state: 'running',
    attentionAt: leaseUntil,
    hasSlot: true,
    ...(pools && { holds: pools }),
    attempts: [attemptOf(1, fireTime + second, { leaseUntil })],
  });
  const holds = Object.entries(pools ?? {}).map(
    ([pool, weight]) => ({ pool, hold: { kind: 'take', weight } }) as const,
  );
  await ledger.create(running, { slot: 'take', pools: holds });
}

/** A fire that waits behind it. */
async function queue({ ledger, job }: DeployedJobs, id: string, fireTime: number): Promise<void> {
  await ledger.create(runOf(job(id), fireTime, waitingForSlot({ fireTime }, fireTime)), { addQueued: 1 });
}

describe('fl plan', () => {
  test('of a working copy that is deployed says that nothing changes, and ends with 0', async () => {
    const copy = await system();
    const { out } = await plan(copy);
    expect(out.replace(/\n {2}/g, ' ')).toContain(
      `Compared with the data folder ${copy.dir}; fires from 2026-12-01 02:00 to 2026-12-08 02:00 UTC\n\n`,
    );
    expect(await planned(copy)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "text": "Nothing changes: 3 jobs as they are.
      Nothing that a person must look at.
      ",
      }
    `);
  });

  test('a time that is moved', async () => {
    const copy = await system();
    copy.edit('billing/send-invoices.ts', '0 9 * * *', '30 8 * * *');
    expect(await planned(copy)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "text": "This changes
      ~ billing/send-invoices  changed
          schedule: At 09:00 → at 08:30
          7 fires move, each 30 min earlier: 12-02 09:00 → 08:30 +08:00,
            12-03 09:00 → 08:30 +08:00, 12-04 09:00 → 08:30 +08:00 and 4 more

      1 job changed, 2 jobs as they are; 7 fires moved.
      Nothing that a person must look at.
      ",
      }
    `);
  });

  test('a zone that is changed', async () => {
    const copy = await system();
    copy.edit('reports/daily-sales.ts', 'Asia/Taipei', 'Europe/Berlin');
    expect(await planned(copy)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "text": "This changes
      ~ reports/daily-sales  changed
          timezone: Asia/Taipei → Europe/Berlin
          7 fires move, each 7 h later: 12-02 03:00 +08:00 → 03:00 +01:00,
            12-03 03:00 +08:00 → 03:00 +01:00, 12-04 03:00 +08:00 → 03:00 +01:00 and 4
            more

      1 job changed, 2 jobs as they are; 7 fires moved.
      Nothing that a person must look at.
      ",
      }
    `);
  });

  test('a file that is moved with its id', async () => {
    const copy = await system();
    const moved = files['reports/inventory.ts'].replace(
      '  description',
      "  id: 'reports/inventory',\n  description",
    );
    copy.write('reports/inventory.ts', null);
    copy.write('stock/count.ts', moved);
    expect(await planned(copy)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "text": "This changes
      ~ reports/inventory  changed
          moved from reports/inventory.ts to stock/count.ts: it keeps its id, and with
            it history, slot and pause

      1 job changed, 2 jobs as they are.
      Nothing that a person must look at.
      ",
      }
    `);
  });

  test('a file that is moved without its id is told as what it is: a job removed, and one added', async () => {
    const copy = await system();
    await run(copy, 'reports/inventory', inventoryFire);
    copy.write('reports/inventory.ts', null);
    copy.write('stock/count.ts', files['reports/inventory.ts']);
    expect(await planned(copy)).toMatchInlineSnapshot(`
      {
        "code": 2,
        "text": "Look at this before you deploy
      - reports/inventory  removed
          its run of 12-01 09:50 +08:00 goes on, though its function and role go:
            unless it can still write its end, it becomes canceled: removed when its
            lease ends, 12-01 10:06 +08:00. Wait for it, or end it first with fl
            cancel
          it looks like stock/count, which is added. If it was moved, its history,
            pause and what it owes stay behind; write id: 'reports/inventory' there
            and it keeps them
          7 fires of the next 7 days don't come: 12-02 09:50 +08:00,
            12-03 09:50 +08:00, 12-04 09:50 +08:00 and 4 more
      + stock/count        added
          it looks like reports/inventory, which is removed: to go on as that, it
            needs id: 'reports/inventory'
          At 09:50 (Asia/Taipei): first due 12-02 09:50 +08:00, 7 fires in 7 days

      1 job removed, 1 job added, 2 jobs as they are; 7 fires vanished, 7 fires
        appeared.
      A person should look.
      ",
      }
    `);
  });

  test('a pool that is lowered below what runs hold', async () => {
    const copy = await system();
    await run(copy, 'reports/inventory', inventoryFire);
    await run(copy, 'reports/daily-sales', now - 7 * hour);
    copy.edit('../pools.ts', 'capacity: 4', 'capacity: 2');
    expect(await planned(copy)).toMatchInlineSnapshot(`
      {
        "code": 2,
        "text": "Look at this before you deploy
      ~ pool reports-db  capacity 4 → 2
          runs hold 4 now, 2 more than there will be: nothing is admitted to it until
            they have given back 2
          no run is foreseen to wait for it in 7 days (a guess: no success is recorded
            of reports/daily-sales, reports/inventory)
          reports/daily-sales takes 2, reports/inventory takes 2

      1 pool changed, 3 jobs as they are.
      A person should look.
      ",
      }
    `);
  });

  test('a job that is removed while it runs', async () => {
    const copy = await system();
    await run(copy, 'reports/inventory', inventoryFire);
    await queue(copy, 'reports/inventory', inventoryFire + minute);
    copy.write('reports/inventory.ts', null);
    expect(await planned(copy)).toMatchInlineSnapshot(`
      {
        "code": 2,
        "text": "Look at this before you deploy
      - reports/inventory  removed
          its run of 12-01 09:50 +08:00 goes on, though its function and role go:
            unless it can still write its end, it becomes canceled: removed when its
            lease ends, 12-01 10:06 +08:00. Wait for it, or end it first with fl
            cancel
          1 run becomes canceled: removed: 1 waiting (12-01 09:51 +08:00)
          7 fires of the next 7 days don't come: 12-02 09:50 +08:00,
            12-03 09:50 +08:00, 12-04 09:50 +08:00 and 4 more

      1 job removed, 2 jobs as they are; 7 fires vanished.
      A person should look.
      ",
      }
    `);
  });

  test('answers as the README shows', async () => {
    const rates = jobFile(`
  description: 'Pull the exchange rates',
  schedule: cron('0 * * * *'),
  timezone: 'Asia/Taipei',`);
    const copy = await deployedJobs({ ...files, 'rates/pull-fx.ts': rates }, now - 30 * day);
    await run(copy, 'reports/inventory', inventoryFire);
    const settledAt = now - 7 * hour + 5 * minute;
    const attempts = [attemptOf(1, now - 7 * hour, { settledAt, outcome: 'succeeded' })];
    await copy.ledger.create(runOf(copy.job('reports/daily-sales'), now - 7 * hour, { settledAt, attempts }));
    const pause = { at: now - 2 * day, by: 'ops', note: 'the bank has another address' };
    await copy.ledger.setPause('rates/pull-fx', pause);
    copy.write('reports/inventory.ts', null);
    copy.edit('billing/send-invoices.ts', '0 9 * * *', '0 11 * * *');
    copy.edit(
      'billing/send-invoices.ts',
      'timezone',
      "permissions: [{ actions: ['s3:PutObject'], resources: ['arn:aws:s3:::invoices/*'] }], timezone",
    );
    copy.edit('../pools.ts', 'capacity: 4', 'capacity: 3');
    const { code, text } = await planned(copy);
    expect(code).toBe(2);
    const shown = codeBlocks(section(read('README.md'), '### Before a deploy'), '')[0];
    expect(shown).toContain(text.trim());
  });

  test('is looked at for the reasons of the README, and of its help', async () => {
    const told = tableRows(section(read('README.md'), '### Before a deploy'));
    expect(told).toEqual(Object.entries(looks).map(([look, why]) => [`\`${look}\``, why]));
    const { out } = await runFl(['plan', '--help'], { now });
    for (const why of Object.values(looks)) expect(out).toContain(why);
  });
});
