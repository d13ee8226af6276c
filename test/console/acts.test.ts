import { describe, expect, test } from 'vitest';
import { collected } from '../../functions/cli/runs-around.ts';
import type { BackfillAnswer, JobAnswer, RunAnswer } from '../../functions/console/data.ts';
import { runId } from '../../functions/domain/names.ts';
import { neverNeedsAttention } from '../../functions/domain/run.ts';
import { day, minute, second, toIso } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { rates } from '../cli/acting.ts';
import { attemptOf, inventory, invoices, parkedRun, runOf, seed } from '../cli/seeded.ts';
import { at } from '../support/jobs.ts';
import { acting } from './acting.ts';
import { serve } from './served.ts';

const now = at('04:00');

describe('what a person presses', () => {
  test('trigger: a run by hand, which is started, and is on the log under their name', async () => {
    const { act, turn, newest, ledger, nudges } = await acting(now);
    const { status, answer } = await act('trigger', { jobId: rates.id, input: { day: 1 }, note: 'again' });
    expect({ status, answer }).toMatchObject({
      status: 200,
      answer: {
        jobId: rates.id,
        state: 'waiting',
        trigger: 'manual',
        requested: { by: 'ops', note: 'again' },
      },
    });
    expect(nudges).toHaveLength(1);
    await turn();
    expect(await newest()).toMatchObject({ state: 'succeeded', input: { day: 1 } });
    const [action] = await collected(ledger.actions({ from: 0, to: now + minute }));
    expect(action).toMatchObject({ verb: 'trigger', by: 'ops', note: 'again' });
  });

  test('retry: what failed runs once more, and it is told which verbs make sense', async () => {
    const { act, get, failed, turn, newest } = await acting(now);
    const run = await failed(now);
    const path = `/api/runs/${encodeURIComponent(runId(run))}`;
    expect(await get(path)).toMatchObject({ can: ['retry'], run: { state: 'failed' } });
    expect((await act('retry', { run: runId(run), from: 'beginning' })).status).toBe(200);
    expect(await get(path)).toMatchObject({ can: ['cancel'], run: { state: 'waiting' } });
    await turn();
    expect(await newest()).toMatchObject({ key: run.key, state: 'succeeded' });
    expect(await get(path)).toMatchObject({
      can: [],
      attempts: [{ outcome: 'failed' }, { outcome: 'succeeded' }],
    });
  });

  test('what can’t be done is refused with why, and nothing is written', async () => {
    const { act, failed, turn, newest } = await acting(now);
    const run = await failed(now);
    expect(await act('release', { run: runId(run), as: 'rerun' })).toEqual({
      status: 409,
      answer: { error: `${runId(run)} is failed; only a parked run waits for a person's decision` },
    });
    await act('retry', { run: runId(run) });
    await turn();
    const again = await act('retry', { run: runId(run) });
    expect(again).toMatchObject({ status: 409, answer: { error: expect.stringContaining('has succeeded') } });
    expect((await newest()).attempts).toHaveLength(2);
  });

  test('cancel: what waits is ended at once', async () => {
    const { act, newest } = await acting(now);
    await act('trigger', { jobId: rates.id });
    const { status, answer } = await act('cancel', { run: runId(await newest()), note: 'not now' });
    expect({ status, answer }).toMatchObject({
      status: 200,
      answer: { state: 'canceled', cancelRequested: { by: 'ops', note: 'not now' } },
    });
  });

  test('pause and resume: fires are skipped meanwhile, and made up when that is wanted', async () => {
    const { act, get, world, turn } = await acting(now);
    const paused = await act('pause', {
      jobId: rates.id,
      until: toIso(now + 60 * minute),
      note: 'stock-taking',
    });
    expect(paused).toEqual({
      status: 200,
      answer: {
        jobId: rates.id,
        paused: { at: toIso(now), by: 'ops', note: 'stock-taking', until: toIso(now + 60 * minute) },
      },
    });
    expect(await get(`/api/jobs/${rates.id}`)).toMatchObject({
      paused: { by: 'ops' },
      next: expect.arrayContaining([expect.objectContaining({ at: toIso(now + minute), paused: true })]),
    });
    world.now += 8 * minute;
    await turn();
    const { answer } = await act('resume', { jobId: rates.id, catchUp: true });
    expect(answer).toMatchObject({ jobId: rates.id, was: { by: 'ops' } });
    expect(answer.madeUp).toBe(answer.skipped);
    expect(answer.madeUp).toBeGreaterThan(0);
    expect(await act('resume', { jobId: rates.id })).toMatchObject({ status: 409 });
  });

  test('backfill: the preview names each fire and writes nothing; then they wait, and it is told how far it is', async () => {
    const { act, get, turn, failed, newest } = await acting(now);
    const run = await failed(now);
    const range = { jobId: rates.id, from: toIso(now), to: toIso(now), only: 'failed' };
    const local = '2026-12-01 12:00 +08:00';
    const fires = [{ at: toIso(now), local, state: 'failed' }];
    const { answer: preview } = await act<BackfillAnswer>('backfill', range);
    expect(preview).toEqual({
      ...{ from: toIso(now), to: toIso(now), local: [local, local], fingerprint: preview.fingerprint },
      ...{ fires, left: {}, ratePerMinute: 2, begun: null },
    });
    expect((await newest()).state).toBe('failed');
    const begin = { ...range, previewed: preview.fingerprint };
    expect(await act('backfill', { ...begin, note: 'the bank is back' })).toMatchObject({
      status: 200,
      answer: { fires, begun: 1 },
    });
    expect(await newest()).toMatchObject({ key: run.key, state: 'waiting', reason: 'catch-up' });
    const path = `/api/jobs/${rates.id}`;
    const progress = { by: 'ops', note: 'the bank is back', only: 'failed', fires: 1, isFed: false };
    expect((await get<JobAnswer>(path)).backfill).toMatchObject({ ...progress, states: { waiting: 1 } });
    await turn();
    expect((await get<JobAnswer>(path)).backfill).toMatchObject({ ...progress, states: { succeeded: 1 } });
  });

  test('backfill: what begins is what was previewed, or nothing', async () => {
    const { act, failed, newest, ledger } = await acting(now);
    const run = await failed(now);
    const range = { jobId: rates.id, from: toIso(now), to: toIso(now), only: 'failed' };
    const { answer } = await act<BackfillAnswer>('backfill', range);
    const previewed = answer.fingerprint;
    const refused = {
      status: 409,
      answer: { error: expect.stringContaining('not what the preview showed any more') },
    };
    const earlier = { ...range, from: toIso(now - 10 * minute), only: 'all' };
    expect(await act('backfill', { ...earlier, previewed })).toMatchObject(refused);
    await act('retry', { run: runId(run) });
    expect(await act('backfill', { ...range, previewed })).toMatchObject(refused);
    expect(await newest()).toMatchObject({ reason: 'slot', trigger: 'schedule' });
    const verbs = (await collected(ledger.actions({ from: 0, to: now + minute }))).map(({ verb }) => verb);
    expect(verbs).toEqual(['retry']);
  });

  test('backfill: the newest first are handed over one by one, and stopped what waits is taken back', async () => {
    const naps: (() => void)[] = [];
    const sleep = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        naps.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      });
    const { act, get, failed, world } = await acting(now, { sleep });
    await failed(now);
    world.now += minute;
    await failed(now + minute);
    const range = { jobId: rates.id, from: toIso(now), to: toIso(now + minute), only: 'failed' };
    const { answer } = await act<BackfillAnswer>('backfill', range);
    const begin = { ...range, previewed: answer.fingerprint, order: 'newest', rate: 1 };
    expect(await act('backfill', begin)).toMatchObject({ status: 200, answer: { begun: 2 } });
    const backfill = async () => (await get<JobAnswer>(`/api/jobs/${rates.id}`)).backfill;
    await expect.poll(backfill).toMatchObject({ fires: 2, isFed: true, states: { waiting: 1 } });
    expect(await act('backfill', begin)).toMatchObject({ status: 409 });
    const at = (await backfill())?.at ?? '';
    expect(await act('withdraw', { jobId: rates.id, at })).toEqual({
      status: 200,
      answer: { withdrawn: 1 },
    });
    expect(await backfill()).toMatchObject({ isFed: false, states: { canceled: 1 }, problem: null });
    expect(naps).toHaveLength(1);
    expect(await act('withdraw', { jobId: rates.id, at })).toMatchObject({ status: 409 });
    expect(await act('withdraw', { jobId: rates.id, at: toIso(0) })).toMatchObject({ status: 409 });
  });

  test('times without a zone are the job’s: those of a pause, a start by hand and a range', async () => {
    const { act, newest } = await acting(now);
    const { answer } = await act('pause', { jobId: rates.id, until: '2026-12-01T13:00' });
    expect(answer).toMatchObject({ paused: { until: '2026-12-01T05:00:00Z' } });
    const { answer: started } = await act('trigger', { jobId: rates.id, at: '11:00' });
    expect(started.warnings).toEqual([expect.stringContaining('the fire of its schedule')]);
    const range = { jobId: rates.id, from: '2026-12-01 10:00', to: '11:59', only: 'all' };
    expect((await act('backfill', range)).answer).toMatchObject({
      from: '2026-12-01T02:00:00Z',
      to: '2026-12-01T03:59:00Z',
      local: ['2026-12-01 10:00 +08:00', '2026-12-01 11:59 +08:00'],
    });
    expect((await newest()).fireTime).toBe(at('03:00'));
  });

  test.each([
    [
      'backfill',
      { from: '2026-11-01 01:30', to: '2026-11-01 01:30', only: 'all' },
      { from: '2026-11-01T05:30:00Z', to: '2026-11-01T06:30:00Z' },
    ],
    [
      'backfill',
      { from: '2026-03-08 02:30', to: '2026-03-09', only: 'all' },
      {
        error: 'from: there is no 2026-03-08 02:30 in America/New_York: no such date, or the clock skips it',
      },
    ],
    [
      'trigger',
      { at: '2026-11-01 01:30' },
      {
        error:
          'at 2026-11-01 01:30: the clock shows that time twice; name one by its UTC time: 2026-11-01T05:30:00Z or 2026-11-01T06:30:00Z',
      },
    ],
    [
      'pause',
      { until: '2027-03-14T02:30' },
      {
        error: 'until: there is no 2027-03-14T02:30 in America/New_York: no such date, or the clock skips it',
      },
    ],
  ])('%s %j, where the clocks change: %j', async (verb, body, says) => {
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    const { act } = await serve(ledger, () => now);
    expect((await act(verb, { jobId: inventory.id, ...body })).answer).toMatchObject(says);
  });

  test('redrive: what could not be read is counted, sent back, and on the log', async () => {
    const queue = [3];
    const unreadable = { count: async () => queue[0] ?? 0, redrive: async () => void queue.pop() };
    const { act, ledger } = await acting(now, { unreadable });
    const counted = { status: 200, answer: { messages: 3, isSentBack: false } };
    expect(await act('redrive', { dryRun: true })).toEqual(counted);
    expect(await act('redrive', { note: 'read since 1.4.2' })).toEqual({
      status: 200,
      answer: { messages: 3, isSentBack: true },
    });
    expect(await act('redrive', {})).toMatchObject({
      status: 409,
      answer: { error: expect.stringContaining('no message') },
    });
    const [line] = await collected(ledger.actions({ from: 0, to: now + minute }));
    expect(line).toMatchObject({
      verb: 'redrive',
      by: 'ops',
      note: 'read since 1.4.2',
      details: { messages: 3 },
    });
    const alone = await acting(now);
    expect(await alone.act('redrive', {})).toMatchObject({ status: 409 });
  });

  test('release: a parked run is decided about', async () => {
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    const { act, get } = await serve(ledger, () => now);
    const id = runId(parkedRun(at('01:00')));
    expect(await get(`/api/runs/${encodeURIComponent(id)}`)).toMatchObject({
      can: ['cancel', 'release-rerun', 'release-resume', 'release-fail'],
    });
    expect(await act('release', { run: id, as: 'fail', note: 'paid by hand' })).toMatchObject({
      status: 200,
      answer: { state: 'failed', released: { as: 'fail', by: 'ops' } },
    });
  });

  test('release: what a person says of an uncertain step, and what it returned, goes on its record', async () => {
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    const due = at('02:00');
    const parked = { state: 'parked', reason: 'uncertain-step', uncertain: 'charge', restarts: 0 } as const;
    await ledger.create(runOf(invoices, due, { ...parked, attentionAt: neverNeedsAttention }));
    const { act, get } = await serve(ledger, () => now);
    const id = `${invoices.id}#${toIso(due)}`;
    expect(await get(`/api/runs/${encodeURIComponent(id)}`)).toMatchObject({ uncertain: 'charge' });
    const said = { run: id, as: 'resume', stepDone: true, result: { receipt: '7f3a' }, note: 'looked' };
    expect(await act('release', said)).toMatchObject({ status: 200, answer: { state: 'waiting' } });
    const answer = await get<RunAnswer>(`/api/runs/${encodeURIComponent(id)}`);
    expect(answer.steps).toMatchObject([{ name: 'charge', state: 'done', result: '{"receipt":"7f3a"}' }]);
  });

  test('a pause tells how many fires it has skipped that could be made up', async () => {
    const { act, get, world, turn } = await acting(now);
    await act('pause', { jobId: rates.id });
    world.now += 8 * minute;
    await turn();
    const { paused } = await get<JobAnswer>(`/api/jobs/${rates.id}`);
    const { answer } = await act<{ madeUp: number }>('resume', { jobId: rates.id, catchUp: true });
    expect(paused?.skipped).toBe(answer.madeUp);
  });

  test('a resume tells that the pause is over, though more fires were skipped than are made up at once', async () => {
    const ledger = memoryLedger();
    const since = now - 10_001 * minute;
    await ledger.publish(
      { jobId: rates.id, from: since - day, specId: rates.specId, spec: rates.spec },
      null,
    );
    await ledger.saveManifest({ version: 1, jobs: [rates] });
    await ledger.setPause(rates.id, { at: since, by: 'ops', note: '' });
    for (let fire = since; fire <= now; fire += minute)
      await ledger.create(runOf(rates, fire, { state: 'skipped', reason: 'paused', settledAt: fire }));
    const { act } = await serve(ledger, () => now);
    const { status, answer } = await act('resume', { jobId: rates.id, catchUp: true });
    expect(status).toBe(400);
    expect(answer.error).toMatch(
      /^rates\/pull-fx is resumed, and none of the fires is made up .*at most 10000/,
    );
    expect((await ledger.job(rates.id))?.paused).toBeUndefined();
  });

  test('how long a run of less than a second took is told to the millisecond', async () => {
    const ledger = memoryLedger();
    await seed(ledger, at('00:00'));
    const ended = { settledAt: at('02:00') + 2_340, outcome: 'succeeded' } as const;
    const attempts = [attemptOf(1, at('02:00') + second + 500, ended)];
    await ledger.create(runOf(invoices, at('02:00'), { attempts, settledAt: ended.settledAt }));
    const { get } = await serve(ledger, () => now);
    const id = encodeURIComponent(`${invoices.id}#${toIso(at('02:00'))}`);
    expect(await get(`/api/runs/${id}`)).toMatchObject({ run: { tookMs: 840 }, attempts: [{ tookMs: 840 }] });
  });

  test.each([
    ['explode', {}, 404, 'the verbs are trigger, retry'],
    ['trigger', { jobId: 'rates/pull' }, 404, 'there is no job'],
    ['trigger', { jobId: rates.id, at: 'noon' }, 400, 'at: "noon" is not a time'],
    ['retry', { run: 'rates' }, 400, 'that names no run'],
    ['retry', { run: 'rates/pull-fx#2026-12-01T00:00:00Z', from: 'half-way' }, 404, 'there is no run'],
    ['release', { run: 'x', as: 'maybe' }, 400, 'as must be one of rerun, resume, fail'],
    ['release', { run: 'x', as: 'rerun', stepDone: 'yes' }, 400, 'stepDone must be true or false'],
    ['pause', { jobId: rates.id, until: toIso(now - minute) }, 409, 'would be over already'],
    ['release', { run: 'x', as: 'rerun', result: 7 }, 400, 'it goes with stepDone: true'],
    ['backfill', { jobId: rates.id, from: toIso(now), only: 'failed' }, 400, 'to must be a text'],
    [
      'backfill',
      { jobId: rates.id, from: toIso(now), to: toIso(now - minute), only: 'failed' },
      400,
      'from 2026-12-01 12:00 +08:00 is after to 2026-12-01 11:59 +08:00',
    ],
    ['backfill', { jobId: rates.id, from: '03:00', to: '04:00', only: 'all', rate: 0 }, 400, 'rate must be'],
    ['backfill', { jobId: rates.id, preview: true }, 400, 'there is no field "preview"'],
  ])('%s %j is refused with %i', async (verb, body, status, says) => {
    const { act, reports } = await acting(now);
    const reply = await act<{ error: string }>(verb, body);
    expect({ status: reply.status, reports }).toEqual({ status, reports: [] });
    expect(reply.answer.error).toContain(says);
  });
});
