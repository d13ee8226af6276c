import { describe, expect, test } from 'vitest';
import { cron, defineJob, manual } from '#job';
import pools from '#pools';
import { fakeFetch, testFire } from '#testing';

const fireTime = '2026-12-01T03:00:00Z';

const countOrders = defineJob({
  description: 'Count the orders since the last report',
  schedule: cron('0 3 * * *'),
  timezone: 'UTC',
  missed: 'latest',
  crashed: 'rerun',
  timeout: '5 minutes',
  async run(fire, ctx) {
    const since = (await ctx.previous())?.fireTime ?? new Date(0);
    const response = await fetch(`https://shop.example.com/orders?since=${since.toISOString()}`);
    const orders: unknown = await response.json();
    ctx.log.info('counted', { shop: process.env.SHOP, covers: fire.covers.length });
    return { orders, covers: fire.covers };
  },
});

describe("an author's test", () => {
  test('fires a job on what an earlier success left, without a network', async () => {
    const fetch = fakeFetch({ 'GET https://shop.example.com/orders?since=2026-11-30T03:00:00.000Z': [7, 8] });
    const fired = await testFire(countOrders, {
      fireTime,
      previous: { fireTime: '2026-11-30T03:00:00Z' },
      environment: { SHOP: 'taipei' },
      fetch,
    });
    expect(fired.run).toMatchObject({
      jobId: 'test/job',
      key: fireTime,
      state: 'succeeded',
      trigger: 'schedule',
    });
    expect(fired.result).toEqual({ orders: [7, 8], covers: [] });
    expect(fired.logs.find(({ message }) => message === 'counted')?.fields).toMatchObject({
      shop: 'taipei',
      fireTime,
      attempt: 1,
    });
    expect(fetch.calls).toHaveLength(1);
    expect(process.env.SHOP).toBeUndefined();
  });

  test('sees what the job declared that it used', async () => {
    const options = { ...countOrders.options };
    const job = defineJob({
      ...options,
      run: (_fire, ctx) => {
        ctx.meter('shop-db', { reads: 30 });
        ctx.meter('shop-db', { reads: 12 });
      },
    });
    expect((await testFire(job, { fireTime })).metered).toEqual({ 'shop-db': { reads: 42 } });
    const silent = defineJob({ ...options, run: () => 'nothing declared' });
    expect((await testFire(silent, { fireTime })).metered).toEqual({});
  });

  test('has the pools that the job takes of', async () => {
    const weights = pools['reports-db'].capacity;
    const job = defineJob({ ...countOrders.options, pools: { 'reports-db': weights }, run: () => 'counted' });
    for (const trigger of ['schedule', 'manual'] as const) {
      const { outcomes, run } = await testFire(job, { fireTime, trigger });
      expect(outcomes).toEqual(['succeeded']);
      expect(run).toMatchObject({ state: 'succeeded', holds: { 'reports-db': weights } });
    }
  });

  test('delivers a fire twice: one run, one duplicate', async () => {
    const fetch = fakeFetch({ 'GET https://shop.example.com/orders?since=1970-01-01T00:00:00.000Z': [] });
    const { outcomes, run } = await testFire(countOrders, { fireTime, fetch, deliveries: 2 });
    expect(outcomes).toEqual(['succeeded', 'duplicate']);
    expect(run.duplicates).toBe(1);
    expect(fetch.calls).toHaveLength(1);
  });

  test('makes up a fire that stands for older ones', async () => {
    const fetch = fakeFetch({ 'GET https://shop.example.com/orders?since=1970-01-01T00:00:00.000Z': [] });
    const covers = ['2026-11-29T03:00:00Z', '2026-11-30T03:00:00Z'];
    const { run, result } = await testFire(countOrders, { fireTime, fetch, covers });
    expect(run).toMatchObject({ state: 'succeeded', trigger: 'backfill', covers: covers.map(Date.parse) });
    expect(result).toMatchObject({ covers: covers.map((cover) => new Date(cover).toISOString()) });
  });

  test('an address without an answer fails the run, and says how to give one', async () => {
    const { run, error } = await testFire(countOrders, { fireTime });
    expect(run.state).toBe('failed');
    expect(error?.message).toMatchInlineSnapshot(
      `"the test has no answer for GET https://shop.example.com/orders?since=1970-01-01T00:00:00.000Z; answered are: none. Give one: fetch: fakeFetch({ 'GET https://shop.example.com/orders?since=1970-01-01T00:00:00.000Z': … })"`,
    );
  });

  test('the faked answers are put away afterwards', async () => {
    const before = globalThis.fetch;
    await testFire(countOrders, { fireTime });
    expect(globalThis.fetch).toBe(before);
  });

  test('lets virtual time go by: the timeout aborts a job that waits', async () => {
    const waits = defineJob({
      ...countOrders.options,
      run: (_fire, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const { run } = await testFire(waits, { fireTime, elapses: '5 minutes' });
    expect(run).toMatchObject({ state: 'failed', reason: 'timed-out' });
    expect(run.settledAt).toBe(Date.parse(fireTime) + 1_000 + 5 * 60_000);
  });

  test('shows a job that ignores its abort as marked: its process would have ended', async () => {
    const ignores = defineJob({ ...countOrders.options, run: () => new Promise(() => undefined) });
    const { run, outcomes } = await testFire(ignores, { fireTime, elapses: '6 minutes' });
    expect(outcomes).toEqual(['timed-out']);
    expect(run).toMatchObject({ state: 'running', timedOutAt: Date.parse(fireTime) + 1_000 + 315_000 });
  });

  test('gives a manual run its input', async () => {
    const resend = defineJob({
      description: 'Send one invoice again',
      schedule: manual(),
      missed: 'skip',
      crashed: 'park',
      input: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
      run: (fire) => ({ sent: fire.input, trigger: fire.trigger }),
    });
    const { run, result } = await testFire(resend, {
      fireTime: '2026-12-01T10:17:23Z',
      input: { invoice: 7 },
    });
    expect(result).toEqual({ sent: { invoice: 7 }, trigger: 'manual' });
    expect(run.key).toBe('2026-12-01T10:17:23Z~manual-test');
  });

  test('a job that would not deploy is refused with all that is wrong with it', async () => {
    const broken = defineJob({
      ...countOrders.options,
      schedule: cron('0 25 * * *'),
      timezone: 'Asia/Taipai',
    });
    await expect(testFire(broken, { fireTime })).rejects.toThrowErrorMatchingInlineSnapshot(`
      [Error: the job would not deploy:
      schedule: hour: "25" is out of range (character 3 of "0 25 * * *"); allowed are 0-23, with * , - /
      timezone: "Asia/Taipai" is not in the IANA time zone database; did you mean Asia/Taipei?]
    `);
  });

  test('a fire that no alarm would start is refused, with the nearest ones', async () => {
    await expect(
      testFire(countOrders, { fireTime: '2026-12-01T04:00:00Z' }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[Error: no alarm starts a fire of 2026-12-01T04:00:00Z: the job is not due then; the fire before is 2026-12-01T03:00:00Z, the one after 2026-12-02T03:00:00Z]`,
    );
    await expect(
      testFire(countOrders, { fireTime, now: '2026-12-01T03:03:01Z' }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[Error: no alarm starts a fire of 2026-12-01T03:00:00Z: it is late at 2026-12-01T03:03:01Z; its grace is 180 s]`,
    );
    await expect(
      testFire(countOrders, { fireTime: '2026-12-01' }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[Error: fireTime: "2026-12-01" is no instant; write it with its zone: 2026-12-01T03:00:00Z or …+08:00]`,
    );
  });
});
