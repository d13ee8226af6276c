import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Bundle, bundleWeb } from '../../../functions/console/bundle.ts';
import { minute } from '../../../functions/domain/time.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { invoices, seed } from '../../cli/seeded.ts';
import { at } from '../../support/jobs.ts';
import { all } from '../../support/ledger-records.ts';
import { serve } from '../served.ts';
import { args, executablePath, hasChromium } from './chromium.ts';

const now = at('04:00');

describe.skipIf(!hasChromium)('the page, when its server ends and another one starts', () => {
  let browser: Awaited<ReturnType<typeof chromium.launch>>;
  let bundle: Bundle;
  beforeAll(async () => {
    [browser, bundle] = await Promise.all([chromium.launch({ executablePath, args }), bundleWeb()]);
  });
  afterAll(() => browser?.close());

  async function opened(more: Parameters<typeof serve>[2] = {}) {
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    const serveOn = (port: number, other = {}) =>
      serve(ledger, () => now, { bundle, pollMs: 20, port, command: () => 'npm start', ...more, ...other });
    const server = await serveOn(0);
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${server.url}/#/jobs/${encodeURIComponent(invoices.id)}`);
    return { page, ledger, server, again: (other = {}) => serveOn(server.port, other) };
  }

  async function pauseWith(page: Page, note: string) {
    await page.getByRole('button', { name: 'Pause it' }).first().click();
    await page.getByLabel('Note').fill(note);
    return () => page.getByRole('button', { name: 'Pause it', exact: true }).last().click();
  }

  const paused = (note: string) => [{ verb: 'pause', by: 'ops', note }];

  test('what is pressed first is done once, with its note', async () => {
    const { page, ledger, server, again } = await opened();
    const press = await pauseWith(page, 'stock is being counted');
    await server.close();
    await page.getByText('The console does not answer').waitFor();
    // Before the page has found the new server by itself.
    await page.route('**/api/live', (route) => route.abort());
    await again();
    await press();
    await page.getByText('Paused').first().waitFor();
    expect(await all(ledger.actions({ from: 0, to: now }))).toMatchObject(paused('stock is being counted'));
    expect((await ledger.job(invoices.id))?.paused?.note).toBe('stock is being counted');
  });

  test('what is pressed while nobody answers is said not to be known, its note stays, and is done by the next press', async () => {
    const { page, ledger, server, again } = await opened();
    const press = await pauseWith(page, 'the bank is down');
    await server.close();
    await press();
    await page.getByText('nobody knows whether it was done').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('the bank is down');
    await again();
    await page.getByText('The console does not answer').waitFor({ state: 'detached' });
    await press();
    await page.getByText('Paused').first().waitFor();
    expect(await all(ledger.actions({ from: 0, to: now }))).toMatchObject(paused('the bank is down'));
  });

  test('of another ledger it shows nothing, and does nothing there', async () => {
    const { page, server, again, ledger } = await opened();
    const press = await pauseWith(page, 'not here');
    await server.close();
    await page.getByText('The console does not answer').waitFor();
    await page.route('**/api/live', (route) => route.abort());
    const place = {
      ledger,
      reconciler: async () => null,
      retentionDays: 400,
      name: 'stage prod',
      stage: 'prod',
    };
    await again({ place });
    await press();
    await page.getByText('Nothing was done: the console is that of another ledger now').waitFor();
    await page.unroute('**/api/live');
    await page.getByText('At this address there is the console of stage prod now').waitFor();
    expect(await all(ledger.actions({ from: 0, to: now }))).toEqual([]);
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByText('a deployed stage').waitFor();
    expect(await page.title()).toBe(`PROD · ${invoices.id} · fireledger`);
  });

  test('that the ledger can’t be read is told as the server says it, and heals by itself', async () => {
    let isGone = false;
    const reconciler = async () => {
      if (isGone) throw Object.assign(new Error('no credentials are left'), { code: 'ExpiredToken' });
      return { sweptAt: now - minute };
    };
    const { page } = await opened({ reconciler });
    await page.goto(`${page.url().split('#')[0]}#/now`);
    await page.getByText('last sweep').waitFor();
    isGone = true;
    await page.getByText("the ledger can't be read: no credentials are left").waitFor();
    // Of a page that is loaded now, too, the banner alone tells it.
    await page.reload();
    await page.getByText('Nothing is shown yet').waitFor();
    await page.getByText('What is shown is of before').waitFor();
    expect(await page.getByText('no credentials are left').count()).toBe(1);
    isGone = false;
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
