import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleWeb } from '../../../functions/console/bundle.ts';
import { hour, minute, toIso } from '../../../functions/domain/time.ts';
import { type MemoryLedger, memoryLedger } from '../../../functions/store/memory.ts';
import { ranOf, seedContention, stock } from '../../cli/contended.ts';
import { at } from '../../support/jobs.ts';
import { serve } from '../served.ts';
import { args, executablePath, hasChromium } from './chromium.ts';

const start = at('00:00') - 6 * hour;
const now = start + 125 * minute;
const failed = `${stock.id}#${toIso(start + 5 * minute)}`;
const hostile = '<img src=x onerror="document.title=\'taken\'"><script>alert(1)</script>';

describe.skipIf(!hasChromium)('the page, in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser?.close());

  /** The page on a seeded ledger. `complaints`: what it told the browser's console. */
  async function opened(route: string, { width = 1280, scheme = 'light' as 'light' | 'dark' } = {}) {
    const ledger: MemoryLedger = memoryLedger();
    await seedContention(ledger, start);
    await ledger.create(
      ranOf(stock, start + 60 * minute, { takesMs: minute, error: { name: 'Error', message: hostile } }),
    );
    const { url } = await serve(ledger, () => now, { bundle: await bundleWeb() });
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/${route}`);
    await page.locator('main').getByText(/\w/).first().waitFor();
    return { page, ledger, complaints };
  }

  const run = `#/runs/${encodeURIComponent(failed)}`;
  const routes = ['#/now', '#/timeline', '#/ledger', `#/jobs/${encodeURIComponent(stock.id)}`, run] as const;

  test.each(routes)(
    '%s can be read by everybody, in the light and in the dark, and breaks no rule of its own',
    async (route) => {
      for (const scheme of ['light', 'dark'] as const) {
        const { page, complaints } = await opened(route, { scheme });
        expect(await seriousFindings(page)).toEqual([]);
        expect(complaints).toEqual([]);
      }
    },
  );

  test('nothing is wider than a phone', async () => {
    for (const route of routes) {
      const { page } = await opened(route, { width: 390 });
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(widths[0], route).toBeLessThanOrEqual(widths[1] ?? 0);
    }
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

async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
