import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { args, executablePath } from './chromium.ts';

export interface Look {
  /** @default 1280 */
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** What the page's clock shows; it stands still. @default the machine's */
  readonly now?: number;
}

/** A browser for the tests of a file. Each page ends with its test. */
export function browserPages(): (url: string, look?: Look) => Promise<Page> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser?.close());
  return async (url, { width = 1280, scheme = 'light', now } = {}) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    if (now !== undefined) await page.clock.setFixedTime(now);
    await page.goto(url);
    return page;
  };
}

/** Opens a form by its button, and presses the button of the same name in it, once it is filled. */
export async function press(page: Page, name: string, fill = async () => {}): Promise<void> {
  await page.getByRole('button', { name: `${name}…`, exact: true }).click();
  await fill();
  await page.getByRole('button', { name, exact: true }).click();
}
