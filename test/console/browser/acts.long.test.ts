import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { collected } from '../../../functions/cli/runs-around.ts';
import { type Bundle, bundleWeb } from '../../../functions/console/bundle.ts';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import { runId } from '../../../functions/domain/names.ts';
import { neverNeedsAttention, type Run } from '../../../functions/domain/run.ts';
import { day, minute, second } from '../../../functions/domain/time.ts';
import { rates as each } from '../../cli/acting.ts';
import { attemptOf, runOf } from '../../cli/seeded.ts';
import { at } from '../../support/jobs.ts';
import { acting } from '../acting.ts';
import { hasChromium } from './chromium.ts';
import { browserPages, press } from './pages.ts';

const now = at('04:00');
const jobs = [{ ...each, overlap: 'queue' as const }];
const [rates] = jobs as [(typeof jobs)[0]];

// A browser and an engine on a machine that has much else to do.
describe.skipIf(!hasChromium)(
  'what a person presses in the page is on the ledger',
  { timeout: 90_000 },
  () => {
    const open = browserPages();
    let bundle: Bundle;
    beforeAll(async () => {
      bundle = await bundleWeb();
    });

    async function opened() {
      const of = await acting(now, { jobs, bundle, pollMs: 100 });
      const at = (route: string) => open(`${of.url}/#/${route}`, { now: of.world.now });
      const job = () => at(`jobs/${encodeURIComponent(rates.id)}`);
      return { ...of, job, run: (run: Run) => at(`runs/${encodeURIComponent(runId(run))}`) };
    }

    const note = (page: Page, text: string) => page.getByLabel('Note').fill(text);

    async function told(ledger: Pick<Ledger, 'actions'>) {
      const actions = await collected(ledger.actions({ from: 0, to: now + day }));
      return actions.map(({ verb, by, note }) => [verb, by, note]);
    }

    test('trigger: it runs with the input that was typed, for the time that was typed', async () => {
      const { job, turn, newest, ledger } = await opened();
      const page = await job();
      await press(page, 'Run it now', async () => {
        await page.getByLabel('Input, as JSON').fill('{"day": 1}');
        await page.getByLabel('The time that it works for').fill('2026-12-01 11:00');
        await note(page, 'the bank is back');
      });
      await page.getByText('waits for its turn').waitFor();
      expect(await newest()).toMatchObject({ state: 'waiting', input: { day: 1 }, fireTime: at('03:00') });
      await turn();
      await page.getByRole('link', { name: 'succeeded' }).waitFor();
      expect(await newest()).toMatchObject({ state: 'succeeded', trigger: 'manual' });
      expect(await told(ledger)).toEqual([['trigger', 'ops', 'the bank is back']]);
    });

    test('redrive: the unreadable messages are counted before they are sent back', async () => {
      const unreadable = { count: async () => 3, redrive: async () => {} };
      const { ledger, url, world } = await acting(now, { jobs, bundle, unreadable });
      const page = await open(`${url}/#/ledger`, { now: world.now });
      await press(page, 'Send them back', async () => {
        await page.getByText('There are about 3 now.').waitFor();
        await note(page, 'they can be read');
      });
      await page.getByText('About 3 messages on the way back to the control queue.').waitFor();
      expect(await told(ledger)).toEqual([['redrive', 'ops', 'they can be read']]);
    });

    test('an input that is no JSON is told, and nothing is asked for', async () => {
      const { job, ledger } = await opened();
      const page = await job();
      await press(page, 'Run it now', () => page.getByLabel('Input, as JSON').fill('{day: 1}'));
      await page.getByRole('alert').getByText('The input is no JSON').waitFor();
      expect(await page.getByLabel('Input, as JSON').inputValue()).toBe('{day: 1}');
      expect(await told(ledger)).toEqual([]);
    });

    test.each([
      ['its beginning', 1],
      ['after the steps that it has done', undefined],
    ])('retry, from %s', async (from, restarts) => {
      const { run, failed, turn, newest, ledger } = await opened();
      const page = await run(await failed(now));
      await page.getByText('TypeError: the bank sent no total').first().waitFor();
      await press(page, 'Run it once more', async () => {
        await page.getByLabel(from).check();
        await note(page, 'it sends it now');
      });
      await page.getByText('It waits for its turn.').waitFor();
      expect(await newest()).toMatchObject({ state: 'waiting', reason: 'slot' });
      expect((await newest()).restarts).toBe(restarts);
      await turn();
      await page.getByText('✓ succeeded').first().waitFor();
      expect(await page.getByRole('button', { name: 'Run it once more…' }).count()).toBe(0);
      expect((await newest()).attempts).toMatchObject([{ outcome: 'failed' }, { outcome: 'succeeded' }]);
      expect(await told(ledger)).toEqual([['retry', 'ops', 'it sends it now']]);
    });

    test('pause, and resume: what was skipped is made up, as many fires as the page says', async () => {
      const { job, world, turn, ledger } = await opened();
      const page = await job();
      await press(page, 'Pause it', async () => {
        await page.getByLabel('Until').fill('13:00');
        await note(page, 'the bank is down');
      });
      await page.getByText('Paused, until 2026-12-01 13:00 +08:00.').waitFor();
      expect((await ledger.job(rates.id))?.paused).toMatchObject({ until: at('05:00') });
      await page.getByText('paused: it will be skipped').first().waitFor();
      world.now += 8 * minute;
      await turn();
      const choice = page.getByLabel(/is made up: \d+ fires/);
      await page.getByRole('button', { name: 'Resume it…' }).click();
      await choice.check();
      const [count = ''] = /\d+/.exec((await choice.locator('xpath=..').textContent()) ?? '') ?? [];
      await page.getByRole('button', { name: 'Resume it', exact: true }).click();
      await page.getByText(`Resumed; ${count} fires made up from now on.`).waitFor();
      const madeUp = (await world.runs()).filter(({ trigger }) => trigger === 'backfill');
      expect(madeUp).toHaveLength(Number(count));
      expect((await ledger.job(rates.id))?.paused).toBeUndefined();
      expect((await told(ledger)).map(([verb]) => verb).sort()).toEqual(['backfill', 'pause', 'resume']);
    });

    test('cancel: what waits ends at once, and its button is gone', async () => {
      const { run, act, newest, ledger } = await opened();
      await act('trigger', { jobId: rates.id });
      const page = await run(await newest());
      await page.getByRole('button', { name: 'Cancel it…' }).click();
      await note(page, 'not now');
      await page.getByRole('button', { name: 'Cancel it now' }).click();
      await page.getByText('It is canceled.').waitFor();
      await page.getByRole('button', { name: 'Cancel it…' }).waitFor({ state: 'detached' });
      expect(await newest()).toMatchObject({ state: 'canceled', cancelRequested: { by: 'ops' } });
      expect(await told(ledger)).toContainEqual(['cancel', 'ops', 'not now']);
    });

    test('cancel: what runs is asked to end', async () => {
      const { run, world, ledger } = await opened();
      const running = runOf(rates, now, {
        state: 'running',
        hasSlot: true,
        attentionAt: now + 6 * minute,
        attempts: [attemptOf(1, now + second)],
      });
      await ledger.create(running, { slot: 'take' });
      world.now += minute;
      const page = await run(running);
      await page.getByRole('button', { name: 'Ask it to end…' }).click();
      await page.getByRole('button', { name: 'Ask it to end now' }).click();
      await page.getByText('It has been asked to end.').waitFor();
      expect(await ledger.run(running)).toMatchObject({ state: 'running', cancelRequested: { by: 'ops' } });
    });

    test('release: an uncertain step was done, and what it returned goes on its record', async () => {
      const { run, ledger } = await opened();
      const parked = runOf(rates, now - minute, {
        ...{ state: 'parked', reason: 'uncertain-step', uncertain: 'charge', restarts: 0 },
        ...{ attentionAt: neverNeedsAttention, attempts: [attemptOf(1, now - minute)] },
      });
      await ledger.create(parked);
      const page = await run(parked);
      await page.getByRole('button', { name: 'Decide…' }).click();
      await page.getByLabel('run it again, after the steps that it has done').check();
      const decide = page.getByRole('button', { name: 'Resume it' });
      expect(await decide.isDisabled(), 'nothing is said of the step yet').toBe(true);
      await page.getByLabel('was done, and is not done again').check();
      await page.getByLabel('What the step returned').fill('{"receipt": "7f3a"}');
      await note(page, 'it stands in the bank’s list');
      await decide.click();
      await page.getByText('Decided: it waits for its turn.').waitFor();
      expect(await ledger.run(parked)).toMatchObject({ state: 'waiting', released: { as: 'resume' } });
      const [step] = await ledger.steps(parked);
      expect(step).toMatchObject({ name: 'charge', state: 'done', result: { receipt: '7f3a' } });
      expect(await told(ledger)).toEqual([['release', 'ops', 'it stands in the bank’s list']]);
    });

    test('backfill: the preview names each fire, they begin, and what waits of it can be stopped', async () => {
      const { job, failed, world, ledger } = await opened();
      await failed(now);
      world.now += minute;
      await failed(now + minute);
      const page = await job();
      await page.getByRole('button', { name: 'Make up fires…' }).click();
      await page.getByLabel('Due from').fill('12:00');
      await page.getByLabel('Due to').fill('12:01');
      await page.getByLabel('Only').selectOption('failed');
      await page.getByRole('button', { name: 'Show which' }).click();
      await page.getByText('2 fires to make up').waitFor();
      const fires = await page.locator('.fires li').allInnerTexts();
      expect(fires).toEqual(['2026-12-01 12:00 +08:00 failed', '2026-12-01 12:01 +08:00 failed']);
      expect(await told(ledger)).toEqual([]);
      await note(page, 'the bank is back');
      await page.getByRole('button', { name: 'Make up 2 fires' }).click();
      await page.getByText('0 of 2 fires made up').waitFor();
      expect((await world.runs()).map(({ state, trigger }) => [state, trigger])).toEqual([
        ['waiting', 'backfill'],
        ['waiting', 'backfill'],
      ]);
      await page.getByRole('button', { name: 'Stop it…' }).click();
      await page.getByRole('button', { name: 'Stop the backfill' }).click();
      await page.getByText('2 canceled').first().waitFor();
      expect((await world.runs()).map(({ state }) => state)).toEqual(['canceled', 'canceled']);
      expect(await told(ledger)).toContainEqual(['backfill', 'ops', 'the bank is back']);
    });

    test('backfill: a preview of many fires names all of them, when that is asked for', async () => {
      const { job } = await opened();
      const page = await job();
      await page.getByRole('button', { name: 'Make up fires…' }).click();
      await page.getByLabel('Due from').fill('2026-12-01 10:00');
      await page.getByLabel('Due to').fill('2026-12-01 10:59');
      await page.getByRole('button', { name: 'Show which' }).click();
      await page.getByText('60 fires to make up').waitFor();
      expect(await page.locator('.fires li').count()).toBe(20);
      await page.getByRole('button', { name: 'Show 60' }).click();
      const fires = await page.locator('.fires time').allTextContents();
      expect([fires[0], fires.length, fires.at(-1)]).toEqual([
        ...['2026-12-01 10:00 +08:00', 60, '2026-12-01 10:59 +08:00'],
      ]);
    });
  },
);
