import { describe, expect, test } from 'vitest';
import type { ZoneTable } from '../../functions/domain/ledger.ts';
import { cron, every } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { World } from '../support/reconciler.ts';

const start = at('12:00:30');
const taipei = manifestJob({ id: 'taipei', schedule: cron('0 9 * * *'), timezone: 'Asia/Taipei' });
const berlin = manifestJob({ id: 'berlin', schedule: cron('0 9 * * *'), timezone: 'Europe/Berlin' });
const absolute = manifestJob({ id: 'absolute', schedule: every('1 hour'), timezone: 'Asia/Taipei' });

/** A world whose zone table was recorded by an older release, in which Taipei was an hour further east. */
async function recordedBy(older: string, jobs = [taipei, berlin, absolute]) {
  const made = new World(start, jobs);
  const saved = watchSaves(made);
  made.tzdata = older;
  await made.sweep();
  const table = await tableOf(made);
  const zone = table.zones['Asia/Taipei'];
  if (zone === undefined) throw new Error('Taipei is not on record');
  const zones = { ...table.zones, 'Asia/Taipei': { ...zone, offset: 9 * hour } };
  await made.ledger.saveZones({ ...table, zones });
  saved.length = 0;
  return { made, saved };
}

function watchSaves(made: World): ZoneTable[] {
  const saved: ZoneTable[] = [];
  const save = made.ledger.saveZones.bind(made.ledger);
  made.ledger.saveZones = (table) => {
    saved.push(table);
    return save(table);
  };
  return saved;
}

async function tableOf({ ledger }: World): Promise<ZoneTable> {
  const table = await ledger.zones();
  if (table === null) throw new Error('there is no zone table');
  return table;
}

describe('the release of the time zone database', () => {
  test('is recorded with each version of a schedule, and the zones of all jobs are, once', async () => {
    const made = new World(start, [taipei, berlin]);
    const saved = watchSaves(made);
    for (let sweeps = 0; sweeps < 5; sweeps += 1) await made.sweepAt(start + sweeps * minute);
    expect(await made.ledger.specs('taipei')).toMatchObject([{ specId: taipei.specId, tzdata: '2025b' }]);
    expect(saved).toHaveLength(1);
    const { zones, ...table } = await tableOf(made);
    expect(table).toEqual({ tzdata: '2025b', recordedAt: start });
    expect(Object.keys(zones)).toEqual(['Asia/Taipei', 'Europe/Berlin']);
  });

  test('that is another one moves fires: each job is told, they are counted, and it is recorded', async () => {
    const { made, saved } = await recordedBy('2025a');
    made.tzdata = '2025b';
    await made.sweepAt(start + minute);
    expect(made.warnings).toHaveLength(1);
    expect(made.warnings[0]).toMatchObject({
      message: 'fires moved: the rules of their time zone changed',
      fields: { jobId: 'taipei', timezone: 'Asia/Taipei', before: '2025a', after: '2025b', more: 90 },
    });
    expect(made.warnings[0]?.fields.fires).toHaveLength(10);
    expect(made.warnings[0]?.fields).toMatchObject({
      fires: expect.arrayContaining(['2026-12-02T00:00:00Z → 2026-12-02T01:00:00Z']),
    });
    expect(made.reports.at(-1)?.moved).toBe(100);
    expect(saved.map(({ tzdata }) => tzdata)).toEqual(['2025b']);
    await made.sweepAt(start + 2 * minute);
    expect(made.warnings).toHaveLength(1);
    expect(made.reports.at(-1)?.moved).toBe(0);
    expect(saved).toHaveLength(1);
  });

  test('that is another one and moves nothing is recorded in silence', async () => {
    const { made, saved } = await recordedBy('2025a', [berlin, absolute]);
    made.tzdata = '2025b';
    await made.sweepAt(start + minute);
    expect(made.warnings).toEqual([]);
    expect(saved).toHaveLength(1);
  });
});

test('a zone that a new job brings is on record from then on', async () => {
  const made = new World(start, [taipei]);
  const saved = watchSaves(made);
  await made.sweep();
  made.jobs = [taipei, absolute];
  await made.sweepAt(start + minute);
  expect(saved).toHaveLength(1);
  made.jobs = [taipei, berlin];
  await made.sweepAt(start + 2 * minute);
  expect(saved).toHaveLength(2);
  expect(Object.keys((await tableOf(made)).zones)).toEqual(['Asia/Taipei', 'Europe/Berlin']);
});

test('the record reaches at least a year ahead, whatever time goes by', async () => {
  const made = new World(start, [berlin]);
  const saved = watchSaves(made);
  for (let weeks = 0; weeks < 80; weeks += 1) {
    await made.sweepAt(start + weeks * 7 * day);
    expect((await tableOf(made)).zones['Europe/Berlin']?.to).toBeGreaterThan(made.now + 364 * day);
  }
  expect(saved).toHaveLength(2);
});

test('a table that can’t be written stops no sweep, and is written when it can be', async () => {
  const made = new World(start, [manifestJob()]);
  const save = made.ledger.saveZones.bind(made.ledger);
  made.ledger.saveZones = () => Promise.reject(new Error('throttled'));
  await made.sweep();
  expect(await made.sweepAt(at('12:05'))).toMatchObject({ gap: 0 });
  expect(await made.lines()).toEqual(['12:01 waiting catch-up']);
  expect(made.problems).toContain('the offsets of the time zones could not be recorded');
  made.ledger.saveZones = save;
  await made.sweepAt(at('12:06'));
  expect((await tableOf(made)).tzdata).toBe('2025b');
});

test('a job whose zone is not known stops no other’s from being recorded', async () => {
  const lost = manifestJob({ id: 'lost', spec: { schedules: [cron('0 9 * * *')], timezone: 'Mars/Phobos' } });
  const made = new World(start, [lost, berlin]);
  await made.sweep();
  expect(Object.keys((await tableOf(made)).zones)).toEqual(['Europe/Berlin']);
});
