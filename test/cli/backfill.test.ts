import { describe, expect, test } from 'vitest';
import type { Run } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { floorToMinute, minute } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { take } from '../support/reconciler.ts';
import { type Acting, actingFolder, rates } from './acting.ts';
import { runOf } from './seeded.ts';

const now = at('04:00:20');
const { id } = rates;
/** 03:00 to 03:07, UTC. */
const range = '--from 11:00 --to 11:07';
const records: readonly Partial<Run>[] = [
  { state: 'succeeded' },
  { state: 'failed', reason: 'error' },
  { state: 'canceled', reason: 'operator' },
  { state: 'skipped', reason: 'overlap' },
  { state: 'missed', reason: 'too-old' },
  { state: 'skipped', reason: 'superseded', supersededBy: '2026-12-01T03:06:00Z' },
  { state: 'succeeded' },
];

/** A fire of each kind, due from 03:00 on, and at 03:07 one without a record. */
async function ofEachKind(): Promise<Acting> {
  const acting = await actingFolder(now);
  for (const [index, more] of records.entries())
    await acting.folder.ledger.create(
      runOf(rates, at('03:00') + index * minute, { settledAt: now - minute, ...more }),
    );
  return acting;
}

/** The clock of each fire that has been asked for, oldest first. */
async function askedFor({ world }: Acting): Promise<string[]> {
  const runs = (await world.runs()).filter(({ requested }) => requested !== undefined);
  return runs.map(({ key }) => key.slice(11, 16));
}

describe('fl backfill --dry-run', () => {
  test('tells which fires these are and which are left as they are, and writes nothing', async () => {
    const acting = await ofEachKind();
    const { code, out, err } = await acting.fl(`backfill ${id} ${range} --only all --dry-run`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "5 fires of rates/pull-fx to make up, due from 2026-12-01 11:00 to 2026-12-01 11:07 +08:00; at most 2 a minute. Left as they are: 2 succeeded, 1 skipped.

      DUE                      IS
      2026-12-01 11:01 +08:00  failed
      2026-12-01 11:02 +08:00  canceled
      2026-12-01 11:03 +08:00  skipped
      2026-12-01 11:04 +08:00  missed
      2026-12-01 11:07 +08:00  no record
      "
    `);
    expect(await askedFor(acting)).toEqual([]);
    expect((await acting.fl('log --json')).out).toBe('[]\n');
  });

  test('tells the pace and the order in which they go', async () => {
    const { fl } = await ofEachKind();
    const { out } = await fl(`backfill ${id} ${range} --only failed --dry-run --order newest --rate 1`);
    expect(out).toContain('; at most 1 a minute.');
    const { out: faster } = await fl(`backfill ${id} ${range} --only failed --dry-run --rate 90`);
    expect(faster).toContain('; at most 2 a minute.');
    const times = async (order: string) => {
      const told = (await fl(`backfill ${id} ${range} --only all --dry-run --order ${order}`)).out;
      return Array.from(told.matchAll(/^2026-12-01 (\S+)/gm), ([, time]) => time);
    };
    expect(await times('newest')).toEqual(['11:07', '11:04', '11:03', '11:02', '11:01']);
    expect(await times('oldest')).toEqual(['11:01', '11:02', '11:03', '11:04', '11:07']);
  });

  test('answers in JSON', async () => {
    const { fl } = await ofEachKind();
    expect(JSON.parse((await fl(`backfill ${id} ${range} --dry-run --json`)).out)).toEqual({
      ...{ jobId: id, from: '2026-12-01T03:00:00Z', to: '2026-12-01T03:07:00Z' },
      fires: [
        { fireTime: '2026-12-01T03:04:00Z', state: 'missed' },
        { fireTime: '2026-12-01T03:07:00Z', state: 'unrecorded' },
      ],
      left: { succeeded: 2, failed: 1, canceled: 1, skipped: 2 },
    });
  });

  test('up to a date has the last fire of that day, and not the first of the next', async () => {
    const { fl } = await actingFolder(now);
    const { out } = await fl(`backfill ${id} --from 2026-11-30T23:58 --to 2026-11-30 --dry-run --json`);
    expect(JSON.parse(out).fires.map((fire: { fireTime: string }) => fire.fireTime)).toEqual([
      '2026-11-30T15:58:00Z',
      '2026-11-30T15:59:00Z',
    ]);
  });

  test('shortens a long list, and says that there is nothing where there is nothing', async () => {
    const { fl } = await actingFolder(now);
    const long = await fl(`backfill ${id} --from 2026-11-30T11:00 --to 2026-11-30T11:59 --dry-run`);
    expect(long.out).toContain(
      `60 fires of ${id} to make up, due from 2026-11-30 11:00 to 2026-11-30 11:59 +08:00`,
    );
    expect(long.out).toContain('… 50 more');
    const none = await fl(`backfill ${id} --from 11:59 --to 12:00 --only failed`);
    expect(none).toMatchObject({
      code: 0,
      out: expect.stringContaining(`There is nothing to make up of ${id}`),
    });
  });

  test.each([
    ['--from 2026-11-01 --to 2026-11-30', 'at most 10000 are at once. Say a shorter range'],
    [
      '--from 2026-12-01T11:30 --to 2026-12-01T11:00',
      '--from 2026-12-01T11:30 is after --to 2026-12-01T11:00',
    ],
    ['--only some', 'Allowed choices are missed, failed, skipped, all'],
    ['--rate 0', '--rate'],
  ])('%s is refused', async (words, message) => {
    const { fl } = await actingFolder(now);
    const { code, err } = await fl(`backfill ${id} ${words}`);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('of a job that was removed is refused: nothing is there to run it', async () => {
    const { fl, folder } = await actingFolder(now);
    const gone = manifestJob({ id: 'rates/gone' });
    await folder.ledger.publish({ jobId: gone.id, from: 0, specId: gone.specId, spec: gone.spec }, null);
    const { code, err } = await fl(`backfill ${gone.id}`);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('rates/gone was removed, and nothing is there to run it'),
    });
  });
});

describe('fl backfill', () => {
  test.each([
    ['missed', ['03:04', '03:07']],
    ['failed', ['03:01', '03:02']],
    ['skipped', ['03:03']],
    ['all', ['03:01', '03:02', '03:03', '03:04', '03:07']],
  ])('--only %s makes up those, to the end, and no other', async (only, fires) => {
    const acting = await ofEachKind();
    const { code, out } = await acting.fl(`backfill ${id} ${range} --only ${only} --note the_outage`);
    expect(code).toBe(0);
    expect(out).toContain(
      `${fires.length === 1 ? '1 fire' : `${fires.length} fires`}: ${fires.length} succeeded.\n`,
    );
    expect(await askedFor(acting)).toEqual(fires);
    for (const run of await acting.world.runs())
      if (run.requested) expect(run.requested).toEqual({ at: now, by: 'ops', note: 'the outage' });
    const [line] = JSON.parse((await acting.fl('log --json')).out);
    expect(line).toMatchObject({
      verb: 'backfill',
      note: 'the outage',
      details: { only, fires: fires.length },
    });
    expect((await acting.fl('log')).out.replace(/\s+/g, ' ')).toContain(
      `only ${only}, from 2026-12-01 11:00 +08:00, to 2026-12-01 11:07 +08:00, oldest first: “the outage”`,
    );
  });

  test('goes through the rate of its job: not more in a minute', async () => {
    const acting = await ofEachKind();
    await acting.fl(`backfill ${id} ${range} --only all`);
    const minutes = (await acting.world.runs()).flatMap(({ attempts }) =>
      attempts.map(({ startedAt }) => floorToMinute(startedAt)),
    );
    expect(minutes).toHaveLength(5);
    for (const one of minutes) expect(minutes.filter((other) => other === one).length).toBeLessThanOrEqual(2);
  });

  test('says of each run that a person asked for it, not that it was missed', async () => {
    const { fl } = await ofEachKind();
    await fl(`backfill ${id} ${range} --only failed --note the_outage`);
    const shown = (await fl(`show ${id} 11:01`)).out;
    expect(shown).toContain('why           ops asked to have it made up: the outage\n');
    expect(shown).not.toContain('missed');
    const why = await fl(`why ${id} 11:01 --json`);
    expect((await fl(`why ${id} 11:01`)).out).toContain('59 min 20 s until ops asked for it');
    expect(JSON.parse(why.out).requested).toEqual({
      at: '2026-12-01T04:00:20Z',
      by: 'ops',
      note: 'the outage',
    });
    expect((await fl('runs --json')).out).toContain('"note": "the outage"');
  });

  test('ends with 1 when one has not succeeded, and with 2 when one waits for a person', async () => {
    for (const [crashed, code] of [
      ['rerun', 1],
      ['park', 2],
    ] as const) {
      const job = manifestJob({ id, timezone: 'Asia/Taipei', crashed });
      const { fl, world } = await actingFolder(now, [job]);
      const meanwhile = async (ms: number) => {
        world.now += ms;
        await world.sweep();
        for (const offered of world.invoked.splice(0)) {
          const run = await take(world, offered, job);
          world.now = (run.attempts.at(-1)?.leaseUntil ?? 0) + 1;
        }
      };
      const ended = await fl(`backfill ${id} --from 11:00 --to 2026-12-01T11:00`, { meanwhile });
      expect(ended).toMatchObject({
        code,
        out: expect.stringContaining(code === 2 ? '1 parked' : '1 failed'),
      });
    }
  });

  test('--order newest hands them over one by one, so that no older one goes first', async () => {
    const acting = await ofEachKind();
    const order: string[] = [];
    const { code } = await acting.fl(`backfill ${id} ${range} --only all --order newest`, {
      meanwhile: async (ms) => {
        acting.world.now += ms;
        const waiting = (await acting.world.lines()).filter((line) => line.includes('catch-up'));
        expect(waiting.length).toBeLessThanOrEqual(1);
        for (const line of waiting) if (!order.includes(line.slice(0, 5))) order.push(line.slice(0, 5));
        await acting.turn();
      },
    });
    expect(code).toBe(0);
    expect(order).toEqual(['03:07', '03:04', '03:03', '03:02', '03:01']);
  });

  test('--rate slows down what its job would do faster, and not what it would not', async () => {
    const acting = await ofEachKind();
    expect((await acting.fl(`backfill ${id} ${range} --only failed --rate 1`)).code).toBe(0);
    const times = (await acting.world.runs()).flatMap(({ attempts }) => attempts.map((one) => one.startedAt));
    expect(Math.abs((times[1] ?? 0) - (times[0] ?? 0))).toBeGreaterThanOrEqual(minute);
    const { code, out } = await acting.fl(`backfill ${id} ${range} --only skipped --rate 9 --detach`);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 fire is made up from now on'),
    });
  });

  test('--detach leaves them to the system, and can not be where they are handed over one by one', async () => {
    const acting = await ofEachKind();
    for (const slow of ['--order newest', '--rate 1']) {
      const { code, err } = await acting.fl(`backfill ${id} ${range} ${slow} --detach`);
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('leave out --detach') });
    }
    expect(await askedFor(acting)).toEqual([]);
    const { code, out } = await acting.fl(`backfill ${id} ${range} --detach`);
    expect(code).toBe(0);
    expect(out).toContain(`2 fires are made up from now on; fl runs --job ${id} shows how far they are.\n`);
    expect(await acting.world.lines()).toContain('03:04 waiting catch-up');
  });

  test('Ctrl-C takes back what waits, and leaves what runs', async () => {
    const acting = await ofEachKind();
    const { code, out } = await acting.fl(`backfill ${id} ${range} --only all`, {
      meanwhile: async (ms, interrupt) => {
        acting.world.now += ms;
        await acting.world.sweep();
        const [offered] = acting.world.invoked.splice(0);
        if (offered) await take(acting.world, offered, rates);
        interrupt();
      },
    });
    expect(code).toBe(1);
    expect(out).toMatch(/5 fires: 1 running, 4 canceled\. 4 that waited were taken back\.\n$/);
    expect((await acting.world.ledger.job(id))?.catchUp).toMatchObject({ waiting: 0 });
    const [line] = JSON.parse((await acting.fl('log --json')).out);
    expect(line).toMatchObject({ verb: 'cancel', details: { backfilled: 4 } });
  });

  test('Ctrl-C while they are still handed over hands over no more', async () => {
    const acting = await ofEachKind();
    const { code, out } = await acting.fl(`backfill ${id} ${range} --only all --rate 1`, {
      meanwhile: async (_ms, interrupt) => interrupt(),
    });
    expect({ code, out: out.split('\n').at(-2) }).toEqual({
      code: 1,
      out: '1 fire: 1 canceled. 1 that waited was taken back.',
    });
    expect(await askedFor(acting)).toEqual(['03:01']);
  });

  test('of a paused job says that nothing of it starts meanwhile', async () => {
    const acting = await ofEachKind();
    await acting.fl(`pause ${id}`);
    const { code, err } = await acting.fl(`backfill ${id} ${range} --detach`);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining(`${id} is paused`) });
    await acting.turn();
    expect(await acting.world.lines()).toContain('03:04 waiting catch-up');
  });

  test('is refused where no system runs, unless nobody waits for it', async () => {
    const { fl, folder } = await ofEachKind();
    await folder.stop();
    const { code, err } = await fl(`backfill ${id} ${range}`);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('add --detach, and they wait'),
    });
    expect((await fl(`backfill ${id} ${range} --detach`)).code).toBe(0);
  });

  test('makes up the fires of the schedule that was in force at their time, and no others', async () => {
    const acting = await actingFolder(at('03:00:20'));
    acting.world.jobs = [
      manifestJob({ ...rates, spec: { ...rates.spec, schedules: [cron('2,32 * * * *')] } }),
    ];
    await acting.world.sweep();
    acting.world.now = at('04:00:20');
    const { out } = await acting.fl(`backfill ${id} --from 10:58 --to 11:40 --only all --dry-run --json`);
    const fires: { fireTime: string }[] = JSON.parse(out).fires;
    expect(fires.map(({ fireTime }) => fireTime.slice(11, 16))).toEqual([
      ...['02:58', '02:59', '03:00', '03:02', '03:32'],
    ]);
  });
});

describe('how far a backfill is', () => {
  test('is one line that is written over on a terminal', async () => {
    const { fl } = await ofEachKind();
    const { err } = await fl(`backfill ${id} ${range} --only all`, { columns: 80 });
    const [last = ''] = err
      .split('\r\u001b[K')
      .filter((line) => line !== '')
      .slice(-1);
    expect(last).toContain('4 of 5 fires · ');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
  });

  test('is a line every ten seconds elsewhere, and nothing for scripts', async () => {
    const { fl } = await ofEachKind();
    const { err } = await fl(`backfill ${id} ${range} --only failed`);
    expect(err).toMatch(/^(\d of 2 fires · .*\n)*$/);
    const quiet = await fl(`backfill ${id} ${range} --only missed --json`);
    expect(quiet.err).toBe('');
    expect(JSON.parse(quiet.out)).toEqual({ jobId: id, begun: 2, withdrawn: 0, states: { succeeded: 2 } });
  });
});
