import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { collected } from '../../../functions/cli/runs-around.ts';
import { bundleWeb } from '../../../functions/console/bundle.ts';
import type { Bill } from '../../../functions/domain/bill.ts';
import { decideFinish, type Outcome } from '../../../functions/domain/finish.ts';
import { runId } from '../../../functions/domain/names.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { cron } from '../../../functions/domain/schedule/index.ts';
import { day, minute, second } from '../../../functions/domain/time.ts';
import { ranOf, reads } from '../../cli/contended.ts';
import { manifestJob } from '../../support/jobs.ts';
import { deliver, type World } from '../../support/reconciler.ts';
import { acting } from '../acting.ts';
import { hasChromium } from './chromium.ts';
import { browserPages } from './pages.ts';

const zone = { timezone: 'Asia/Taipei', overlap: 'queue', timeoutMs: 14 * minute } as const;
const sales = manifestJob({ id: 'reports/daily-sales', schedule: cron('55 2 * * *'), ...zone });
const report = manifestJob({ id: 'reports/inventory', schedule: cron('0 3 * * *'), ...zone });
const three = Date.parse('2026-12-01T03:00:00+08:00');

/** Six good nights, and one in which the sales read fourteen times what they usually do, beside the report of 03:00. */
async function night() {
  const console = await acting(three - 15 * minute, {
    ...{ jobs: [report, sales], bundle: await bundleWeb(), pollMs: 100 },
  });
  const { world, ledger } = console;
  for (const nights of [6, 5, 4, 3, 2, 1]) {
    const due = three - nights * day;
    await ledger.create(ranOf(sales, due - 5 * minute, { takesMs: 4 * minute, bill: reads(6_000) }));
    await ledger.create(ranOf(report, due, { takesMs: 3 * minute, bill: reads(2_600) }));
  }
  const starts = async (job: typeof report, due: number) => {
    await world.sweepAt(due);
    world.now += second;
    return deliver(world, job, due);
  };
  const big = await starts(sales, three - 5 * minute);
  const failing = await starts(report, three);
  await world.sweepAt(three + 5 * minute);
  const error = { name: 'QueueFull', message: 'reports-db refused 12 reads: its queue is full' };
  await ends(world, failing, { kind: 'failed', error }, reads(2_600));
  world.now += minute;
  await ends(world, big, { kind: 'succeeded' }, reads(84_000));
  await world.sweepAt(three + 10 * minute);
  return { ...console, big, failing };
}

async function ends(world: World, run: Run, outcome: Outcome, bill: Bill): Promise<void> {
  const { change, effect } = decideFinish(run, { outcome, attempt: 1, now: world.now });
  const measured = { ...change, measured: { number: 1, bill } };
  const fence = { state: 'running', token: run.token } as const;
  expect(await world.ledger.move(run, fence, measured, { effect })).toMatchObject({ kind: 'done' });
}

// A browser and an engine on a machine that has much else to do.
describe.skipIf(!hasChromium)('the night of a failed report', { timeout: 90_000 }, () => {
  const open = browserPages();

  test('the strip is red, the run tells who ate the database, its fire is made up, and the strip is green', async () => {
    const { url, big, failing, ledger, world, turn } = await night();
    const page = await open(`${url}/#/now`, { now: world.now });
    expect(await strip(page)).toEqual({
      ...{ 'last sweep': 'good', 'ledger gap': 'good', failing: 'bad', parked: 'good', waiting: 'good' },
    });

    await page.getByRole('link', { name: '1 job', exact: true }).click();
    await page.getByText('✗ failed').first().waitFor();
    const why = page.getByRole('region', { name: 'Why' });
    await why
      .getByText(`Most likely ${runId(big)}: 94 % of the reads of reports-db while this run was alive`)
      .waitFor();
    await why.getByText('84,000 reads of reports-db, 14 times the median').waitFor();
    expect(
      await why
        .getByRole('link', { name: runId(big) })
        .first()
        .isVisible(),
    ).toBe(true);

    await page.getByRole('heading', { level: 1 }).getByRole('link').click();
    await page.getByRole('button', { name: 'Make up fires…' }).click();
    await page.getByLabel('Only').selectOption('failed');
    await page.getByRole('button', { name: 'Show which' }).click();
    await page.getByText('1 fire to make up').waitFor();
    expect(await page.locator('.fires li').allTextContents()).toEqual(['2026-12-01 03:00 +08:00 failed']);
    expect(await ledger.run(failing)).toMatchObject({ state: 'failed' });
    await page.getByLabel('Note').fill('the sales are done');
    await page.getByRole('button', { name: 'Make up 1 fire' }).click();
    await page.getByText('0 of 1 fire made up').waitFor();

    await turn();
    await page.getByText('1 of 1 fire made up').waitFor();
    await page.getByRole('link', { name: 'succeeded' }).first().click();
    await page.getByRole('heading', { level: 1 }).getByText('2026-12-01 03:00').waitFor();
    await page.getByText('✓ succeeded').first().waitFor();
    await page.getByRole('link', { name: 'Now' }).click();
    expect(await strip(page)).toEqual({
      ...{ 'last sweep': 'good', 'ledger gap': 'good', failing: 'good', parked: 'good', waiting: 'good' },
    });

    const attempts = [{ outcome: 'failed' }, { outcome: 'succeeded' }];
    expect(await ledger.run(failing)).toMatchObject({ state: 'succeeded', trigger: 'backfill', attempts });
    expect(await collected(ledger.actions({ from: 0, to: world.now }))).toMatchObject([
      { verb: 'backfill', by: 'ops', jobId: report.id, note: 'the sales are done', details: { fires: 1 } },
    ]);
  });
});

/** The level of each sign of the health strip. */
async function strip(page: Page): Promise<Record<string, string>> {
  const signs = page.getByRole('list', { name: 'How things stand' }).getByRole('listitem');
  await signs.first().waitFor();
  return Object.fromEntries(
    await signs.evaluateAll((items) =>
      items.map((item) => [item.querySelector('b')?.lastChild?.textContent?.trim() ?? '', item.className]),
    ),
  );
}
