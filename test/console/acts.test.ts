import { describe, expect, test } from 'vitest';
import { collected } from '../../functions/cli/runs-around.ts';
import { runId } from '../../functions/domain/names.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { actingFolder, rates } from '../cli/acting.ts';
import { parkedRun, seed } from '../cli/seeded.ts';
import { at } from '../support/jobs.ts';
import { serve } from './served.ts';

const now = at('04:00');

/** The console on an embedded DynamoDB beside the real reconciler, in virtual time. */
async function acting() {
  const { folder, world, turn, failed, newest } = await actingFolder(now);
  const served = await serve(folder.ledger, () => world.now, { jobsDir: 'test/console/none' });
  return { ...served, ledger: folder.ledger, world, turn, failed, newest };
}

describe('what a person presses', () => {
  test('trigger: a run by hand, which is started, and is on the log under their name', async () => {
    const { act, turn, newest, ledger, nudges } = await acting();
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
    const { act, get, failed, turn, newest } = await acting();
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
    const { act, failed, turn, newest } = await acting();
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
    const { act, newest } = await acting();
    await act('trigger', { jobId: rates.id });
    const { status, answer } = await act('cancel', { run: runId(await newest()), note: 'not now' });
    expect({ status, answer }).toMatchObject({
      status: 200,
      answer: { state: 'canceled', cancelRequested: { by: 'ops', note: 'not now' } },
    });
  });

  test('pause and resume: fires are skipped meanwhile, and made up when that is wanted', async () => {
    const { act, get, world, turn } = await acting();
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

  test('backfill: the preview names each fire and writes nothing; then they wait', async () => {
    const { act, failed, newest } = await acting();
    const run = await failed(now);
    const range = { jobId: rates.id, from: toIso(now), to: toIso(now), only: 'failed' };
    const fires = [{ at: toIso(now), local: '2026-12-01 12:00 +08:00', state: 'failed' }];
    expect(await act('backfill', { ...range, preview: true })).toEqual({
      status: 200,
      answer: { fires, left: {}, ratePerMinute: 2, begun: null },
    });
    expect((await newest()).state).toBe('failed');
    expect(await act('backfill', range)).toMatchObject({ status: 200, answer: { fires, begun: 1 } });
    expect(await newest()).toMatchObject({ key: run.key, state: 'waiting', reason: 'catch-up' });
    expect(await act('backfill', range)).toMatchObject({ status: 409 });
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

  test.each([
    ['explode', {}, 404, 'the verbs are trigger, retry'],
    ['trigger', { jobId: 'rates/pull' }, 404, 'there is no job'],
    ['trigger', { jobId: rates.id, at: '05:00' }, 400, 'at: "05:00" is not a time'],
    ['retry', { run: 'rates' }, 400, 'that names no run'],
    ['retry', { run: 'rates/pull-fx#2026-12-01T00:00:00Z', from: 'half-way' }, 404, 'there is no run'],
    ['release', { run: 'x', as: 'maybe' }, 400, 'as must be one of rerun, resume, fail'],
    ['release', { run: 'x', as: 'rerun', stepDone: 'yes' }, 400, 'stepDone must be true or false'],
    ['pause', { jobId: rates.id, until: toIso(now - minute) }, 409, 'would be over already'],
    ['backfill', { jobId: rates.id, from: toIso(now), only: 'failed' }, 400, 'from and to must be a range'],
    ['backfill', { jobId: rates.id, note: 7 }, 400, 'from and to must be a range'],
  ])('%s %j is refused with %i', async (verb, body, status, says) => {
    const { act, reports } = await acting();
    const reply = await act<{ error: string }>(verb, body);
    expect({ status: reply.status, reports }).toEqual({ status, reports: [] });
    expect(reply.answer.error).toContain(says);
  });
});
