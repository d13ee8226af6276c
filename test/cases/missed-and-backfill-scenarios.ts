import { expect } from 'vitest';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { cron, every, type Schedule, timetable } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { manifestJob } from '../support/jobs.ts';
import { deliver, succeed, World } from '../support/reconciler.ts';

type Policy = ManifestJob['missed'];

const instant = (text: string) => Date.parse(`${text}Z`);
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 16));

function job(schedule: Schedule, more: Partial<ManifestJob> & { timezone?: string } = {}): ManifestJob {
  return manifestJob({ schedule, ...more });
}

function policy(name: Policy['policy'], more: Partial<Policy> = {}): { missed: Policy } {
  return { missed: { policy: name, limit: 100, maxAgeMs: 7 * day, ratePerMinute: 10, ...more } };
}

function nextOf({ spec }: ManifestJob, after: string): string | null {
  return iso(timetable(spec).next(instant(after)));
}

async function deployed(of: ManifestJob, when: string): Promise<World> {
  const world = new World(instant(when), [of]);
  await world.sweep();
  return world;
}

/** Sweeps, and again as the sweep itself asks for; returns which fires were started. */
async function sweepAt(world: World, when: string): Promise<string[]> {
  await world.sweepAt(instant(when));
  await world.sweep();
  return world.invoked.map((offer) => offer.key.slice(0, 16));
}

async function ranAt(world: World, of: ManifestJob, when: string): Promise<void> {
  world.now = instant(when);
  await succeed(world, await deliver(world, of, instant(when)));
}

/** A schedule is edited, and nothing but what is due from then on may come of it. */
async function edited(of: { before: string; after: string; lastFire: string; editAt: string; next: string }) {
  const [before, after] = [job(cron(of.before)), job(cron(of.after))];
  const world = await deployed(before, of.lastFire.replace(/T.*/, 'T00:00'));
  await ranAt(world, before, of.lastFire);
  await world.sweepAt(instant(of.lastFire) + hour);
  world.jobs = [after];
  expect(await sweepAt(world, of.editAt)).toEqual([]);
  expect(nextOf(after, of.editAt)).toBe(of.next);
  return { world, after };
}

async function paused(of: ManifestJob, { from, to }: { from: string; to: string }): Promise<World> {
  const world = await deployed(of, from);
  await world.ledger.setPause(of.id, { at: instant(from), by: 'operator', note: '' });
  await world.sweepAt(instant(to));
  await world.ledger.setPause(of.id, null);
  return world;
}

/** What others met, played through the real reconciler in virtual time. */
export const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  C002: async () => {
    await edited({
      before: '30 11 * * 5',
      after: '0 11 * * 5',
      lastFire: '2017-12-29T11:30',
      editAt: '2018-01-04T23:49',
      next: '2018-01-05T11:00',
    });
  },
  C003: async () => {
    await edited({
      before: '0 2 * * *',
      after: '0 12 * * *',
      lastFire: '2021-11-08T02:00',
      editAt: '2021-11-08T13:50',
      next: '2021-11-09T12:00',
    });
  },
  C005: async () => {
    const { world } = await edited({
      before: '0 21 * * tue,fri',
      after: '0 23 * * wed,sun',
      lastFire: '2024-01-30T21:00',
      editAt: '2024-02-02T08:05',
      next: '2024-02-04T23:00',
    });
    expect(await sweepAt(world, '2024-02-02T17:21')).toEqual([]);
  },
  C006: async () => {
    for (const [name, started] of [
      ['latest', ['2026-12-01T13:44']],
      ['all', ['2026-12-01T12:02']],
    ] as const) {
      const of = job(cron('* * * * *'), policy(name));
      const world = await deployed(of, '2026-12-01T12:00:30');
      await sweepAt(world, '2026-12-01T13:44:30');
      expect(await world.lines()).toHaveLength(101);
      expect(await sweepAt(world, '2026-12-01T13:47:30')).toEqual(started);
      expect(nextOf(of, '2026-12-01T13:44:30')).toBe('2026-12-01T13:45');
    }
  },
  C010: async () => {
    const of = job(cron('0 2 * * *'), { timezone: 'Europe/Bucharest', ...policy('all') });
    const world = await paused(of, { from: '2026-08-14T20:00', to: '2026-08-15T04:49' });
    expect(await sweepAt(world, '2026-08-15T04:50')).toEqual([]);
    expect(await world.lines()).toEqual(['23:00 skipped paused']);
    expect(nextOf(of, '2026-08-15T04:49')).toBe('2026-08-15T23:00');
  },
  C011: async () => {
    const of = job(cron('0 * * * *'));
    const world = await paused(of, { from: '2026-12-01T00:55', to: '2026-12-01T01:55' });
    expect(await sweepAt(world, '2026-12-01T01:59')).toEqual([]);
    expect(nextOf(of, '2026-12-01T01:55')).toBe('2026-12-01T02:00');
  },
  C013: async () => {
    const of = job(cron('0 15 * * *'));
    const world = await deployed(of, '2025-06-29T14:00');
    expect(await sweepAt(world, '2025-06-29T14:30')).toEqual([]);
    expect(nextOf(of, '2025-06-29T14:00')).toBe('2025-06-29T15:00');
  },
  C014: async () => {
    const [hourly, daily] = [job(cron('0 * * * *')), job(cron('0 0 * * *'))];
    const world = await deployed(hourly, '2026-05-03T23:30');
    await ranAt(world, hourly, '2026-05-04T00:00');
    world.jobs = [daily];
    await world.sweepAt(instant('2026-05-04T00:30'));
    for (const midnight of ['2026-05-05T00:00', '2026-05-06T00:00']) await ranAt(world, daily, midnight);
    await world.sweepAt(instant('2026-05-06T00:10'));
    expect(await world.lines()).toEqual(['00:00 succeeded', '00:00 succeeded', '00:00 succeeded']);
  },
  C015: async () => {
    const [before, after] = [job(cron('30 * * * *')), job(cron('32 * * * *'))];
    const world = await deployed(before, '2026-12-01T10:00');
    await ranAt(world, before, '2026-12-01T10:30');
    world.jobs = [after];
    await world.sweepAt(instant('2026-12-01T11:00'));
    await ranAt(world, after, '2026-12-01T11:32');
    expect((await world.runs()).map((run) => [iso(run.fireTime), run.specId])).toEqual([
      ['2026-12-01T10:30', before.specId],
      ['2026-12-01T11:32', after.specId],
    ]);
  },
  C018: async () => {
    const within = (maxAgeMs: number) => job(cron('* * * * *'), policy('all', { maxAgeMs }));
    for (const [of, kept] of [
      [within(7 * day), 7],
      [within(3.5 * minute + 3 * minute), 4],
    ] as const) {
      const world = await deployed(of, '2018-05-28T15:12:30');
      await world.sweepAt(instant('2018-05-28T15:22:30'));
      expect((await world.runs()).filter((run) => run.state === 'waiting')).toHaveLength(kept);
    }
  },
  C022: async () => {
    const stalled = await deployed(job(cron('* * * * *')), '2026-12-01T12:00:30');
    await stalled.sweepAt(instant('2026-12-01T12:04:30'));
    expect(await stalled.lines()).toEqual(['12:01 waiting catch-up']);
    const of = job(cron('0 0 * * *'), policy('all', { limit: 3 }));
    const disabled = await deployed(of, '2026-01-01T12:00');
    await disabled.sweepAt(instant('2026-12-01T12:00'));
    const reasons = (await disabled.runs()).map((run) => run.reason);
    const count = (reason: string) => reasons.filter((other) => other === reason).length;
    expect([reasons.length, count('too-old'), count('over-limit')]).toEqual([334, 327, 4]);
  },
  C023: async () => {
    const of = job(cron('0 * * * *'), policy('all'));
    const world = await paused(of, { from: '2026-12-01T00:30', to: '2026-12-01T05:30' });
    expect(await world.lines()).toEqual(
      ['01:00', '02:00', '03:00', '04:00', '05:00'].map((time) => `${time} skipped paused`),
    );
  },
  C028: async () => {
    const of = job(every('1 minute'), policy('latest'));
    const world = await deployed(of, '2026-12-01T12:00:30');
    await world.sweepAt(instant('2026-12-01T12:05:30'));
    expect(await sweepAt(world, '2026-12-01T12:08:30')).toEqual(['2026-12-01T12:05']);
    expect((await world.runs()).map((run) => [iso(run.fireTime)?.slice(11), run.reason])).toEqual([
      ...['12:01', '12:02', '12:03', '12:04'].map((time) => [time, 'superseded']),
      ['12:05', undefined],
    ]);
  },
  C029: async () => {
    const world = await deployed(job(cron('*/5 * * * *'), policy('latest')), '2026-12-01T11:00:30');
    await world.sweepAt(instant('2026-12-01T12:00:30'));
    expect(await sweepAt(world, '2026-12-01T12:04:30')).toHaveLength(1);
  },
  C030: async () => {
    const of = job(cron('* * * * *'), policy('skip'));
    const world = await deployed(of, '2026-12-01T16:59:30');
    await ranAt(world, of, '2026-12-01T17:00');
    await world.sweepAt(instant('2026-12-01T17:00:30'));
    await world.sweepAt(instant('2026-12-01T15:01'));
    await ranAt(world, of, '2026-12-01T17:01');
    expect(await world.lines()).toEqual(['17:00 succeeded', '17:01 succeeded']);
    await expect(deliver(world, of, instant('2026-12-01T17:00'), 'again')).rejects.toThrow('duplicate');
  },
  C032: async () => {
    const of = job({ kind: 'at', local: '2026-08-24T09:00' }, { graceMs: 2 * minute, ...policy('skip') });
    const world = await deployed(of, '2026-08-24T08:50');
    expect(await sweepAt(world, '2026-08-24T13:00')).toEqual([]);
    expect(await world.lines()).toEqual(['09:00 missed policy']);
  },
  C036: async () => {
    const world = await deployed(job(cron('* * * * *')), '2026-12-01T12:00:10');
    await world.sweepAt(instant('2026-12-01T12:01:15'));
    await world.sweepAt(instant('2026-12-01T12:09:30'));
    expect((await world.runs()).map((run) => iso(run.fireTime)?.slice(11))).toEqual([
      '12:01',
      '12:02',
      '12:03',
      '12:04',
      '12:05',
      '12:06',
    ]);
  },
};
