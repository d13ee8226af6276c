import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bundle, bundleWeb } from '../../../functions/console/bundle.ts';
import type { LedgerAnswer } from '../../../functions/console/data.ts';
import { cron } from '../../../functions/domain/schedule/index.ts';
import { minute, second, toIso } from '../../../functions/domain/time.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { attemptOf, inventory, invoices, runOf, seed } from '../../cli/seeded.ts';
import { at, manifestJob } from '../../support/jobs.ts';
import { serve } from '../served.ts';
import { hasChromium } from './chromium.ts';
import { browserPages, type Look } from './pages.ts';

const now = at('04:00') + 30 * second;
const script = '<img src=x onerror="document.title=\'taken\'"><script>alert(1)</script>';
const huge = 'x'.repeat(20_000);
const formula = '=HYPERLINK("http://evil.example","pay")';
const pools = { 'reports-db': { capacity: 3, describe: `${script}${huge}` } };
const digest = manifestJob({
  ...{ id: 'mail/digest', schedule: cron('* * * * *'), description: `${script}${huge}` },
});

/** A parked run, fires without a record, a job that failed and succeeded since, a paused one, and values that are hostile, huge or make no sense. */
async function troubled() {
  const ledger = memoryLedger();
  await seed(ledger, at('00:00'));
  await ledger.publishPool({ name: 'reports-db', capacity: 3 }, null);
  await ledger.publish({ jobId: digest.id, from: now, specId: digest.specId, spec: digest.spec }, null);
  await ledger.saveManifest({ version: 1, pools, jobs: [invoices, inventory, digest] });
  const failed = { state: 'failed', reason: 'error', error: { name: script, message: huge } } as const;
  await ledger.create(runOf(digest, now - 2 * minute, { ...failed, settledAt: now - minute }));
  await ledger.create(runOf(inventory, at('01:00'), { ...failed, settledAt: at('01:01') }));
  await ledger.create(runOf(inventory, at('02:00'), { settledAt: at('02:01') }));
  const running = runOf(digest, now - minute, {
    ...{ state: 'running', hasSlot: true, attentionAt: now + 6 * minute },
    ...{ attempts: [attemptOf(1, now - minute)], progress: { done: -7, total: 0, note: huge, at: now } },
  });
  await ledger.create(running, { slot: 'take' });
  await ledger.log({ at: at('03:00'), by: script, verb: 'pause', jobId: inventory.id, note: formula });
  return ledger;
}

const routes = ['now', 'jobs', 'pools', 'ledger'];

describe.skipIf(!hasChromium)('the page around its views', () => {
  const open = browserPages();
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundleWeb();
  });

  async function opened(route: string, look: Look = {}) {
    const { url, get } = await serve(await troubled(), () => now, { bundle });
    const page = await open(`${url}/#/${route}`, { now, ...look });
    await isShown(page);
    return { page, get };
  }

  test('no view has a fault that a tool can find, light or dark', { timeout: 60_000 }, async () => {
    const { page } = await opened('now');
    await page.evaluate(axe.source);
    for (const route of [...routes, 'timeline']) {
      await goTo(page, route);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await faults(page), `${route}, ${colorScheme}`).toEqual([]);
      }
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await faults(page), 'help').toEqual([]);
  });

  test('what is hostile, huge or broken is text, no wider than a phone, and buries nothing', async () => {
    const { page } = await opened('now', { width: 390 });
    for (const route of routes) {
      await goTo(page, route);
      await page.getByText('<img src=x').first().waitFor({ state: 'attached' });
      expect(await page.locator('main img, main script').count()).toBe(0);
      const { width, height, seen } = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return { width: scrollWidth, height: scrollHeight, seen: innerWidth };
      });
      expect({ width, title: await page.title() }).toEqual({ width: seen, title: `${route} · fireledger` });
      expect(height, route).toBeLessThan(2_500);
    }
  });

  test('what is wrong comes first, then what runs, then what is next, which comes nearer each second', async () => {
    const { page } = await opened('now', { width: 390 });
    expect(await page.locator('main h2').allInnerTexts()).toEqual([
      ...['A person must decide 1', 'Went wrong in the last 24 hours 2', 'Running 1', 'Next', 'Lately'],
    ]);
    await page.clock.install({ time: now });
    await page.reload();
    const nearest = page.locator('.next li').first();
    await nearest.getByText('in 30 s').waitFor();
    await page.clock.runFor(4_000);
    await nearest.getByText('in 26 s').waitFor();
  });

  test('by its keys: help, a view, its filter; who types into a field goes nowhere', async () => {
    const { page } = await opened('now');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByText('to the filter').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await page.keyboard.type('gj');
    const filter = page.getByRole('searchbox', { name: 'Filter' });
    await filter.waitFor();
    await page.keyboard.type('/gl');
    expect(await filter.inputValue()).toBe('gl');
    expect(new URL(page.url()).hash).toBe('#/jobs');
  });

  test('the jobs in trouble are listed at one press', async () => {
    const { page } = await opened('jobs');
    const ids = () => page.locator('.lines .name > a').allInnerTexts();
    expect(await ids()).toEqual([invoices.id, digest.id, inventory.id]);
    await page.getByRole('button', { name: '1 paused' }).click();
    expect(await ids()).toEqual([inventory.id]);
    await page.getByText('paused by ops: stock is being counted').waitFor();
    await page.getByRole('button', { name: '1 paused' }).click();
    await page.getByRole('button', { name: '1 parked' }).click();
    expect(await ids()).toEqual([invoices.id]);
  });

  test('the ledger of a range: its gaps first, and saved as it is, a formula as text', async () => {
    const { page, get } = await opened('ledger');
    await page.getByText(/Of \d fires 1 has no record/).waitFor();
    expect((await page.locator('main h2').allInnerTexts())[0]).toBe('Without a record');
    const [, actions] = await saved(page, 'actions as CSV');
    expect(actions).toContain(`"'=HYPERLINK(""http://evil.example"",""pay"")"`);
    await page.getByLabel('From').fill('2026-12-01T01:30');
    await page.getByLabel('To').fill('2026-12-01T02:30');
    await page.getByRole('button', { name: 'Audit it' }).click();
    await page.getByText('Of 1 fire 1 has no record.').waitFor();
    const [name, all] = await saved(page, 'all as JSON');
    expect(name).toBe('fireledger-local-2026-12-01-to-2026-12-01-audit.json');
    const range = `from=${toIso(at('01:30'))}&to=${toIso(at('02:30'))}`;
    expect(JSON.parse(all)).toEqual(await get<LedgerAnswer>(`/api/ledger?${range}`));
  });
});

async function isShown(page: Page): Promise<void> {
  await page.locator('main h1:not(:text("Loading"))').waitFor({ state: 'attached' });
}

async function goTo(page: Page, route: string): Promise<void> {
  await page.goto(new URL(`#/${route}`, page.url()).href);
  await page.waitForFunction((title) => document.title.startsWith(title), route);
  await isShown(page);
}

/** Of any gravity. */
async function faults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
}

async function saved(page: Page, button: string): Promise<[name: string, text: string]> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await download;
  return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
}
