import { describe, expect, test } from 'vitest';
import { cron, every } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { auditLedger } from '../../functions/store/audit-ledger.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, take, World } from '../support/reconciler.ts';

const start = at('12:00:30');
const missed = (policy: 'all' | 'latest' | 'skip', more: object = {}) => ({
  policy,
  limit: 100,
  maxAgeMs: 7 * day,
  ratePerMinute: 10,
  ...more,
});

async function world(job = manifestJob()) {
  const made = new World(start, [job]);
  await made.sweep();
  return { made, job };
}

describe('a fire that nothing claimed', () => {
  test('is left to its alarm within its grace, and found by the first sweep after it', async () => {
    const { made } = await world();
    await made.sweepAt(at('12:04'));
    expect(await made.lines()).toEqual([]);
    await made.sweepAt(at('12:04:01'));
    expect(await made.lines()).toEqual(['12:01 waiting catch-up']);
  });

  test('is not found again when a delivery claimed it', async () => {
    const { made, job } = await world();
    await succeed(made, await deliver(made, job, at('12:01')));
    await made.sweepAt(at('12:04:30'));
    expect(await made.lines()).toEqual(['12:01 succeeded']);
  });

  test('of a schedule that no alarm can express is offered at once and invoked with the offer’s token', async () => {
    const job = manifestJob({ schedule: every('7 minutes') });
    const { made } = await world(job);
    const due = Math.ceil(start / (7 * minute)) * 7 * minute;
    await made.sweepAt(due);
    const [run] = await made.runs();
    expect(run).toMatchObject({ fireTime: due, state: 'offered', trigger: 'schedule', hasSlot: true });
    expect(made.invoked).toMatchObject([{ token: run?.token, key: run?.key }]);
  });

  test('swept and overlapping is skipped by the same claim as a delivery’s', async () => {
    const job = manifestJob({ schedule: every('7 minutes') });
    const { made } = await world(job);
    const due = Math.ceil(start / (7 * minute)) * 7 * minute;
    await made.sweepAt(due);
    await made.sweepAt(due + 7 * minute);
    expect((await made.runs()).map((run) => [run.state, run.reason])).toEqual([
      ['offered', undefined],
      ['skipped', 'overlap'],
    ]);
  });
});

describe('an excluded fire', () => {
  const holiday = { schedules: [cron('*/10 * * * *')], timezone: 'UTC', except: [cron('10 12 * * *')] };

  test.each(['all', 'latest', 'skip'] as const)(
    'gets its skip as soon as it is due, under %s',
    async (policy) => {
      const { made, job } = await world(manifestJob({ spec: holiday, missed: missed(policy) }));
      await made.sweepAt(at('12:10'));
      expect(await made.lines()).toEqual(['12:10 skipped excluded']);
      expect(made.invoked).toEqual([]);
      expect(made.reports.at(-1)).toMatchObject({ skipped: 1, missed: 0, gap: 0 });
      await expect(deliver(made, job, at('12:10'))).rejects.toThrow('duplicate');
      await succeed(made, await deliver(made, job, at('12:20')));
      expect(await made.lines()).toEqual(['12:10 skipped excluded', '12:20 succeeded']);
    },
  );

  test('is no miss after an outage, and is not made up', async () => {
    const { made, job } = await world(manifestJob({ spec: holiday }));
    await made.sweepAt(at('12:30'));
    expect(await made.lines()).toEqual(['12:10 skipped excluded', '12:20 waiting catch-up']);
    const audited = await auditLedger(made.ledger, [job.id], { from: at('12:00'), to: at('12:20') });
    expect(audited).toMatchObject({ expected: 2, recorded: 2, missing: [] });
  });

  test('that no alarm hits is skipped, not offered', async () => {
    const spec = { schedules: [every('7 minutes')], timezone: 'UTC', except: [every('1 minute')] };
    const { made } = await world(manifestJob({ spec }));
    await made.sweepAt(at('13:00'));
    expect(made.invoked).toEqual([]);
    expect(new Set((await made.runs()).map((run) => run.reason))).toEqual(new Set(['excluded']));
  });
});

describe('catch-up', () => {
  test('all: one after the other through the slot, oldest first', async () => {
    const { made, job } = await world();
    await made.sweepAt(at('12:06:30'));
    expect(await made.lines()).toEqual([
      '12:01 waiting catch-up',
      '12:02 waiting catch-up',
      '12:03 waiting catch-up',
    ]);
    await made.sweep();
    await made.sweep();
    expect(made.invoked.map((offer) => offer.key.slice(11, 16))).toEqual(['12:01']);
    for (const expected of ['12:02', '12:03']) {
      const offer = made.invoked.at(-1);
      if (offer === undefined) throw new Error('nothing was invoked');
      await succeed(made, await take(made, offer, job));
      await made.sweep();
      expect(made.invoked.at(-1)?.key.slice(11, 16)).toBe(expected);
    }
  });

  // The newest part of a long outage is recorded first, in a turn of its own, and is in the index before the older part is.
  test('of an outage of many turns is made up oldest first', async () => {
    const { made } = await world(manifestJob({ schedule: cron('*/30 * * * *') }));
    made.now = start + 42 * hour;
    await made.sweep(600_000);
    await made.sweep();
    const oldest = (await made.runs())[0];
    expect(oldest?.fireTime).toBeLessThan(start + hour);
    expect(made.invoked.map(({ key }) => key)).toEqual([oldest?.key]);
  });

  test('asks to be looked at again at once when it has recorded runs that wait', async () => {
    const { made } = await world();
    await made.sweepAt(at('12:04:30'));
    expect(made.nudges).toEqual([{ why: 'missed fires wait for their turn', delaySeconds: 5 }]);
  });

  test('never bars a live fire: it waits while the slot is taken and the live fire runs', async () => {
    const { made, job } = await world();
    await made.sweepAt(at('12:05:10'));
    const live = await deliver(made, job, at('12:05'));
    await made.sweep();
    expect(made.invoked).toEqual([]);
    await succeed(made, live);
    await made.sweep();
    expect(made.invoked).toHaveLength(1);
  });

  test('latest: the newest runs and stands for the others, which were written before it started', async () => {
    const { made } = await world(manifestJob({ missed: missed('latest') }));
    await made.sweepAt(at('12:06:30'));
    await made.sweep();
    expect(made.invoked).toEqual([]);
    expect(await made.lines()).toEqual([
      '12:01 skipped superseded',
      '12:02 skipped superseded',
      '12:03 waiting catch-up',
    ]);
    await made.sweepAt(at('12:09:30'));
    await made.sweep();
    expect((await made.lines()).slice(-2)).toEqual(['12:05 skipped superseded', '12:06 offered']);
    expect((await made.runs()).map((run) => run.supersededBy?.slice(11, 16))).toEqual([
      '12:03',
      '12:03',
      '12:06',
      '12:06',
      '12:06',
      undefined,
    ]);
  });

  test('latest: is made up for once, also where every alarm has stopped to come', async () => {
    const { made } = await world(manifestJob({ missed: missed('latest') }));
    for (let minutes = 4; minutes < 30; minutes += 1) {
      const before = made.invoked.length;
      await made.sweepAt(at('12:00:30') + minutes * minute);
      const offer = made.invoked.at(-1);
      if (made.invoked.length > before && offer)
        await succeed(made, await take(made, offer, made.jobs[0] ?? manifestJob()));
    }
    expect(made.invoked.map((offer) => offer.key.slice(11, 16))).toEqual([
      '12:04',
      '12:08',
      '12:12',
      '12:16',
      '12:20',
      '12:24',
    ]);
  });

  test('latest: a newer missed fire takes the place of one that still waits', async () => {
    const job = manifestJob({ missed: missed('latest'), timeoutMs: 14 * minute });
    const { made } = await world(job);
    const live = await deliver(made, job, at('12:01'));
    await made.sweepAt(at('12:05:30'));
    expect(await made.lines()).toEqual(['12:01 running', '12:02 waiting catch-up']);
    await made.sweepAt(at('12:06:30'));
    expect(await made.lines()).toEqual([
      '12:01 running',
      '12:02 skipped superseded',
      '12:03 waiting catch-up',
    ]);
    await made.sweepAt(at('12:09:10'));
    await succeed(made, live);
    await made.sweepAt(at('12:09:20'));
    expect(made.invoked.map((offer) => offer.key.slice(11, 16))).toEqual(['12:06']);
  });

  test('no more than the rate is started in a minute', async () => {
    const { made } = await world(
      manifestJob({ overlap: 'allow', missed: missed('all', { ratePerMinute: 3 }) }),
    );
    await made.sweepAt(at('12:20:30'));
    await made.sweep();
    await made.sweep();
    expect(made.invoked).toHaveLength(3);
    await made.sweepAt(at('12:21:30'));
    expect(made.invoked).toHaveLength(6);
  });

  test('a paused job’s waiting runs stay, and its fires since the pause are skipped', async () => {
    const { made, job } = await world();
    await made.sweepAt(at('12:04:30'));
    await made.ledger.setPause(job.id, { at: at('12:04:31'), by: 'operator', note: 'stock-taking' });
    await made.sweepAt(at('12:09:30'));
    expect(made.invoked).toEqual([]);
    expect(await made.lines()).toEqual([
      '12:01 waiting catch-up',
      '12:02 waiting catch-up',
      '12:03 waiting catch-up',
      '12:04 waiting catch-up',
      '12:05 skipped paused',
      '12:06 skipped paused',
    ]);
  });
});

describe('a long outage', () => {
  test('of 30 days, minutely: every fire gets its record, the newest are made up, the live ones come first', async () => {
    const job = manifestJob({ missed: missed('all', { maxAgeMs: hour }) });
    const { made } = await world(job);
    const back = start + 30 * day;
    await made.sweepAt(back);
    const runs = await made.runs();
    const counts = Object.fromEntries(
      ['offered', 'waiting', 'missed'].map((state) => [
        state,
        runs.filter((run) => run.state === state).length,
      ]),
    );
    expect(counts).toEqual({ offered: 1, waiting: 56, missed: 30 * 24 * 60 - 60 });
    expect(made.reports.at(-1)).toMatchObject({ gap: 0 });
  });

  test('101 missed minutes: 100 are made up, one is told, and the job goes on', async () => {
    const { made } = await world();
    await made.sweepAt(at('13:44:30'));
    const reasons = (await made.runs()).map((run) => run.reason);
    expect(reasons).toEqual(['over-limit', ...Array.from({ length: 100 }, () => 'catch-up')]);
  });

  test('is found whatever its length: the look-back goes to the watermark, not a fixed span', async () => {
    const job = manifestJob({ schedule: cron('0 3 * * *') });
    const { made } = await world(job);
    await made.sweepAt(start + 6 * day);
    expect(await made.lines()).toHaveLength(6);
  });

  test('a sweep without enough time goes on in the next, from where it stopped', async () => {
    const job = manifestJob({ missed: missed('skip') });
    const { made } = await world(job);
    made.now = start + 5 * day;
    const first = await made.sweep(0);
    expect(first?.unaccountedMs).toBeGreaterThan(3 * day);
    for (let turns = 0; turns < 10; turns += 1) await made.sweep(0);
    expect(await made.runs()).toHaveLength(5 * 24 * 60 - 3);
  });

  test('a clock that was set back: what is due from then on is found, and nothing is recorded twice', async () => {
    const { made, job } = await world();
    await succeed(made, await deliver(made, job, at('12:01')));
    await made.sweepAt(at('12:01:30'));
    await made.sweepAt(at('10:01:30'));
    await made.sweepAt(at('10:06:30'));
    expect(await made.lines()).toEqual(['12:01 succeeded']);
    await made.sweepAt(at('12:06:30'));
    expect((await made.lines()).slice(0, 3)).toEqual([
      '12:01 succeeded',
      '12:02 waiting catch-up',
      '12:03 waiting catch-up',
    ]);
  });
});
