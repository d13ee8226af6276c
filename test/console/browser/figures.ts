import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleWeb } from '../../../functions/console/bundle.ts';
import { type MemoryLedger, memoryLedger } from '../../../functions/store/memory.ts';
import { median } from '../../bench/row.ts';
import { fillLedger } from '../seed/fill.ts';
import { seedHistory } from '../seed/history.ts';
import { serve } from '../served.ts';
import { hasChromium } from './chromium.ts';
import { browserPages } from './pages.ts';

const now = Date.parse('2026-11-03T09:30:00Z');
const paintedWithinMs = 1_500;
const frameWithinMs = 8;
const longTaskMs = 50;
const framesPanned = 60;
const panPx = 24;

/** The least that a busy machine has to leave alone: a page that is slow is slow each time. */
const tries = { retry: 3, timeout: 60_000 };

/**
 * How fast the page is on a ledger of 200 jobs and so many runs over 30 days, by what the browser itself has measured: marks
 * and measures, long tasks, and the time that its main thread spent on each frame.
 */
export function figures(runs: number): void {
  describe.skipIf(!hasChromium)(`the page on 200 jobs and ${runs} runs`, () => {
    const opened = browserPages();
    let ledger: MemoryLedger;
    beforeAll(async () => {
      ledger = memoryLedger();
      await fillLedger(ledger, seedHistory({ jobs: 200, runs, seed: 7, now }));
    }, 180_000);

    async function openedAt(route: string): Promise<Page> {
      const { url } = await serve(ledger, () => now, { bundle: await bundleWeb() });
      const page = await opened('about:blank');
      await page.addInitScript(watchThePage);
      await page.goto(`${url}/#/${route}`);
      return page;
    }

    test('the first view is painted in time', tries, async () => {
      const page = await openedAt('now');
      const paintedMs = await measured(page, 'runs are seen');
      tell(`the first view was painted after ${paintedMs.toFixed(0)} ms`);
      expect(paintedMs).toBeLessThan(paintedWithinMs);
    });

    test(
      'a timeline of 7 days is painted in time: of a page just opened, and after a press',
      tries,
      async () => {
        const openedMs = await measured(await openedAt('timeline?span=7d'), 'a week is seen');
        const page = await openedAt('timeline');
        await measured(page, 'a day is seen');
        await page.evaluate(() => addEventListener('click', () => performance.mark('press'), true));
        await page.getByRole('button', { name: '7 d', exact: true }).click();
        const pressedMs = await measured(page, 'a week is seen', 'press');
        tell(
          `7 days were painted after ${openedMs.toFixed(0)} ms, and ${pressedMs.toFixed(0)} ms after a press`,
        );
        expect(openedMs).toBeLessThan(paintedWithinMs);
        expect(pressedMs).toBeLessThan(paintedWithinMs);
      },
    );

    test('panning takes little of each frame, and no task is long', tries, async () => {
      const page = await openedAt('timeline?span=7d');
      await measured(page, 'a week is seen');
      const before = await page.evaluate(() => window.seen.answers);
      const frames = await panned(page);
      const answers = (await page.evaluate(() => window.seen.answers)) - before;
      const perFrame = frames.map(({ scriptAndLayoutMs }) => scriptAndLayoutMs);
      const busiest = Math.max(...frames.map(({ busyMs }) => busyMs));
      const longTasks = frames.flatMap((frame) => frame.longTasks);
      tell(`panning took ${median(perFrame).toFixed(2)} ms a frame, the busiest ${busiest.toFixed(1)} ms`);
      tell(`${answers} answers came meanwhile; long tasks: ${longTasks.length}`);
      expect(answers).toBeGreaterThan(0);
      expect(median(perFrame)).toBeLessThan(frameWithinMs);
      // A task is long as well when the machine gave its processor to others: then the thread itself was not busy.
      expect(frames.filter((frame) => frame.longTasks.length > 0 && frame.busyMs > longTaskMs)).toEqual([]);
    });

    function tell(what: string): void {
      console.info(`200 jobs, ${runs} runs: ${what}`);
    }
  });
}

interface Seen {
  /** How many answers the timeline has painted. */
  answers: number;
  /** How long the long tasks were, since they were last asked for. */
  longTasks: number[];
}

declare global {
  interface Window {
    readonly seen: Seen;
  }
}

/** Runs in the page before its own program, and marks when what a person looks for has been painted. */
function watchThePage(): void {
  const seen: Seen = { answers: 0, longTasks: [] };
  Object.assign(window, { seen });
  const markOncePainted = (name: string) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => performance.mark(name);
      port2.postMessage(null);
    });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { detail } of list.getEntriesByName('timeline painted') as PerformanceMark[]) {
      seen.answers += 1;
      const days = (Date.parse(detail.to) - Date.parse(detail.from)) / 86_400_000;
      markOncePainted(days >= 7 ? 'a week is seen' : 'a day is seen');
    }
  }).observe({ type: 'mark' });
  const found = new MutationObserver(() => {
    if (document.querySelector('main .things li a') === null) return;
    found.disconnect();
    markOncePainted('runs are seen');
  });
  found.observe(document, { childList: true, subtree: true });
}

/** How long after `since` a mark of the page was set, by the browser's clock; null: since the page was asked for. */
async function measured(page: Page, until: string, since: string | null = null): Promise<number> {
  await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, until);
  return page.evaluate(
    ([start, end]) =>
      performance.measure('figure', { ...(start && { start }), ...(end && { end }) }).duration,
    [since, until],
  );
}

/** What the page's main thread did for one frame. */
interface Frame {
  readonly scriptAndLayoutMs: number;
  /** All that it did, whatever for. */
  readonly busyMs: number;
  /** Longer than 50 ms by the clock. */
  readonly longTasks: readonly number[];
}

/** Drags the timeline to the right, a step for each frame, through some weeks. */
async function panned(page: Page): Promise<Frame[]> {
  const box = await page.locator('.timeline-stage canvas').boundingBox();
  if (box === null) throw new Error('The timeline has no canvas.');
  const [left, y] = [box.x + 10, box.y + box.height / 2];
  const stepsAcross = Math.floor((box.width - 20) / panPx);
  const devtools = await page.context().newCDPSession(page);
  // The thread's own time: what others on this machine do meanwhile is not the page's.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));
  await page.evaluate(longTasksSince);
  const frames: Frame[] = [];
  for (let frame = 0; frame < framesPanned; frame += 1) {
    const step = frame % stepsAcross;
    if (step === 0) {
      await page.mouse.up();
      await page.mouse.move(left, y);
      await page.mouse.down();
    }
    const before = await spentMs(devtools);
    await page.mouse.move(left + (step + 1) * panPx, y);
    const longTasks = await page.evaluate(longTasksSince);
    const after = await spentMs(devtools);
    frames.push({
      scriptAndLayoutMs: after.scriptAndLayout - before.scriptAndLayout,
      busyMs: after.all - before.all,
      longTasks,
    });
  }
  return frames;
}

/** Once the next frame is painted. */
function longTasksSince(): Promise<number[]> {
  return new Promise((resolve) =>
    requestAnimationFrame(() => setTimeout(() => resolve(window.seen.longTasks.splice(0)))),
  );
}

const scriptAndLayout = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];

/** What the main thread has spent so far. */
async function spentMs(devtools: CDPSession): Promise<{ scriptAndLayout: number; all: number }> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const msOf = (names: readonly string[]) =>
    metrics.reduce((sum, { name, value }) => (names.includes(name) ? sum + value * 1_000 : sum), 0);
  return { scriptAndLayout: msOf(scriptAndLayout), all: msOf(['TaskDuration']) };
}
