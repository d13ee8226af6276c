import { describe, expect, test } from 'vitest';
import { cron } from '../../functions/domain/schedule/index.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import { sweep } from '../../functions/reconciler/sweep.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { World } from '../support/reconciler.ts';

const start = at('08:00:30');
const hourly = manifestJob({ schedule: cron('5 * * * *') });
const halfHourly = manifestJob({ schedule: cron('5,35 * * * *') });

describe('fires stay owed', () => {
  test('when a job’s schedules can’t be read: the sweep fails, and the next one finds them', async () => {
    const made = new World(start, [hourly]);
    await made.sweep();
    made.jobs = [halfHourly];
    const { specs } = made.ledger;
    made.ledger.specs = () => Promise.reject(new Error('throttled'));
    await expect(made.sweepAt(at('10:30'))).rejects.toThrow('throttled');
    made.ledger.specs = specs;
    await made.sweepAt(at('10:31'));
    expect(await made.lines()).toEqual([
      '08:05 waiting catch-up',
      '09:05 waiting catch-up',
      '10:05 waiting catch-up',
    ]);
  });

  test('while a job’s schedule can’t be worked out, and the accounts of other jobs go on', async () => {
    const other = manifestJob({ id: 'other', schedule: cron('0 * * * *') });
    const made = new World(start, [hourly, other]);
    await made.sweep();
    const compiled = compileOnce();
    let broken = true;
    const sweepAt = (now: number) => {
      made.now = now;
      return sweep(
        made.ports,
        { version: 1, jobs: made.jobs },
        {
          compiled: (specId, spec) => {
            if (broken && specId === hourly.specId) throw new RangeError('Invalid time zone specified');
            return compiled(specId, spec);
          },
          remainingMs: () => 60_000,
        },
      );
    };
    expect(await sweepAt(at('10:30'))).toMatchObject({ gap: 1, unaccountedMs: at('10:30') - start });
    expect((await made.lines('other')).map((line) => line.slice(0, 5))).toEqual(['09:00', '10:00']);
    expect(await sweepAt(at('10:31'))).toMatchObject({ gap: 1, unaccountedMs: at('10:31') - start });
    expect(made.invoked.map(({ jobId }) => jobId)).toEqual(['other']);
    broken = false;
    await sweepAt(at('10:32'));
    expect(await sweepAt(at('10:33'))).toMatchObject({ gap: 0, unaccountedMs: 0 });
    expect((await made.lines()).map((line) => line.slice(0, 5))).toEqual(['08:05', '09:05', '10:05']);
  });

  test('from the first publication on, though the first turn died after it', async () => {
    const made = new World(start, [hourly]);
    const { open } = made.ledger;
    made.ledger.open = () => Promise.reject(new Error('killed'));
    await expect(made.sweep()).rejects.toThrow('killed');
    made.ledger.open = open;
    await made.sweepAt(at('08:30'));
    expect(await made.lines()).toEqual(['08:05 waiting catch-up']);
  });

  test('of a job that comes back after a removal that was cut off, though it can’t be put in force at once', async () => {
    const made = new World(start, [hourly]);
    await made.sweep();
    const { open, publish } = made.ledger;
    made.jobs = [];
    made.ledger.open = () => Promise.reject(new Error('killed'));
    await expect(made.sweepAt(at('08:05:30'))).rejects.toThrow('killed');
    made.ledger.open = open;
    made.jobs = [hourly];
    made.ledger.publish = () => Promise.reject(new Error('throttled'));
    await made.sweepAt(at('08:09'));
    made.ledger.publish = publish;
    await made.sweepAt(at('08:10'));
    expect(await made.lines()).toEqual(['08:05 offered']);
  });
});

describe('what is published', () => {
  test('follows what was in force before, also by a clock that is behind', async () => {
    const made = new World(at('09:00'), [hourly]);
    await made.sweep();
    made.jobs = [halfHourly];
    await made.sweepAt(at('08:59:40'));
    expect((await made.ledger.specs(hourly.id)).map(({ specId }) => specId)).toEqual([
      hourly.specId,
      halfHourly.specId,
    ]);
    made.jobs = [];
    await made.sweepAt(at('08:59:50'));
    expect((await made.ledger.specs(hourly.id)).at(-1)).toMatchObject({ spec: null });
  });

  test('by a clock that was ahead is due from that clock’s instant on, and each sweep until then says so', async () => {
    const made = new World(at('10:00'), [hourly]);
    await made.sweep();
    await made.sweepAt(at('08:30'));
    await made.sweepAt(at('09:10'));
    expect(made.warnings.map(({ fields }) => fields)).toEqual([
      { jobId: hourly.id, inForceFrom: '2026-12-01T10:00:00Z', now: '2026-12-01T08:30:00Z' },
      { jobId: hourly.id, inForceFrom: '2026-12-01T10:00:00Z', now: '2026-12-01T09:10:00Z' },
    ]);
    await made.sweepAt(at('10:10'));
    expect(await made.lines()).toEqual(['10:05 waiting catch-up']);
  });

  test('stops no sweep when its manifest can’t be saved, and is saved by the next', async () => {
    const made = new World(start, [hourly]);
    const { saveManifest } = made.ledger;
    made.ledger.saveManifest = () => Promise.reject(new Error('too large'));
    await made.sweep();
    await made.sweepAt(at('08:30'));
    expect(await made.lines()).toEqual(['08:05 waiting catch-up']);
    expect(made.problems).toContain('the manifest could not be saved');
    made.ledger.saveManifest = saveManifest;
    await made.sweepAt(at('08:31'));
    expect(await made.ledger.manifest()).toMatchObject({ jobs: [{ id: hourly.id }] });
  });
});
