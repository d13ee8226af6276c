import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fireBeside } from '../../functions/cli/fire-beside.ts';
import { every } from '../../functions/domain/schedule/index.ts';
import { second } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { end, take } from '../support/reconciler.ts';
import { actingFolder, rates } from './acting.ts';
import { runOf } from './seeded.ts';

const now = at('03:00:20');
const { id } = rates;
const manual = `${id}#2026-12-01T03:00:00Z~manual-drawntok`;
let jobs: string;

beforeAll(() => {
  jobs = mkdtempSync(join(tmpdir(), 'fireledger-jobs-'));
  mkdirSync(join(jobs, 'rates'));
  writeFileSync(
    join(jobs, 'rates', 'pull-fx.ts'),
    `import { defineJob, every } from '#job';
     const validate = (value) => value?.currency?.length === 3
       ? { value }
       : { issues: [{ path: ['currency'], message: 'has three letters' }] };
     export default defineJob({
       description: 'Pulls exchange rates', schedule: every('1 minute'), missed: 'all', crashed: 'rerun',
       input: { '~standard': { version: 1, vendor: 'test', validate } },
       async run() {},
     });`,
  );
});
afterAll(() => rmSync(jobs, { recursive: true, force: true }));

describe('fl trigger', () => {
  test('starts a run beside the schedule, for now, and says who wanted it and why', async () => {
    const { fl, newest } = await actingFolder(now);
    expect(await fl(`trigger ${id} --note a_corrected_rate`)).toEqual({
      code: 0,
      out: `${manual} is to run; it starts at once, or as soon as its slot and its pools are free.\n`,
      err: '',
    });
    expect(await newest()).toMatchObject({
      ...{ state: 'waiting', reason: 'slot', trigger: 'manual' },
      requested: { at: now, by: 'ops', note: 'a corrected rate' },
    });
  });

  test.each([
    ['05:00', '2026-11-30T21:00:00Z'],
    ['2026-11-01T05:00', '2026-10-31T21:00:00Z'],
    ['2026-11-30T04:30:00Z', '2026-11-30T04:30:00Z'],
  ])('--at %s is read in the job’s zone, and told to its code as its time', async (time, fireTime) => {
    const { fl } = await actingFolder(now);
    const { out } = await fl(`trigger ${id} --at ${time} --json`);
    expect(JSON.parse(out)).toMatchObject({
      ...{ fireTime, trigger: 'manual', state: 'waiting' },
      requested: { at: '2026-12-01T03:00:20Z', by: 'ops' },
    });
  });

  test.each([
    [null, '2026-12-01T03:05:00Z', 'is yet to come: when it runs, the work is done twice'],
    [null, '2026-12-01T02:59:00Z', 'is due just now: when it runs, the work is done twice'],
    [
      null,
      '2026-11-20T03:00:00Z',
      'has no record: fl backfill makes it up for itself, and this is another run',
    ],
    ['succeeded', '2026-12-01T02:00:00Z', 'has succeeded: this run does its work once more'],
    ['parked', '2026-12-01T02:00:00Z', 'is parked: fl release decides about it, and this is another run'],
    ['running', '2026-12-01T02:00:00Z', 'is running: with this run its work is done twice'],
    ['missed', '2026-12-01T02:00:00Z', 'is missed: fl retry runs it itself, and this is another run'],
  ] as const)('a fire of its schedule (%s) at %s is told of: %s', async (state, time, says) => {
    const ledger = memoryLedger();
    if (state !== null) await ledger.create(runOf(rates, Date.parse(time), { state }));
    const beside = await fireBeside(ledger, rates, { fireTime: Date.parse(time) + second, now });
    expect(beside).toBe(`${id}#${time}, the fire of its schedule, ${says}`);
  });

  test('where it is due by no schedule, or by none that has it run, there is nothing to be told', async () => {
    const { spec, ...others } = manifestJob({ id, schedule: every('1 hour') });
    const hourly = { ...others, spec: { ...spec, except: ['2026-12-01'] } };
    for (const time of ['2026-12-01T05:00:00Z', '2026-12-02T05:30:00Z'])
      expect(await fireBeside(memoryLedger(), hourly, { fireTime: Date.parse(time), now })).toBeNull();
  });

  test('--at a time at which it is due by its schedule warns that both run, and starts it all the same', async () => {
    const { fl, newest } = await actingFolder(now);
    const { code, err } = await fl(`trigger ${id} --at 2026-12-01T03:05:00Z`);
    expect({ code, err }).toEqual({
      code: 0,
      err: `${id}#2026-12-01T03:05:00Z, the fire of its schedule, is yet to come: when it runs, the work is done twice\n`,
    });
    expect(await newest()).toMatchObject({ trigger: 'manual', fireTime: Date.parse('2026-12-01T03:05:00Z') });
  });

  test('--at a time that the clock shows twice is refused: a person must say which', async () => {
    const job = manifestJob({ id, timezone: 'Europe/Paris' });
    const { fl, world } = await actingFolder(now, [job]);
    const { code, err } = await fl(`trigger ${id} --at 2026-10-25T02:30`);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('shows that time twice') });
    expect(await world.runs()).toEqual([]);
  });

  test('checks the input by the schema in the job’s file, and keeps it as it was given', async () => {
    const { fl, newest } = await actingFolder(now);
    const file = join(jobs, 'input.json');
    writeFileSync(file, '{"currency":"TWD"}');
    expect((await fl(`trigger ${id} --jobs ${jobs} --input @${file}`)).code).toBe(0);
    expect(await newest()).toMatchObject({ input: { currency: 'TWD' } });
  });

  test('refuses an input where the job’s file has no schema for it: its code would do all its work again', async () => {
    writeFileSync(
      join(jobs, 'rates', 'close-month.ts'),
      `import { defineJob, every } from '#job';
       export default defineJob({
         description: 'Closes a month', schedule: every('1 day'), missed: 'all', crashed: 'rerun', async run() {},
       });`,
    );
    const job = manifestJob({ id: 'rates/close-month' });
    const { fl, world } = await actingFolder(now, [job]);
    expect(await fl(`trigger ${job.id} --jobs ${jobs} --input {"customer":"c-17"}`)).toEqual({
      code: 2,
      out: '',
      err: "fl: the input of this manual run was refused: its job takes none, since its file has no 'input'; nothing was started\n",
    });
    expect(await world.runs()).toEqual([]);
    expect((await fl(`trigger ${job.id} --jobs ${jobs}`)).code).toBe(0);
  });

  test.each([
    [
      `--jobs JOBS --input {"currency":"euro"}`,
      'was refused: currency: has three letters; nothing was started',
    ],
    ['--jobs JOBS', 'was refused: currency: has three letters; nothing was started'],
    ['--input {currency', '--input is no JSON: Expected property name'],
    ['--input @/nowhere/input.json', "--input @/nowhere/input.json can't be read: ENOENT"],
    ['--at soon', '--at: "soon" is not a time; write 2026-12-01T03:00'],
  ])('%s starts nothing', async (words, message) => {
    const { fl, world } = await actingFolder(now);
    const { code, out, err } = await fl(`trigger ${id} ${words.replace('JOBS', jobs)}`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(await world.runs()).toEqual([]);
  });

  test('where the job’s file is not at hand, its function checks the input, and that is said', async () => {
    const job = manifestJob({ id: 'rates/elsewhere' });
    const { fl } = await actingFolder(now, [job]);
    const { code, err } = await fl(`trigger ${job.id} --jobs ${jobs} --input 7`);
    expect({ code, err }).toEqual({
      code: 0,
      err: `${job.id} has no file in ${jobs}, so its input is checked only when it starts\n`,
    });
  });

  test('so it is where that file has a problem', async () => {
    const job = manifestJob({ id: 'rates/broken' });
    writeFileSync(join(jobs, 'rates', 'broken.ts'), 'export default 7;');
    const { fl } = await actingFolder(now, [job]);
    const { code, err } = await fl(`trigger ${job.id} --jobs ${jobs}`);
    expect(code).toBe(0);
    expect(err).toMatch(
      /^rates\/broken\.ts has a problem \(.*\), so its input is checked only when it starts\n$/,
    );
  });

  test('of a job that there is not suggests the nearest', async () => {
    const { fl } = await actingFolder(now);
    const { code, err } = await fl('trigger rates/pull-xf');
    expect({ code, err }).toEqual({
      code: 2,
      err: `fl: there is no job "rates/pull-xf"; did you mean ${id}?\n`,
    });
  });

  test('of a paused job says that it waits until that is over', async () => {
    const { fl, turn, newest } = await actingFolder(now);
    await fl(`pause ${id}`);
    expect((await fl(`trigger ${id}`)).out).toBe(
      `${manual} is to run; its job is paused, so it waits until that is over: fl resume ${id}.\n`,
    );
    await turn();
    expect(await newest()).toMatchObject({ state: 'waiting' });
  });
});

describe('fl trigger --wait', () => {
  test('ends with 0 once the run has succeeded', async () => {
    const { fl, newest } = await actingFolder(now);
    const { code, out } = await fl(`trigger ${id} --wait`);
    expect({ code, out }).toEqual({ code: 0, out: `${manual} succeeded\n` });
    expect(await newest()).toMatchObject({ state: 'succeeded' });
    const shown = (await fl(`show ${manual}`)).out;
    expect(shown).toContain('why           ops started it by hand\n');
    expect(shown).toContain('works for     2026-12-01 11:00 +08:00 (Asia/Taipei)\n');
    expect(shown).toMatch(/late by {7}-\n/);
  });

  test('ends with 1 when it failed, and says why', async () => {
    const { fl, world } = await actingFolder(now);
    const error = { name: 'TypeError', message: 'the bank sent no total' };
    const { code, out } = await fl(`trigger ${id} --wait`, {
      meanwhile: async (ms) => {
        world.now += ms;
        await world.sweep();
        for (const offered of world.invoked.splice(0))
          await end(world, await take(world, offered, rates), { kind: 'failed', error });
      },
    });
    expect({ code, out }).toEqual({
      code: 1,
      out: `${manual} failed: error: its handler threw TypeError: the bank sent no total\n`,
    });
  });

  test('ends with 2 when it waits for a person, and answers with the run', async () => {
    const job = manifestJob({ id, crashed: 'park' });
    const { fl, world } = await actingFolder(now, [job]);
    const { code, out } = await fl(`trigger ${id} --wait --json`, {
      meanwhile: async (ms) => {
        world.now += ms;
        await world.sweep();
        for (const offered of world.invoked.splice(0)) {
          const run = await take(world, offered, job);
          world.now = (run.attempts.at(-1)?.leaseUntil ?? 0) + 1;
        }
      },
    });
    expect({ code, run: JSON.parse(out) }).toMatchObject({
      code: 2,
      run: { id: manual, state: 'parked', reason: 'crashed' },
    });
  });

  test('says that it waits for the end of a pause', async () => {
    const { fl, world, turn } = await actingFolder(now);
    await fl(`pause ${id}`);
    const { code, err } = await fl(`trigger ${id} --wait`, {
      meanwhile: async (ms) => {
        world.now += ms;
        if (world.now > now + 3_000) await world.ledger.setPause(id, null);
        await turn();
      },
    });
    expect({ code, err }).toEqual({
      code: 0,
      err: `${id} is paused: what waits of it waits until that is over (fl resume ${id})\n`,
    });
  });

  test('is refused on the folder of a system that does not run: nothing would start it, nor could that start', async () => {
    const { fl, folder } = await actingFolder(now);
    await folder.stop();
    const refused = await fl(`trigger ${id} --wait`);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('so nothing would start it; run `npm start` first, or leave out --wait');
    expect((await fl(`trigger ${id}`)).out).toContain('nothing starts it before the system runs: npm start');
  });
});
