import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeFetch, testFire } from '#testing';
import { ratesUrl } from '../../../functions/example/addresses.ts';
import job from '../../../functions/jobs/rates/pull-fx.ts';
import { type ExampleApp, everyItem, startExampleApp } from '../../support/example-app.ts';

let app: ExampleApp;

beforeAll(async () => {
  app = await startExampleApp();
});
afterAll(() => app.close());

const at = (minutes: number) => new Date(Date.parse('2026-11-30T00:00:00Z') + minutes * 60_000).toISOString();

const answering = (body: string, status = 200) =>
  fakeFetch({ [`GET ${ratesUrl()}`]: new Response(body, { status }) });

test("the day's rates are stored once, though they are pulled 288 times", async () => {
  let stored = 0;
  let previous: { fireTime: string; result: unknown } | undefined;
  for (let pull = 0; pull < 288; pull++) {
    const fireTime = at(pull * 5);
    const { run, result } = await testFire(job, { fireTime, ...(previous && { previous }), fetch });
    expect(run.state).toBe('succeeded');
    stored += (result as { stored: number }).stored;
    previous = { fireTime, result };
  }
  expect(stored).toBe(16);
  expect(await everyItem('rates')).toHaveLength(16);
  expect(await everyItem('rates')).toContainEqual({ day: '2026-11-27', currency: 'USD', rate: 1.1592 });
});

test('a new day is stored beside the old one', async () => {
  const monday =
    '<Envelope><Cube><Cube time="2026-11-30"><Cube currency="USD" rate="1.17"/></Cube></Cube></Envelope>';
  const previous = { fireTime: at(-5), result: { day: '2026-11-27', stored: 0 } };
  const { result } = await testFire(job, { fireTime: at(0), previous, fetch: answering(monday) });
  expect(result).toEqual({ day: '2026-11-30', stored: 1 });
  expect(await everyItem('rates')).toContainEqual({ day: '2026-11-30', currency: 'USD', rate: 1.17 });
});

test('malformed XML fails the run, says why and stores nothing', async () => {
  const before = await everyItem('rates');
  const { run, error } = await testFire(job, { fireTime: at(0), fetch: answering('<Envelope><Cube>') });
  expect(run).toMatchObject({ state: 'failed', reason: 'error' });
  expect(error?.message).toMatch(/malformed XML/);
  expect(await everyItem('rates')).toEqual(before);
});

test('a bank that does not answer with rates fails the run with its status', async () => {
  const { error } = await testFire(job, { fireTime: at(0), fetch: answering('Sorry', 503) });
  expect(error?.message).toBe(`${ratesUrl()} answered 503`);
});
