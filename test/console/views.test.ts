import { expect, test } from 'vitest';
import type {
  JobAnswer,
  LedgerAnswer,
  NowAnswer,
  PoolAnswer,
  RunAnswer,
  TimelineAnswer,
} from '../../functions/console/data.ts';
import { barStates } from '../../functions/console/data.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { openStates, terminalStates } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { type MemoryLedger, memoryLedger } from '../../functions/store/memory.ts';
import { pooledSales, pooledStock, ranOf, rates, sales, seedContention, stock } from '../cli/contended.ts';
import { runOf, seed } from '../cli/seeded.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { serve } from './served.ts';

/** 02:00 in Taipei; five minutes after the last of what the seed has. */
const start = at('00:00') - 6 * hour;
const now = start + 125 * minute;

async function contended(ledger: MemoryLedger = memoryLedger()) {
  await seedContention(ledger, start);
  return { ledger, ...(await serve(ledger, () => now)) };
}

const id = (job: { readonly id: string }, due: number) => `${job.id}#${toIso(due)}`;
const path = (run: string) => `/api/runs/${encodeURIComponent(run)}`;

test('now: what runs, what waits, what was, what fails, and what is next', async () => {
  const { get } = await contended();
  const answer = await get<NowAnswer>('/api/now');
  expect(answer).toMatchObject({ now: toIso(now), place: 'the test’s ledger', jobs: 5 });
  expect(answer.running.map((run) => run.id)).toEqual([id(pooledSales, start + 120 * minute)]);
  expect(answer.waiting.map((run) => run.id)).toEqual([
    id(pooledStock, start + 121 * minute),
    id(pooledStock, start + 122 * minute),
  ]);
  expect(answer.waiting[0]?.why).toContain('waits for reports-db (2) since');
  const byName = new Map(answer.health.map((one) => [one.name, one]));
  expect([...byName.keys()]).toEqual(['last sweep', 'ledger gap', 'failing', 'parked', 'waiting']);
  expect(byName.get('last sweep')).toMatchObject({ level: 'bad', value: 'there was none' });
  expect(byName.get('failing')).toMatchObject({ level: 'bad', value: '2 jobs' });
  expect(byName.get('failing')?.route).toBe(`#/runs/${encodeURIComponent(id(stock, start + 5 * minute))}`);
  expect(byName.get('waiting')).toMatchObject({ level: 'good', value: '2 runs, the first for 3 min 59 s' });
  expect(byName.get('parked')).toMatchObject({ level: 'good', value: 'no run' });
  expect(answer.next[0]).toMatchObject({ jobId: rates.id, at: toIso(start + 3 * hour), paused: false });
  const settled = answer.recent.map((run) => Date.parse(run.settledAt ?? ''));
  expect(settled).toEqual([...settled].sort((a, b) => b - a));
});

test('now: a success since, and it fails no more; what is parked is told', async () => {
  const { ledger, get } = await contended();
  await ledger.create(ranOf(stock, start + 60 * minute, { takesMs: minute }));
  await ledger.create(ranOf(sales, start + 60 * minute, { takesMs: minute }));
  const { health } = await get<NowAnswer>('/api/now');
  expect(health.find(({ name }) => name === 'failing')).toMatchObject({ level: 'good', value: 'no job' });
  const parked = memoryLedger();
  await seed(parked, at('00:00'));
  const answer = await (await serve(parked, () => at('04:00'))).get<NowAnswer>('/api/now');
  expect(answer.parked).toHaveLength(1);
  expect(answer.health.find(({ name }) => name === 'parked')).toMatchObject({ level: 'bad', value: '1 run' });
});

test('a fire of last week that a person had made up just now is of today: in Now, the timeline and its pool', async () => {
  const { ledger, get } = await contended();
  const heldMs = async () =>
    (await get<PoolAnswer>('/api/pools/reports-db')).used.find(({ jobId }) => jobId === pooledSales.id)
      ?.heldMs;
  const heldBefore = (await heldMs()) ?? 0;
  const due = start - 8 * day + 60 * minute;
  const asked = { at: now - 20 * minute, by: 'ops' };
  await ledger.log({ ...asked, verb: 'retry', jobId: pooledSales.id, run: fireKey(due) });
  const more = { state: 'failed', reason: 'error', holds: { 'reports-db': 2 }, createdAt: asked.at } as const;
  await ledger.create(ranOf(pooledSales, due, { late: asked.at - due, takesMs: 5 * minute, ...more }));
  const answer = await get<NowAnswer>('/api/now');
  expect(answer.recent[0]?.id).toBe(id(pooledSales, due));
  expect(answer.health.find(({ name }) => name === 'failing')).toMatchObject({ value: '3 jobs' });
  const { lanes } = await get<TimelineAnswer>(`/api/timeline?from=${toIso(now - hour)}&to=${toIso(now)}`);
  const bars = lanes.find(({ jobId }) => jobId === pooledSales.id)?.bars ?? [];
  expect(bars).toContainEqual([
    due / second,
    asked.at / second,
    asked.at / second + 300,
    barStates.indexOf('failed'),
  ]);
  expect(await heldMs()).toBe(heldBefore + 2 * 5 * minute);
});

test.each([
  [{ sweptAt: now - minute }, 'last sweep', 'good'],
  [{ sweptAt: now - 3 * minute }, 'last sweep', 'warn'],
  [{ sweptAt: now - 6 * minute }, 'last sweep', 'bad'],
  [{ sweptAt: now, gapSince: now - hour }, 'ledger gap', 'bad'],
] as const)('now: the reconciler at %j is %s: %s', async (standing, name, level) => {
  const ledger = memoryLedger();
  await seedContention(ledger, start);
  const { get } = await serve(ledger, () => now, { reconciler: async () => standing });
  const { health } = await get<NowAnswer>('/api/now');
  expect(health.find((one) => one.name === name)?.level).toBe(level);
});

test('before the first sweep there is nothing, and no error', async () => {
  const { get } = await serve(memoryLedger(), () => now);
  expect(await get<NowAnswer>('/api/now')).toMatchObject({ jobs: 0, running: [], next: [] });
  expect(await get<TimelineAnswer>('/api/timeline')).toMatchObject({ lanes: [], lines: [], leftOut: 0 });
  expect(await get<LedgerAnswer>('/api/ledger')).toMatchObject({ expected: 0, jobs: [] });
});

test('timeline: bars by outcome, those that run until now, marks for what never ran', async () => {
  const { get } = await contended();
  const answer = await get<TimelineAnswer>(
    `/api/timeline?from=${toIso(start - minute)}&to=${toIso(now + minute)}`,
  );
  const barsOf = (job: { readonly id: string }) =>
    answer.lanes
      .find(({ jobId }) => jobId === job.id)
      ?.bars.map(([fire, from, until, state]) => [fire, from, until, barStates[state]]);
  const s = (instant: number) => Math.floor(instant / second);
  expect(barsOf(sales)).toEqual([[s(start), s(start) + 1, s(start + 18 * minute) + 1, 'failed']]);
  expect(barsOf(pooledSales)?.at(-1)).toEqual([
    ...[s(start + 120 * minute), s(start + 120 * minute) + 1, s(now), 'running'],
  ]);
  expect(barsOf(rates)).toContainEqual([...[s(start + 5 * minute), s(start + 5 * minute), 0, 'skipped']]);
  expect(answer.pools).toEqual([
    {
      ...{ pool: 'reports-db', capacity: 3 },
      held: [
        [s(start + hour) + 1, 2],
        [s(start + hour + 12 * minute) + 1, 0],
        [s(start + hour + 12 * minute) + 2, 2],
        [s(start + hour + 16 * minute) + 4, 0],
        [s(start + 2 * hour) + 1, 2],
      ],
    },
  ]);
});

test('every state of a run has its bar', () => {
  expect([...barStates].sort()).toEqual([...openStates, ...terminalStates].sort());
});

test('timeline: the clocks’ changes and deploys are lines', async () => {
  const ledger = memoryLedger();
  const job = manifestJob({ id: 'a', schedule: cron('0 3 * * *'), timezone: 'Europe/Berlin' });
  const change = Date.parse('2027-03-28T01:00:00Z');
  await ledger.publish({ jobId: 'a', from: change + hour, specId: job.specId, spec: job.spec }, null);
  await ledger.saveManifest({ version: 1, jobs: [job] });
  const { get } = await serve(ledger, () => change + day);
  expect((await get<TimelineAnswer>('/api/timeline?from=2027-03-27T00:00:00Z')).lines).toEqual([
    { at: toIso(change), kind: 'clock', text: 'Europe/Berlin: clocks go forward, +01:00 → +02:00' },
    { at: toIso(change + hour), kind: 'deploy', text: 'schedules of 1 job changed: a' },
  ]);
});

test('timeline: what can’t be told apart at so much time a pixel is one bar that counts; what can, keeps its own', async () => {
  const ledger = memoryLedger();
  const end = at('00:00');
  const often = manifestJob({ id: 'often' });
  const seldom = manifestJob({ id: 'seldom', schedule: cron('0 * * * *') });
  await ledger.saveManifest({ version: 1, jobs: [often, seldom] });
  for (let n = 60; n > 0; n -= 1)
    await ledger.create(ranOf(often, end - n * minute, { takesMs: 20 * second }));
  await ledger.create(ranOf(often, end - 30 * minute + second, { state: 'failed', takesMs: 5 * second }));
  for (const hours of [3, 2, 1]) await ledger.create(ranOf(seldom, end - hours * hour, { takesMs: minute }));
  const { get, ask } = await serve(ledger, () => end);
  const range = `/api/timeline?from=${toIso(end - day)}&to=${toIso(end)}`;
  const barsOf = async (path: string) => (await get<TimelineAnswer>(path)).lanes.map(({ bars }) => bars);
  const [near = [], far = []] = await barsOf(`${range}&pixel=100`);
  expect(far).toHaveLength(3);
  expect([...near, ...far].map(([, , , state, runs]) => [barStates[state], runs])).toEqual([
    ...[
      ['succeeded', 20],
      ['succeeded', 20],
      ['failed', undefined],
      ['succeeded', 20],
    ],
    ...far.map(() => ['succeeded', undefined]),
  ]);
  const s = (instant: number) => Math.floor(instant / second);
  expect(near[0]).toEqual([s(end - hour), s(end - hour) + 1, s(end - 41 * minute) + 21, 0, 20]);
  expect((await barsOf(range))[0]).toHaveLength(61);
  expect(await ask(`${range}&pixel=wide`)).toMatchObject({ status: 400 });
});

test('timeline: of too many bars the newest are kept, and how many are left out is told', async () => {
  const ledger = memoryLedger();
  const jobs = ['a', 'b', 'c'].map((name) => manifestJob({ id: name }));
  const end = at('00:00');
  const count = 11_000;
  for (const job of jobs) {
    await ledger.publish({ jobId: job.id, from: end - 30 * day, specId: job.specId, spec: job.spec }, null);
    for (let n = 0; n < count; n += 1)
      await ledger.create(runOf(job, end - n * minute, { state: 'missed', settledAt: end }));
  }
  await ledger.saveManifest({ version: 1, jobs });
  const { get } = await serve(ledger, () => end);
  const answer = await get<TimelineAnswer>(
    `/api/timeline?from=${toIso(end - 10 * day)}&to=${toIso(end + 1_000)}`,
  );
  const bars = answer.lanes.flatMap((lane) => lane.bars);
  expect(bars.length).toBeGreaterThanOrEqual(30_000);
  expect(bars.length).toBeLessThan(30_000 + jobs.length);
  expect(answer.leftOut).toBe(jobs.length * count - bars.length);
  for (const lane of answer.lanes) expect(lane.bars.at(-1)?.[0]).toBe(end / second);
});

test('job: its schedule in words, its next ten fires, its days, its durations', async () => {
  const { get } = await contended();
  const answer = await get<JobAnswer>(`/api/jobs/${encodeURIComponent(sales.id)}`);
  expect(answer).toEqual(await get(`/api/jobs/${sales.id}`));
  expect(answer).toMatchObject({ id: sales.id, schedule: 'At 02:00', timezone: 'Asia/Taipei' });
  expect(answer.next).toHaveLength(10);
  expect(answer.next[0]?.local).toBe('2026-12-02 02:00 +08:00');
  expect(answer.policies.map(([name]) => name)).toContain('overlap');
  expect(answer.days).toHaveLength(90);
  expect(answer.days.at(-1)).toEqual({ date: '2026-12-01', counts: { failed: 1 } });
  expect(answer.days.at(-2)).toEqual({ date: '2026-11-30', counts: { succeeded: 1 } });
  expect(answer.durations).toHaveLength(6);
  expect(answer.durations[0]?.id).toBe(id(sales, start - 6 * day));
  expect(answer).toMatchObject({ medianMs: 4 * minute, p95Ms: 4 * minute, paused: null });
});

test('run: what fl why says, in sentences; what it used against the usual; who was beside it', async () => {
  const { get } = await contended();
  const answer = await get<RunAnswer>(path(id(stock, start + 5 * minute)));
  expect(answer.culprit).toBe(id(sales, start));
  expect(new Map(answer.facts).get('culprit')?.[0]).toContain(`Most likely ${id(sales, start)}`);
  expect(answer.error).toMatchObject({ name: 'QueueFull', message: 'reports-db refused 12 reads' });
  expect(answer.overlapping.map((run) => run.id)).toContain(id(sales, start));
  expect(answer.can).toEqual(['retry']);
  const unusual = await get<RunAnswer>(path(id(sales, start)));
  expect(unusual.attempts[0]?.bill).toContainEqual({
    ...{ name: 'reports-db: reads', value: '84,000', isUnusual: true },
    usual: '14 times as much; usually 6,000',
  });
  const waited = await get<RunAnswer>(path(id(pooledStock, start + 65 * minute)));
  expect(waited.waits[0]?.behind).toEqual([id(pooledSales, start + 60 * minute)]);
  expect(waited.record).toMatchObject({ id: waited.run.id, state: 'succeeded' });
});

test('run and job: of a job that was removed nothing can be run any more, and its past is told', async () => {
  const { get, ledger } = await contended();
  const manifest = await ledger.manifest();
  const jobs = manifest?.jobs.filter((job) => job.id !== stock.id) ?? [];
  const removed = [{ id: stock.id, timezone: stock.spec.timezone }];
  await ledger.saveManifest({ version: 1, jobs, removed });
  const run = await get<RunAnswer>(path(id(stock, start + 5 * minute)));
  expect(run).toMatchObject({ run: { state: 'failed' }, can: [] });
  const job = await get<JobAnswer>(`/api/jobs/${encodeURIComponent(stock.id)}`);
  expect(job).toMatchObject({ isDeployed: false, next: [], policies: [], paused: null });
  expect(job.recent[0]?.id).toBe(run.run.id);
});

test('pool: who has it, who waits at which place, and who used what', async () => {
  const { get } = await contended();
  const answer = await get<PoolAnswer>('/api/pools/reports-db');
  expect(answer).toMatchObject({ name: 'reports-db', capacity: 3, free: 1 });
  expect(answer.holders.map(({ run, weight }) => [run.id, weight])).toEqual([
    [id(pooledSales, start + 120 * minute), 2],
  ]);
  expect(answer.waiters).toMatchObject([
    { position: 1, weight: 2, run: { id: id(pooledStock, start + 121 * minute) } },
  ]);
  expect(answer.waiters[0]?.why).toContain('too little is left of reports-db');
  expect(answer.used[0]).toMatchObject({ jobId: pooledSales.id });
  expect(answer.used.find(({ jobId }) => jobId === sales.id)?.amounts[0]?.[0]).toBe('reads');
});

test('ledger: jobs with something missing first, and what people did', async () => {
  const ledger = memoryLedger();
  await seed(ledger, at('00:00'));
  await ledger.log({ at: at('01:00'), by: 'ops', verb: 'pause', jobId: 'reports/inventory', note: 'stock' });
  const { get } = await serve(ledger, () => at('04:00'));
  const answer = await get<LedgerAnswer>('/api/ledger');
  expect(answer).toMatchObject({ doubleRuns: 0, duplicates: 2 });
  expect(answer.missing).toContain(`billing/send-invoices#${toIso(at('02:00'))}`);
  expect(answer.jobs[0]).toMatchObject({ id: 'billing/send-invoices', missing: answer.missing.length });
  expect(answer.actions).toEqual([
    { at: toIso(at('01:00')), by: 'ops', verb: 'pause', target: 'reports/inventory', note: 'stock' },
  ]);
});
