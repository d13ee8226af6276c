import { describe, expect, test } from 'vitest';
import { runId } from '../../functions/domain/names.ts';
import { neverNeedsAttention, type Run } from '../../functions/domain/run.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed } from '../support/reconciler.ts';
import { actingFolder, rates } from './acting.ts';
import { attemptOf, runOf } from './seeded.ts';

const now = at('03:00:20');
const fireTime = at('03:00');

describe('fl retry', () => {
  test('runs once more what failed, as the same run, and says who wanted it and why', async () => {
    const { fl, failed, newest } = await actingFolder(now);
    const run = await failed(fireTime);
    expect(await fl(`retry ${rates.id} 11:00 --note the_bank_is_back`)).toEqual({
      code: 0,
      out: `${runId(run)} is to run; it starts at once, or as soon as its slot and its pools are free.\n`,
      err: '',
    });
    const requested = { at: now, by: 'ops', note: 'the bank is back' };
    expect(await newest()).toMatchObject({ key: run.key, state: 'waiting', reason: 'slot', requested });
    const shown = await fl(`show ${runId(run)}`);
    expect(shown.out).toContain('ops asked to have it run once more: the bank is back');
    expect(await fl(`retry ${runId(run)}`)).toMatchObject({
      code: 2,
      err: `fl: ${runId(run)} is waiting: it runs, or will\n`,
    });
  });

  test('--wait ends as the run does', async () => {
    const { fl, failed, newest } = await actingFolder(now);
    const run = await failed(fireTime);
    const { code, out } = await fl(`retry ${runId(run)} --wait`);
    expect({ code, out }).toEqual({ code: 0, out: `${runId(run)} succeeded\n` });
    expect((await newest()).attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
  });

  test.each([
    ['canceled', { reason: 'operator' }],
    ['skipped', { reason: 'overlap' }],
    ['missed', { reason: 'too-old' }],
  ] as const)('runs what was %s, too', async (state, more) => {
    const { fl, folder, newest } = await actingFolder(now);
    await folder.ledger.create(runOf(rates, fireTime, { state, ...more }));
    expect((await fl(`retry ${rates.id} 2026-12-01T11:00 --json`)).code).toBe(0);
    expect(await newest()).toMatchObject({ state: 'waiting', reason: 'slot' });
  });

  test.each<readonly [string, Partial<Run>, string]>([
    [
      'has succeeded',
      { state: 'succeeded' },
      'a fire succeeds once: to have its work done once more, trigger',
    ],
    [
      'is parked',
      { state: 'parked', reason: 'crashed', attentionAt: neverNeedsAttention },
      'is parked: decide about it with release',
    ],
    [
      'another stands for',
      { state: 'skipped', reason: 'superseded', supersededBy: '2026-12-01T03:05:00Z' },
      `was superseded: ${rates.id}#2026-12-01T03:05:00Z stands for it, so run that one`,
    ],
  ])('changes nothing of one that %s, and says what to do instead', async (_what, more, message) => {
    const { fl, folder, newest } = await actingFolder(now);
    await folder.ledger.create(runOf(rates, fireTime, more));
    const before = await newest();
    const { code, out, err } = await fl(`retry ${rates.id} 11:00`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(await newest()).toEqual(before);
  });

  test('refuses what contradicts itself, and a job without a time', async () => {
    const { fl, failed } = await actingFolder(now);
    const run = await failed(fireTime);
    expect((await fl(`retry ${runId(run)} --rerun --resume`)).err).toContain(
      'say one of --rerun and --resume',
    );
    expect((await fl(`retry ${rates.id}`)).err).toContain('names no run: write JOB#TIME or JOB TIME');
    expect((await fl(`retry ${rates.id} 11:05`)).err).toContain('there is no run');
  });

  test('of a time without a run offers those that were started by hand for it, else the nearest', async () => {
    const { fl, failed } = await actingFolder(now);
    await failed(fireTime);
    await fl(`trigger ${rates.id} --at 10:30`);
    const none = (time: string) => `fl: there is no run ${rates.id}#${time}; `;
    const list = `\`fl runs --job ${rates.id}\` lists those that there are\n`;
    const manual = `${rates.id}#2026-12-01T02:30:00Z~manual-drawntok`;
    for (const verb of ['retry', 'show'])
      expect((await fl(`${verb} ${rates.id} 10:30`)).err).toBe(
        `${none('2026-12-01T02:30:00Z')}for that time there is ${manual}; ${list}`,
      );
    expect((await fl(`retry ${rates.id} 10:31`)).err).toBe(
      `${none('2026-12-01T02:31:00Z')}the nearest: ${manual}, ${rates.id}#2026-12-01T03:00:00Z; ${list}`,
    );
  });

  test.each([
    ['rerun', '', 1],
    ['resume', '', undefined],
    ['park', '', 1],
    ['resume', '--rerun', 1],
    ['rerun', '--resume', undefined],
  ] as const)(
    'of a job with crashed: %s, with "%s", begins anew so often: %s',
    async (crashed, how, restarts) => {
      const job = manifestJob({ id: rates.id, timezone: 'Asia/Taipei', crashed });
      const { fl, folder, newest } = await actingFolder(now, [job]);
      const attempts = [attemptOf(1, fireTime, { settledAt: now, outcome: 'failed' })];
      await folder.ledger.create(runOf(job, fireTime, { state: 'failed', reason: 'error', attempts }));
      expect((await fl(`retry ${rates.id} 11:00${how && ` ${how}`}`)).code).toBe(0);
      expect((await newest()).restarts).toBe(restarts);
    },
  );

  test('of a run of a removed job is refused: nothing is there to run it', async () => {
    const { fl, folder } = await actingFolder(now);
    const gone = manifestJob({ id: 'rates/gone' });
    await folder.ledger.publish({ jobId: gone.id, from: 0, specId: gone.specId, spec: gone.spec }, null);
    await folder.ledger.create(runOf(gone, fireTime, { state: 'failed', reason: 'error' }));
    const { code, err } = await fl(`retry ${gone.id}#2026-12-01T03:00:00Z`);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('rates/gone was removed, and nothing is there to run it'),
    });
  });

  test('leaves a run alone that has been taken meanwhile', async () => {
    const { fl, world } = await actingFolder(now, [manifestJob({ id: rates.id, overlap: 'allow' })]);
    const run = await deliver(world, manifestJob({ id: rates.id, overlap: 'allow' }), fireTime);
    expect((await fl(`retry ${runId(run)}`)).err).toContain('is running: it runs, or will');
    await succeed(world, run);
  });
});
