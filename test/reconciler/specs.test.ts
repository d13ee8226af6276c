import { describe, expect, test } from 'vitest';
import { cron } from '../../functions/domain/schedule/index.ts';
import { day } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, succeed, World } from '../support/reconciler.ts';

const start = at('08:00:30');

describe('a new job', () => {
  test('is owed nothing from before, however often its schedule was due', async () => {
    const made = new World(start, [manifestJob()]);
    await made.sweep();
    expect(await made.lines()).toEqual([]);
    await made.sweepAt(at('08:04:30'));
    expect(await made.lines()).toEqual(['08:01 waiting catch-up']);
  });

  test('deployed five times is in force once', async () => {
    const job = manifestJob();
    for (let deploys = 0; deploys < 5; deploys += 1) {
      const made = new World(start, [job]);
      await made.sweep();
      await made.sweep();
      expect(await made.ledger.specs(job.id)).toHaveLength(1);
    }
  });
});

describe('an edited schedule', () => {
  const nightly = manifestJob({ schedule: cron('0 2 * * *') });
  const noon = manifestJob({ schedule: cron('0 12 * * *') });

  test('imagines no past: a new time between the last fire and now is not made up', async () => {
    const made = new World(at('00:30'), [nightly]);
    await made.sweep();
    await succeed(made, await deliver(made, nightly, at('02:00')));
    made.jobs = [noon];
    await made.sweepAt(at('13:50'));
    await made.sweepAt(at('13:55'));
    expect(await made.lines()).toEqual(['02:00 succeeded']);
  });

  test('still owes the fires of the old schedule that were missed before the doubtful hour', async () => {
    const made = new World(at('00:30'), [nightly]);
    await made.sweep();
    made.jobs = [noon];
    await made.sweepAt(at('13:50'));
    expect(await made.lines()).toEqual(['02:00 waiting catch-up']);
  });

  test('within the hour before it took force, a fire of the old one alone is skipped as edited', async () => {
    const made = new World(at('00:30'), [nightly]);
    await made.sweep();
    made.jobs = [noon];
    await made.sweepAt(at('02:01'));
    await made.sweepAt(at('02:05'));
    expect(await made.lines()).toEqual(['02:00 skipped edited']);
  });

  test('that has not changed leaves the version alone when another option was edited', async () => {
    const made = new World(start, [nightly]);
    await made.sweep();
    made.jobs = [manifestJob({ schedule: cron('0 2 * * *'), crashed: 'park' })];
    await made.sweepAt(at('09:00'));
    expect(await made.ledger.specs(nightly.id)).toHaveLength(1);
    expect(await made.ledger.manifest()).toMatchObject({ jobs: [{ crashed: 'park' }] });
  });

  test('leaves what a person decided as it is: a paused job stays paused', async () => {
    const made = new World(start, [nightly]);
    await made.sweep();
    const paused = { at: start, by: 'operator', note: 'audit' };
    await made.ledger.setPause(nightly.id, paused);
    made.jobs = [noon];
    await made.sweepAt(at('09:00'));
    expect(await made.ledger.job(nightly.id)).toMatchObject({
      paused,
      specId: noon.specId,
      specChanged: true,
    });
  });
});

describe('a removed job', () => {
  test('leaves force, and what of it waits is canceled', async () => {
    const job = manifestJob();
    const made = new World(start, [job]);
    await made.sweep();
    await made.sweepAt(at('08:05:30'));
    made.jobs = [];
    await made.sweepAt(at('08:06'));
    expect((await made.lines(job.id)).slice(0, 2)).toEqual([
      '08:01 canceled removed',
      '08:02 canceled removed',
    ]);
    expect((await made.ledger.job(job.id))?.specId).toBeUndefined();
  });

  test('gets its slot back when the lease of its last run ends, so that it runs again should it come back', async () => {
    const job = manifestJob({ schedule: cron('0 12 * * *') });
    const made = new World(start, [job]);
    await made.sweep();
    await deliver(made, job, at('12:00'));
    made.jobs = [];
    await made.sweepAt(at('12:01'));
    await made.sweepAt(at('12:10'));
    expect(await made.lines(job.id)).toEqual(['12:00 canceled removed']);
    expect(await made.ledger.job(job.id)).not.toHaveProperty('slot');
    made.jobs = [job];
    await made.sweepAt(at('12:11'));
    await succeed(made, await deliver(made, job, at('12:00') + day));
  });

  test('stays known to the ledger, so that an audit asks for its fires, until it comes back', async () => {
    const job = manifestJob();
    const made = new World(start, [job]);
    await made.sweep();
    made.jobs = [];
    await made.sweepAt(at('08:06'));
    expect(await made.ledger.manifest()).toMatchObject({ removed: [{ id: job.id, timezone: 'UTC' }] });
    made.jobs = [job];
    await made.sweepAt(at('08:07'));
    expect(await made.ledger.manifest()).toMatchObject({ removed: [] });
  });

  test('accounts for its fires of the minutes before its removal', async () => {
    const job = manifestJob();
    const made = new World(start, [job]);
    await made.sweep();
    made.jobs = [];
    await made.sweepAt(at('08:02:30'));
    expect(await made.lines(job.id)).toEqual(['08:01 canceled removed', '08:02 canceled removed']);
  });

  test('that comes back is owed nothing from between', async () => {
    const job = manifestJob();
    const made = new World(start, [job]);
    await made.sweep();
    made.jobs = [];
    await made.sweepAt(start + 1);
    made.jobs = [job];
    await made.sweepAt(at('09:00:30'));
    await made.sweepAt(at('09:05'));
    expect((await made.lines()).map((line) => line.slice(0, 5))).toEqual(['09:01']);
  });
});
