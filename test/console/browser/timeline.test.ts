import { describe, expect, test } from 'vitest';
import { bundleWeb } from '../../../functions/console/bundle.ts';
import { hour, minute, second, toIso } from '../../../functions/domain/time.ts';
import { memoryLedger } from '../../../functions/store/memory.ts';
import { ranOf } from '../../cli/contended.ts';
import { at, manifestJob } from '../../support/jobs.ts';
import { serve } from '../served.ts';
import { hasChromium } from './chromium.ts';
import { browserPages } from './pages.ts';

const now = at('12:00');
const long = manifestJob({ id: 'a/long' });
const often = manifestJob({ id: 'b/often' });
/** In the middle of the 24 hours that are seen at first, with an hour after now. */
const middle = now - 11.5 * hour;

describe.skipIf(!hasChromium)('the timeline, by hand', () => {
  const opened = browserPages();

  /** A run of two hours in the first lane, and in the second one a minute, half an hour long. */
  async function shown() {
    const ledger = memoryLedger();
    await ledger.saveManifest({ version: 1, jobs: [long, often] });
    await ledger.create(ranOf(long, middle - hour, { takesMs: 2 * hour }));
    for (let minutes = -15; minutes < 15; minutes += 1)
      await ledger.create(ranOf(often, middle + minutes * minute, { takesMs: 20 * second }));
    const { url } = await serve(ledger, () => now, { bundle: await bundleWeb() });
    const page = await opened(`${url}/#/timeline?span=24h`);
    const canvas = page.locator('.timeline-stage canvas');
    await page.waitForFunction(() => performance.getEntriesByName('timeline painted').length > 0);
    await page.getByRole('link', { name: often.id }).waitFor();
    const { x, y, width } = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const seen = { from: now - 24 * hour * 0.95, to: now + 24 * hour * 0.05 };
    const across = x + (width * (middle - seen.from)) / (seen.to - seen.from);
    return { page, canvas, long: [across, y + 12] as const, often: [across, y + 36] as const };
  }

  test('what the pointer is on is told, and a press opens the run', async () => {
    const { page, long: place } = await shown();
    await page.mouse.move(...place);
    const told = await page.getByRole('tooltip').textContent();
    expect(told).toContain(`${long.id} · succeeded, 2 h`);
    await page.mouse.move(place[0], place[1] + 200);
    await expect.poll(() => page.getByRole('tooltip').count()).toBe(0);
    await page.mouse.click(...place);
    await page.waitForURL(`**/#/runs/${encodeURIComponent(`${long.id}#${toIso(middle - hour)}`)}`);
  });

  test('several runs that lie on one another are told as so many, and a press shows each', async () => {
    const { page, often: place } = await shown();
    const told = page.getByRole('tooltip');
    const tells = () => page.mouse.move(...place).then(() => told.textContent());
    await expect.poll(tells).toMatch(/ \d+ runs, succeeded/);
    await page.mouse.click(...place);
    await expect.poll(() => told.count()).toBe(0);
    let x = place[0];
    const tellsNext = async () => {
      x += 2;
      await page.mouse.move(x, place[1]);
      return (await told.count()) > 0 && told.textContent();
    };
    await expect.poll(tellsNext).toContain(`${often.id} · succeeded, 20 s`);
  });

  test('the keyboard chooses a job, then a run of it, and opens it', async () => {
    const { page, canvas } = await shown();
    await canvas.focus();
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await page.getByRole('status').getByText(`${long.id} · succeeded`).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/runs/${encodeURIComponent(`${long.id}#${toIso(middle - hour)}`)}`);
  });
});
