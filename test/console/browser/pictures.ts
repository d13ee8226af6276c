import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { bundleWeb } from '../../../functions/console/bundle.ts';
import { serveConsole } from '../../../functions/console/server/serve.ts';
import { runId } from '../../../functions/domain/names.ts';
import { hour, minute, second, toIso } from '../../../functions/domain/time.ts';
import { type MemoryLedger, memoryLedger } from '../../../functions/store/memory.ts';
import { pooledStock, rates, seedContention, stock } from '../../cli/contended.ts';
import { parkedRun, seed } from '../../cli/seeded.ts';
import { at, countedTokens } from '../../support/jobs.ts';
import { fillLedger } from '../seed/fill.ts';
import { seedHistory } from '../seed/history.ts';
import { args, executablePath } from './chromium.ts';

/** A view, and what is pressed in it before its picture is taken. */
interface Picture {
  readonly name: string;
  readonly route: string;
  readonly press?: (page: Page) => Promise<unknown>;
}

interface Scene {
  readonly ledger: MemoryLedger;
  readonly now: number;
  readonly pictures: readonly Picture[];
}

const one = (view: string, id: string) => `${view}/${encodeURIComponent(id)}`;
const button = (page: Page, name: string) => page.getByRole('button', { name });

/** A night of two reports that share a database. */
async function night(): Promise<Scene> {
  const ledger = memoryLedger();
  const start = at('00:00') - 6 * hour;
  await seedContention(ledger, start);
  const pause = { at: start, by: 'ops', note: 'the bank is down' };
  await ledger.setPause(rates.id, pause, { action: { ...pause, verb: 'pause', jobId: rates.id } });
  const backfill = async (page: Page) => {
    await button(page, 'Make up fires').click();
    await page.getByLabel('Only').selectOption('failed');
    await button(page, 'Show which').click();
    await page.getByText('1 fire to make up').waitFor();
  };
  return {
    ...{ ledger, now: start + 125 * minute },
    pictures: [
      { name: 'run', route: one('runs', `${stock.id}#${toIso(start + 5 * minute)}`) },
      { name: 'waiting', route: one('runs', `${pooledStock.id}#${toIso(start + 121 * minute)}`) },
      { name: 'contended', route: 'pools/reports-db' },
      { name: 'paused', route: one('jobs', rates.id), press: (page) => button(page, 'Resume it').click() },
      { name: 'backfill', route: one('jobs', stock.id), press: backfill },
    ],
  };
}

/** A run whose process died, and that a person decides about. */
async function crash(): Promise<Scene> {
  const ledger = memoryLedger();
  await seed(ledger, at('00:00'));
  const decide = async (page: Page) => {
    await button(page, 'Decide').click();
    await page.getByLabel('run it again, from its beginning').check();
  };
  return {
    ...{ ledger, now: at('04:00') },
    pictures: [{ name: 'parked', route: one('runs', runId(parkedRun(at('01:00')))), press: decide }],
  };
}

/** Sixty jobs of a stage, for two weeks. */
async function weeks(): Promise<Scene> {
  const now = at('03:20');
  const ledger = memoryLedger();
  await fillLedger(ledger, seedHistory({ jobs: 60, runs: 20_000, seed: 7, now }));
  return {
    ...{ ledger, now },
    pictures: [
      { name: 'timeline', route: 'timeline', press: (page) => button(page, '7 d').click() },
      ...['now', 'jobs', 'pools', 'ledger'].map((view) => ({ name: view, route: view })),
      { name: 'job', route: one('jobs', 'reports/export-ledger') },
      { name: 'pool', route: 'pools/reports-db' },
    ],
  };
}

interface Look {
  readonly dir: string;
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  /** Of the first screen only. @default the whole page */
  readonly height?: number;
}

/** The page's first paints, and a canvas's. */
const settledMs = 1_500;

async function take(
  browser: Browser,
  { ledger, now, pictures }: Scene,
  looks: readonly Look[],
): Promise<void> {
  const operator = { ledger, clock: () => now, drawToken: countedTokens(), by: 'ops', nudge: async () => {} };
  const reconciler = async () => ({ sweptAt: now - 20 * second });
  const { url, close } = await serveConsole({
    place: { ledger, reconciler, retentionDays: 400, name: 'stage prod' },
    ...{ clock: () => now, operator, bundle: await bundleWeb(), report: console.error },
    sleep: async (ms) => delay(ms),
  });
  for (const { dir, width, colorScheme, height } of looks) {
    const context = await browser.newContext({ viewport: { width, height: height ?? 900 }, colorScheme });
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    for (const { name, route, press } of pictures) {
      await page.goto(`${url}/#/${route}`);
      await page.locator('main h1, main canvas').first().waitFor({ state: 'attached' });
      await press?.(page);
      await delay(settledMs);
      const path = join(dir, height === undefined ? `${name}-${width}-${colorScheme}.png` : `${name}.png`);
      await page.screenshot({ path, fullPage: height === undefined });
    }
    await context.close();
  }
  await close();
}

function only(scene: Scene, name: string): Scene {
  return { ...scene, pictures: scene.pictures.filter((picture) => picture.name === name) };
}

// With a folder, every view at both widths, in the light and in the dark; else the two pictures of the README.
const [dir] = process.argv.slice(2);
const scenes = { night: await night(), crash: await crash(), weeks: await weeks() };
const browser = await chromium.launch({ executablePath, args });
if (dir === undefined) {
  const look = { dir: '.github/pictures', width: 1100, colorScheme: 'light' } as const;
  mkdirSync(look.dir, { recursive: true });
  await take(browser, only(scenes.night, 'run'), [{ ...look, height: 470 }]);
  await take(browser, only(scenes.weeks, 'timeline'), [{ ...look, height: 720 }]);
} else {
  mkdirSync(dir, { recursive: true });
  const looks = [1280, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ dir, width, colorScheme })),
  );
  for (const scene of Object.values(scenes)) await take(browser, scene, looks);
}
await browser.close();
