import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as realPause } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { cron, defineJob, every, manual } from '#job';
import pools from '#pools';
import { BrokenPromise, fakeFetch, type SimulationOptions, simulateJob } from '#testing';

const post = 'POST https://billing.example.com/entries';

/** Books three entries a night, each under a key of its own. */
const nightly = defineJob({
  description: 'Book the entries of the day',
  schedule: cron('30 2 * * *'),
  timezone: 'Europe/Berlin',
  missed: 'all',
  crashed: 'park',
  async run(fire, { signal }) {
    for (const entry of [1, 2, 3]) {
      const headers = { 'idempotency-key': `${fire.id}/${entry}` };
      const response = await fetch('https://billing.example.com/entries', {
        method: 'POST',
        headers,
        signal,
      });
      await response.json();
    }
    return { localTime: fire.localTime, region: process.env.REGION };
  },
});
const { options } = nightly;

/** 02:30 is shown twice in this night: the clocks go back at 03:00. */
const autumn = { from: '2026-10-24T12:00:00Z', days: 1, seed: 7, faults: 'none' } as const;
const autumnNight = '2026-10-25T02:30:00+02:00';
const autumnFire = 'test/job#2026-10-25T00:30:00Z';

function books() {
  const book = fakeFetch({ [post]: {} });
  return { fetch: book, keys: () => book.calls.map(({ headers }) => headers['idempotency-key']) };
}

const keysOf = (run: string, ...entries: number[]) => entries.map((entry) => `${run}/${entry}`);

describe('a job in a simulated world', () => {
  test('the same seed and options come to the same, byte for byte; another seed does not', async () => {
    const simulated = (seed: number) =>
      simulateJob(nightly, { ...autumn, seed, faults: 'all', fetch: books().fetch });
    const [one, same, other] = await Promise.all([simulated(3), simulated(3), simulated(4)]);
    const told = ({ trace, ...data }: typeof one) => ({ ...data, trace: trace() });
    expect(told(same)).toEqual(told(one));
    expect(other.hash).not.toBe(one.hash);
  });

  test('undisturbed, each fire runs once, on time, and the audit is clean', async () => {
    const { fetch, keys } = books();
    const night = await simulateJob(nightly, { ...autumn, days: 3, fetch, environment: { REGION: 'north' } });
    expect(night.runs.map(({ state, result }) => ({ state, result }))).toEqual(
      ['2026-10-25T02:30:00+02:00', '2026-10-26T02:30:00+01:00', '2026-10-27T02:30:00+01:00'].map(
        (localTime) => ({ state: 'succeeded', result: { localTime, region: 'north' } }),
      ),
    );
    expect(night.audit).toMatchObject({
      expected: 3,
      recorded: 3,
      missing: [],
      doubleRuns: 0,
      duplicates: 0,
    });
    expect(night.executions.map(({ end }) => end)).toEqual(['returned', 'returned', 'returned']);
    expect(night.strikes).toEqual({});
    expect(keys()).toHaveLength(9);
  });

  test('that takes of pools has them, whatever goes wrong', async () => {
    const weights = { 'reports-db': pools['reports-db'].capacity };
    const report = defineJob({ ...options, schedule: every('1 hour'), overlap: 'allow', pools: weights });
    for (const faults of ['none', 'all'] as const) {
      const { runs, audit } = await simulateJob(report, { ...autumn, faults, fetch: books().fetch });
      expect(audit).toMatchObject({ expected: 23, recorded: 23, missing: [], doubleRuns: 0 });
      const succeeded = runs.filter(({ state }) => state === 'succeeded');
      expect(succeeded.length).toBeGreaterThan(0);
      for (const run of succeeded) expect(run.holds).toEqual(weights);
    }
  });

  test('nothing is due before the beginning, nor at the end', async () => {
    const hours = { ...options, schedule: cron('0 * * * *'), timezone: 'UTC', run: () => null };
    const { runs } = await simulateJob(defineJob(hours), { ...autumn, from: '2026-12-01T12:00:00Z' });
    expect(runs).toHaveLength(23);
    expect([runs[0]?.key, runs.at(-1)?.key]).toEqual(['2026-12-01T13:00:00Z', '2026-12-02T11:00:00Z']);
  });

  test('without a beginning the seed draws one, such that the job is due', async () => {
    const yearly = defineJob({ ...options, schedule: cron('0 9 24 12 *'), run: () => null });
    const { runs } = await simulateJob(yearly, { days: 1, seed: 7, faults: 'none' });
    expect(runs).toMatchObject([{ key: '2026-12-24T08:00:00Z', state: 'succeeded' }]);
  });
});

describe('when the clocks change', () => {
  test('a time that they skip is due once, at the first instant after it', async () => {
    const { runs } = await simulateJob(nightly, {
      ...autumn,
      from: '2026-03-28T12:00:00Z',
      fetch: books().fetch,
    });
    expect(runs).toMatchObject([{ key: '2026-03-29T01:00:00Z', state: 'succeeded' }]);
  });

  test('a time that they show twice is due once, at its first showing', async () => {
    const { runs } = await simulateJob(nightly, { ...autumn, fetch: books().fetch });
    expect(runs.map(({ key }) => key)).toEqual(['2026-10-25T00:30:00Z']);
  });
});

describe('a process that dies half-way', () => {
  test.each([
    [0, [], 'before it sent anything'],
    [2, [1, 2], 'before it heard of the second call'],
    [9, [1, 2, 3], 'at its end, before anybody knew'],
  ])('after %i calls it has sent just %j: it died %s', async (afterCalls, entries) => {
    const { fetch, keys } = books();
    const crashes = [{ fireTime: autumnNight, afterCalls }];
    const { executions } = await simulateJob(nightly, { ...autumn, fetch, crashes });
    expect(executions).toMatchObject([{ run: autumnFire, attempt: 1, end: 'killed' }]);
    expect(keys()).toEqual(keysOf(autumnFire, ...entries));
  });

  test('under park it stays parked, and nothing is done a second time', async () => {
    const { fetch, keys } = books();
    const night = await simulateJob(nightly, {
      ...autumn,
      fetch,
      crashes: [{ fireTime: autumnNight, afterCalls: 2 }],
    });
    expect(night.runs).toMatchObject([{ state: 'parked', reason: 'crashed', crashes: 1 }]);
    expect(night.audit.states.parked).toBe(1);
    expect(keys()).toEqual(keysOf(autumnFire, 1, 2));
  });

  test('under park a person may have it run again, or call it failed', async () => {
    const crashes = [{ fireTime: autumnNight }];
    const decided = async (parked: 'rerun' | 'fail') =>
      (await simulateJob(nightly, { ...autumn, fetch: books().fetch, crashes, parked })).runs;
    expect(await decided('rerun')).toMatchObject([{ state: 'succeeded', released: { as: 'rerun' } }]);
    expect(await decided('fail')).toMatchObject([{ state: 'failed', released: { as: 'fail' } }]);
  });

  test('under rerun it runs again when its lease is over, under the same fire.id', async () => {
    const { fetch, keys } = books();
    const again = defineJob({ ...options, crashed: 'rerun' });
    const night = await simulateJob(again, {
      ...autumn,
      fetch,
      crashes: [{ fireTime: autumnNight, afterCalls: 2 }],
    });
    expect(night.runs).toMatchObject([{ state: 'succeeded', crashes: 1 }]);
    const [first, second] = night.executions;
    expect([first, second]).toMatchObject([{ end: 'killed' }, { attempt: 2, end: 'returned' }]);
    const leaseUntil = night.runs[0]?.attempts[0]?.leaseUntil;
    expect(second?.beganAt).toBeGreaterThan(leaseUntil ?? Number.POSITIVE_INFINITY);
    expect(keys()).toEqual(keysOf(autumnFire, 1, 2, 1, 2, 3));
  });

  test('is dead also if its code was about to fail', async () => {
    const fails = defineJob({ ...options, run: () => Promise.reject(new Error('refused')) });
    const crashes = [{ fireTime: autumnNight, afterCalls: 1 }];
    const { runs, executions } = await simulateJob(fails, { ...autumn, crashes });
    expect(executions).toMatchObject([{ end: 'killed' }]);
    expect(runs).toMatchObject([{ state: 'parked', reason: 'crashed' }]);
  });

  test('three times in a row, it fails', async () => {
    const again = defineJob({ ...options, crashed: 'rerun' });
    const crashes = [1, 2, 3].map((attempt) => ({ fireTime: autumnNight, attempt }));
    const { runs } = await simulateJob(again, { ...autumn, fetch: books().fetch, crashes });
    expect(runs).toMatchObject([{ state: 'failed', reason: 'crashed', crashes: 3 }]);
  });
});

describe('nights on which everything stood still', () => {
  const outages = [{ from: '2026-10-24T20:00:00Z', to: '2026-10-27T09:00:00Z' }];
  const away = { ...autumn, days: 4, outages } as const;

  test('under latest are made up once, by a run that covers the older ones', async () => {
    const covered: string[][] = [];
    const latest = defineJob({
      ...options,
      missed: 'latest',
      run: ({ covers }) => covered.push(covers.map((due) => due.toISOString())),
    });
    const { runs, audit } = await simulateJob(latest, away);
    expect(runs.map(({ state, reason, trigger }) => reason ?? `${state} ${trigger}`)).toEqual([
      'superseded',
      'superseded',
      'succeeded backfill',
      'succeeded schedule',
    ]);
    expect(covered).toEqual([['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'], []]);
    expect(audit).toMatchObject({ expected: 4, recorded: 4 });
  });

  test('under all are made up one by one, each on its own', async () => {
    const { fetch, keys } = books();
    const { executions, runs } = await simulateJob(nightly, { ...away, fetch });
    expect(executions.map(({ trigger }) => trigger)).toEqual([
      'backfill',
      'backfill',
      'backfill',
      'schedule',
    ]);
    expect(keys()).toEqual(executions.flatMap(({ run }) => keysOf(run, 1, 2, 3)));
    expect(new Set(executions.map(({ run }) => run)).size).toBe(runs.length);
  });

  test('under skip are written down, and nothing runs', async () => {
    const { runs, executions } = await simulateJob(defineJob({ ...options, missed: 'skip' }), {
      ...away,
      fetch: books().fetch,
    });
    expect(runs.slice(0, 3)).toMatchObject(Array(3).fill({ state: 'missed', reason: 'policy' }));
    expect(executions).toHaveLength(1);
  });
});

describe('what job code awaits', () => {
  test('its calls take virtual time, one after the other or at once; bodies and earlier successes are there', async () => {
    const job = defineJob({
      ...options,
      async run(_fire, ctx) {
        const left = ctx.remainingMs();
        const addresses = ['https://a.example.com/', 'https://b.example.com/', 'https://c.example.com/'];
        const bodies = await Promise.all(addresses.map(async (url) => (await fetch(new URL(url))).text()));
        const before = await ctx.previous();
        return {
          sizes: bodies.map(({ length }) => length),
          tookMs: left - ctx.remainingMs(),
          before: before?.fireTime.toISOString() ?? null,
        };
      },
    });
    const fetch = fakeFetch({
      'GET https://a.example.com/': 'a',
      'GET https://b.example.com/': 'b'.repeat(100_000),
      'GET https://c.example.com/': () => new Response(new Blob(['c']).stream()),
    });
    const { runs } = await simulateJob(job, { ...autumn, days: 2, fetch });
    const [first, second] = runs.map(({ result }) => result as { sizes: number[]; tookMs: number });
    expect(first?.sizes).toEqual([1, 100_000, 1]);
    expect(first?.tookMs).toBeGreaterThan(0);
    expect(first?.tookMs).toBeLessThanOrEqual(1_000);
    expect(second).toMatchObject({ before: '2026-10-25T00:30:00.000Z' });
  });

  describe('through node:http, as the AWS SDK', () => {
    const served: string[] = [];
    const server = createServer((request, response) => {
      served.push(`${request.method} ${request.url}`);
      response.end(request.method === 'POST' ? '{}' : 'served');
    });
    let origin = '';
    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterEach(() => served.splice(0));
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });

    const reads = defineJob({
      ...options,
      crashed: 'rerun',
      async run(_fire, { signal }) {
        const bodies: string[] = [];
        for (const path of ['/1', '/2', '/3']) {
          const [response] = await once(request(`${origin}${path}`, { signal }).end(), 'response');
          bodies.push(await text(response));
        }
        return bodies;
      },
    });

    test('are calls too, between which it may die', async () => {
      const crashes = [{ fireTime: autumnNight, afterCalls: 2 }];
      const { runs, executions, trace } = await simulateJob(reads, { ...autumn, crashes });
      expect(executions.map(({ end }) => end)).toEqual(['killed', 'returned']);
      expect(runs).toMatchObject([{ state: 'succeeded', result: ['served', 'served', 'served'] }]);
      expect(served).toEqual(['/1', '/2', '/1', '/2', '/3'].map((path) => `GET ${path}`));
      expect(trace(autumnFire)).toContain(`code calls GET ${origin}/1`);
    });

    test('those of ctx.dynamo among them; what the code declares is on the bill of its attempt', async () => {
      const writes = defineJob({
        ...options,
        crashed: 'rerun',
        async run(fire, ctx) {
          for (const entry of [1, 2]) {
            await ctx.dynamo.send(
              new PutCommand({ TableName: 'entries', Item: { id: `${fire.id}/${entry}` } }),
            );
            ctx.meter('entries', { written: 1 });
          }
        },
      });
      const environment = {
        AWS_ENDPOINT_URL: origin,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
      };
      const crashes = [{ fireTime: autumnNight, afterCalls: 2 }];
      const { runs } = await simulateJob(writes, { ...autumn, crashes, environment });
      expect(served).toEqual(Array.from({ length: 4 }, () => 'POST /'));
      expect(runs).toMatchObject([{ state: 'succeeded', attempts: [{ outcome: 'crashed' }, {}] }]);
      const [crashed, second] = runs[0]?.attempts ?? [];
      expect(crashed).not.toHaveProperty('bill');
      expect(second?.bill?.metered).toEqual({ entries: { written: 2 } });
    });

    test('may fail, and may never be answered', async () => {
      const often = defineJob({ ...reads.options, schedule: cron('*/10 * * * *') });
      const { runs, strikes } = await simulateJob(often, {
        ...autumn,
        faults: ['failing-body', 'slow-body'],
        codeTakes: '0 seconds',
      });
      expect(Object.keys(strikes)).toEqual(['slow-body', 'failing-body']);
      const errors = new Set(runs.map(({ state, error }) => error?.name ?? state));
      expect(errors).toEqual(new Set(['succeeded', 'TypeError', 'TimeoutError']));
    });
  });

  test('what is real takes no virtual time, however long it is', async () => {
    const job = defineJob({
      ...options,
      async run(_fire, ctx) {
        const left = ctx.remainingMs();
        for (const ms of [50, 300]) await realPause(ms);
        return left - ctx.remainingMs();
      },
    });
    // A timer of somebody else's, which is over before the code is.
    void realPause(20);
    expect((await simulateJob(job, autumn)).runs).toMatchObject([{ state: 'succeeded', result: 0 }]);
  });

  test('code that waits for its abort is aborted at its timeout, and code that ignores it is killed', async () => {
    const until = (isDeaf: boolean) =>
      defineJob({
        ...options,
        run: (_fire, { signal }) =>
          new Promise((_resolve, reject) => {
            if (!isDeaf) signal.addEventListener('abort', () => reject(signal.reason));
          }),
      });
    const waits = await simulateJob(until(false), autumn);
    expect(waits.runs).toMatchObject([{ state: 'failed', reason: 'timed-out' }]);
    expect(waits.executions).toMatchObject([{ end: 'threw' }]);
    const deaf = await simulateJob(until(true), autumn);
    expect(deaf.runs).toMatchObject([{ state: 'failed', reason: 'timed-out' }]);
    expect(deaf.executions).toMatchObject([{ end: 'killed' }]);
  });

  test('code that takes longer than its timeout is aborted', async () => {
    const { runs } = await simulateJob(nightly, { ...autumn, fetch: books().fetch, codeTakes: '6 minutes' });
    expect(runs).toMatchObject([{ state: 'failed', reason: 'timed-out' }]);
  });
});

describe('faults', () => {
  const quarters = { ...options, schedule: cron('*/15 * * * *'), crashed: 'rerun', timezone: 'UTC' } as const;

  test('a call that nobody answers ends with the signal it was given; without one the process is ended', async () => {
    const deaf = defineJob({ ...quarters, run: async () => (await fetch('https://a.example.com/')).text() });
    const hears = defineJob({
      ...quarters,
      run: async (_fire, { signal }) => (await fetch('https://a.example.com/', { signal })).text(),
    });
    const slow = (job: typeof deaf) =>
      simulateJob(job, {
        ...autumn,
        faults: ['slow-body'],
        fetch: fakeFetch({ 'GET https://a.example.com/': 'a' }),
        codeTakes: '0 seconds',
      });
    const endsOf = async (job: typeof deaf) => new Set((await slow(job)).executions.map(({ end }) => end));
    expect(await endsOf(hears)).toEqual(new Set(['returned', 'threw']));
    expect(await endsOf(deaf)).toEqual(new Set(['returned', 'threw', 'killed']));
  });

  test('those that are named may strike, and no others', async () => {
    const faults = ['crash-in-body', 'lost-delivery'] as const;
    const fetch = books().fetch;
    const { strikes, executions } = await simulateJob(defineJob(quarters), { ...autumn, faults, fetch });
    expect(Object.keys(strikes).sort()).toEqual([...faults]);
    expect(executions.filter(({ end }) => end === 'killed')).toHaveLength(strikes['crash-in-body'] ?? 0);
  });

  const fresh = Math.floor(Math.random() * 1_000_000);
  test.each([1, 2, fresh])('whatever goes wrong, each fire has its one record (seed %i)', async (seed) => {
    const job = defineJob({ ...quarters, missed: 'latest' });
    const { audit, runs } = await simulateJob(job, { days: 1, seed, fetch: books().fetch });
    expect(audit).toMatchObject({ expected: audit.recorded, missing: [], doubleRuns: 0 });
    expect(runs.length).toBeGreaterThan(90);
  });
});

describe('simulations in one process', () => {
  test('come one after the other, and put back what they found', async () => {
    const job = defineJob({ ...options, run: () => process.env.REGION });
    const found = globalThis.fetch;
    const regions = ['north', 'south'].map((REGION) =>
      simulateJob(job, { ...autumn, environment: { REGION } }),
    );
    const results = (await Promise.all(regions)).map(({ runs }) => runs[0]?.result);
    expect(results).toEqual(['north', 'south']);
    expect(globalThis.fetch).toBe(found);
    expect(process.env.REGION).toBeUndefined();
  });

  test('one that is refused does not stop the next', async () => {
    const refused = simulateJob(nightly, { ...autumn, days: 0 });
    const next = simulateJob(nightly, { ...autumn, fetch: books().fetch });
    await expect(refused).rejects.toThrow('days');
    expect((await next).runs).toHaveLength(1);
  });
});

describe('what happened is told', () => {
  test('of one run, line by line, with its calls', async () => {
    const { trace } = await simulateJob(nightly, {
      ...autumn,
      fetch: books().fetch,
      crashes: [{ fireTime: autumnNight, afterCalls: 1 }],
    });
    const lines = trace(autumnFire).split('\n');
    const story = lines.map((line) => line.split('  ').slice(1).join(': '));
    expect(story).toEqual(
      expect.arrayContaining([
        'test/job (sandbox 1): code begins (attempt 1)',
        `test/job (sandbox 1): code calls ${post}`,
        'test/job (sandbox 1): code is killed',
      ]),
    );
    expect(lines[0]).toMatch(/^2026-10-25T00:30:0\d\.\d{3}Z {2}/);
    expect(trace()).toContain('died: crash');
  });
});

test('a broken promise of fireledger’s names the promise, the run and the seed, and tells what happened', () => {
  const violation = {
    invariant: 'one-success',
    at: Date.parse('2026-10-25T00:30:00Z'),
    run: autumnFire,
    what: 'two',
  };
  const broken = new BrokenPromise(violation, {
    seed: 7,
    trace: '2026-10-25T00:30:00.000Z  ledger  succeeded',
  });
  expect(broken).toMatchObject({ name: 'BrokenPromise', seed: 7, violation });
  expect(broken.message).toMatchInlineSnapshot(`
    "one-success at 2026-10-25T00:30:00Z: test/job#2026-10-25T00:30:00Z two
    fireledger broke its promise; the job is not to blame. Seed 7 and the same options do it again.
    2026-10-25T00:30:00.000Z  ledger  succeeded"
  `);
});

describe('what can’t be simulated is refused', () => {
  const refusals: readonly [string, Partial<SimulationOptions>, string][] = [
    ['days', { days: 0.5 }, 'days: 0.5 is out of range; allowed are whole numbers from 1 to 366'],
    ['a seed', { seed: -1 }, 'seed: -1 is out of range; allowed are whole numbers from 0 to 4294967295'],
    ['a beginning', { from: '2026-10-24' }, 'from: "2026-10-24" is no instant'],
    [
      'a crash of no fire',
      { crashes: [{ fireTime: '2026-10-25T02:30:00+01:00' }] },
      'crashes.fireTime: the job is not due at 2026-10-25T01:30:00Z, or that is not between 2026-10-24T12:00:00Z and 2026-10-25T12:00:00Z; the fire before is 2026-10-25T00:30:00Z, the one after 2026-10-26T01:30:00Z',
    ],
    [
      'a crash that can’t come about',
      { crashes: [{ fireTime: autumnNight, attempt: 2 }] },
      'crashes: attempt 2 of 2026-10-25T00:30:00Z never began',
    ],
    [
      'an outage that ends too late',
      { outages: [{ from: '2026-10-25T00:00:00Z', to: '2026-10-26T00:00:00Z' }] },
      'outages: 2026-10-25T00:00:00Z to 2026-10-26T00:00:00Z is no stretch of time between',
    ],
    [
      'how long code takes',
      { codeTakes: 'a minute' as '1 minute' },
      'codeTakes: "a minute" is not a duration',
    ],
    [
      'a fault that does not exist',
      { faults: ['crash-in-bodie' as 'crash-in-body'] },
      'faults: "crash-in-bodie" is none; did you mean "crash-in-body"?',
    ],
    [
      'a fault of deploys',
      { faults: ['rollback' as 'crash-in-body'] },
      'faults: "rollback" can\'t strike here: there is one version of the job',
    ],
  ];
  test.each(refusals)('%s', async (_what, wrong, message) => {
    const simulated = simulateJob(nightly, { ...autumn, fetch: books().fetch, ...wrong });
    await expect(simulated).rejects.toThrow(message);
  });

  test('a job that would not deploy', async () => {
    const untold = defineJob({ ...options, description: '' });
    await expect(simulateJob(untold, autumn)).rejects.toThrow('the job would not deploy:\ndescription');
  });

  test('a job that is not due in that time', async () => {
    const yearly = defineJob({ ...options, schedule: cron('0 9 24 12 *') });
    await expect(simulateJob(yearly, autumn)).rejects.toThrow('its next fire is 2026-12-24T08:00:00Z');
    const never = defineJob({ ...options, schedule: manual() });
    await expect(simulateJob(never, autumn)).rejects.toThrow('and never after');
  });
});
