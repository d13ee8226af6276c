import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Bundle, bundleWeb } from '../../../functions/console/bundle.ts';
import { hour, minute, toIso } from '../../../functions/domain/time.ts';
import { type MemoryLedger, memoryLedger } from '../../../functions/store/memory.ts';
import { ranOf, seedContention, stock } from '../../cli/contended.ts';
import { at } from '../../support/jobs.ts';
import { serve } from '../served.ts';
import { hasChromium } from './chromium.ts';
import { browserPages } from './pages.ts';

const start = at('00:00') - 6 * hour;
const now = start + 125 * minute;
const failed = `${stock.id}#${toIso(start + 5 * minute)}`;
const hostile = '<img src=x onerror="document.title=\'taken\'"><script>alert(1)</script>';

describe.skipIf(!hasChromium)('the page, in a browser', () => {
  const open = browserPages();
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await bundleWeb();
  });

  /** The page on a seeded ledger. `complaints`: what it told the browser's console. */
  async function opened(route: string) {
    const ledger: MemoryLedger = memoryLedger();
    await seedContention(ledger, start);
    await ledger.create(
      ranOf(stock, start + 60 * minute, { takesMs: minute, error: { name: 'Error', message: hostile } }),
    );
    const { url } = await serve(ledger, () => now, { bundle });
    const page = await open('about:blank');
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/${route}`);
    await page.locator('main').getByText(/\w/).first().waitFor();
    return { page, ledger, complaints };
  }

  const run = `#/runs/${encodeURIComponent(failed)}`;
  const job = `#/jobs/${encodeURIComponent(stock.id)}`;
  const routes = ['#/now', '#/timeline', '#/ledger', '#/pools/reports-db', job, run] as const;

  test.each(routes)(
    '%s can be read by everybody, in the light and in the dark, is no wider than a phone, and breaks no rule of its own',
    async (route) => {
      const { page, complaints } = await opened(route);
      expect(await seriousFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 900 });
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
      expect(complaints).toEqual([]);
    },
  );

  test.each([
    [job, ['Run it now…', 'Pause it…', 'Make up fires…']],
    [run, ['Run it once more…']],
  ])('the forms of %s can be used by everybody', async (route, buttons) => {
    const { page } = await opened(route);
    for (const name of buttons) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('button', { name: 'Leave it' }).waitFor();
      expect(await seriousFindings(page), name).toEqual([]);
    }
  });

  test('a job is paused by the keyboard alone, and the form is left by it, too', async () => {
    const { page, ledger } = await opened(job);
    const to = async (there: Locator) => {
      const isThere = () => there.evaluate((element) => element === document.activeElement);
      for (let presses = 0; presses < 60 && !(await isThere()); presses += 1)
        await page.keyboard.press('Tab');
      expect(await isThere()).toBe(true);
    };
    const opener = page.getByRole('button', { name: 'Pause it…' });
    const leave = page.getByRole('button', { name: 'Leave it' });
    await to(opener);
    await page.keyboard.press('Enter');
    await to(leave);
    await page.keyboard.press('Space');
    await leave.waitFor({ state: 'detached' });
    await to(opener);
    await page.keyboard.press('Enter');
    await to(page.getByLabel('Note'));
    await page.keyboard.type('by hand');
    await page.keyboard.press('Enter');
    await page.getByText('Paused, until a person resumes it.').waitFor();
    expect((await ledger.job(stock.id))?.paused).toMatchObject({ by: 'ops', note: 'by hand' });
  });

  test('what a job wrote is text, and nothing else', async () => {
    const { page } = await opened(
      `#/runs/${encodeURIComponent(`${stock.id}#${toIso(start + 60 * minute)}`)}`,
    );
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.title()).not.toBe('taken');
    expect(await page.locator('main img, main script').count()).toBe(0);
  });
});

/** In the light, and in the dark. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() => window.axe.run());
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    for (const { id, nodes } of serious)
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
  }
  return found;
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
