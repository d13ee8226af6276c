import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { pauseAfterFailures } from '../../functions/domain/pause.ts';
import { newRun } from '../../functions/domain/run.ts';
import { cron } from '../../functions/domain/schedule/index.ts';
import { hour } from '../../functions/domain/time.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { ledgerWith } from '../runtime/world.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { all } from '../support/ledger-records.ts';
import { deliver, end, succeed, World } from '../support/reconciler.ts';

const job = manifestJob({ id: 'billing/x', pauseAfter: 3, graceMs: 6 * hour });
const error = { name: 'TypeError', message: 'the bank sent no total' };

async function deployed(of: Parameters<typeof manifestJob>[0] = {}, ledger?: Ledger) {
  const failing = { ...job, ...of };
  const world = new World(at('11:59:30'), [failing], ledger);
  await world.sweep();
  return { world, failing };
}

async function failsAt(world: World, ...times: readonly string[]): Promise<void> {
  for (const time of times) {
    const run = await deliver(world, world.jobs[0] ?? job, at(time));
    world.now = at(time) + 10_000;
    await end(world, run, { kind: 'failed', error });
  }
}

const pauseOf = async ({ ledger }: World) => (await ledger.job(job.id))?.paused;

describe('a job with pauseAfter: 3', () => {
  test('is paused by the first sweep after its third failure in a row, and says why', async () => {
    const { world } = await deployed();
    await failsAt(world, '12:00', '12:01');
    await world.sweepAt(at('12:01:30'));
    expect(await pauseOf(world)).toBeUndefined();
    await failsAt(world, '12:02');
    await world.sweepAt(at('12:02:30'));
    expect(await pauseOf(world)).toEqual({
      at: at('12:02:30'),
      by: 'fireledger',
      note: '3 failures in a row, the last: billing/x#2026-12-01T12:02:00Z: TypeError: the bank sent no total',
    });
    await expect(deliver(world, job, at('12:03'))).rejects.toThrow('skip');
  });

  test('is not paused when one of its fires succeeds in between', async () => {
    const { world } = await deployed();
    await failsAt(world, '12:00', '12:01');
    await succeed(world, await deliver(world, job, at('12:02')));
    await failsAt(world, '12:03', '12:04');
    await world.sweepAt(at('12:04:30'));
    expect(await pauseOf(world)).toBeUndefined();
  });

  test('that a person resumes begins a new row', async () => {
    const { world } = await deployed();
    await failsAt(world, '12:00', '12:01', '12:02');
    await world.sweepAt(at('12:02:30'));
    await world.ledger.setPause(job.id, null);
    await world.sweepAt(at('12:02:40'));
    expect(await pauseOf(world)).toBeUndefined();
    await failsAt(world, '12:03', '12:04');
    await world.sweepAt(at('12:04:30'));
    expect(await pauseOf(world)).toBeUndefined();
    await failsAt(world, '12:05');
    await world.sweepAt(at('12:05:30'));
    expect(await pauseOf(world)).toMatchObject({ by: 'fireledger' });
  });

  test('that a person has paused keeps what that person said', async () => {
    const { world } = await deployed();
    await failsAt(world, '12:00', '12:01', '12:02');
    const own = { at: at('12:02:20'), by: 'ops', note: 'the bank is closed' };
    await world.ledger.setPause(job.id, own);
    await world.sweepAt(at('12:02:30'));
    expect(await pauseOf(world)).toEqual(own);
  });

  test('that a person pauses, or that succeeds, just before is left as it is', async () => {
    const memory = memoryLedger();
    const inBetween = { at: at('12:02:29'), by: 'ops', note: 'the bank is closed' };
    const setPause: Ledger['setPause'] = async (...args) => {
      if (args[2] !== undefined) await memory.setPause(job.id, inBetween);
      return memory.setPause(...args);
    };
    const { world } = await deployed({}, ledgerWith(memory, { setPause }));
    await failsAt(world, '12:00', '12:01', '12:02');
    await world.sweepAt(at('12:02:30'));
    expect(await pauseOf(world)).toEqual(inBetween);
    expect(world.problems).toEqual([]);
  });
});

test('a job without pauseAfter is never paused', async () => {
  const { pauseAfter: _none, ...patient } = job;
  const world = new World(at('11:59:30'), [patient]);
  await world.sweep();
  await failsAt(world, '12:00', '12:01', '12:02', '12:03');
  await world.sweepAt(at('12:03:30'));
  expect(await pauseOf(world)).toBeUndefined();
});

test('one that can not be paused is told, and the sweep goes on', async () => {
  const setPause = () => Promise.reject(new Error('no route'));
  const { world } = await deployed({}, ledgerWith(memoryLedger(), { setPause }));
  await failsAt(world, '12:00', '12:01', '12:02');
  expect(await world.sweepAt(at('12:02:30'))).not.toBeNull();
  expect(world.problems).toEqual(['a job that fails too often could not be paused']);
});

test('the note of a pause is short, and tells what it can', () => {
  const crashed = newRun({
    ...{ jobId: 'a', key: 'k', fireTime: 0, trigger: 'schedule', specId: 's', token: 't', createdAt: 0 },
    ...{ state: 'failed', reason: 'crashed' },
  });
  expect(pauseAfterFailures({ failuresInARow: 1 }, null, 0).note).toBe('1 failure');
  expect(pauseAfterFailures({ failuresInARow: 2 }, crashed, 0).note).toBe(
    '2 failures in a row, the last: a#k: crashed',
  );
  const long = { ...crashed, error: { name: 'Error', message: '😀'.repeat(1_000) } };
  const { note } = pauseAfterFailures({ failuresInARow: 2 }, long, 0);
  expect(note.length).toBeLessThanOrEqual(500);
  expect(note.isWellFormed()).toBe(true);
});

describe('a pause that was set for a time', () => {
  const own = { at: at('12:00:20'), by: 'ops', note: 'the bank is closed', until: at('12:05') };

  test('is ended by the first sweep after it, and that is on the log', async () => {
    const { world } = await deployed();
    await world.ledger.setPause(job.id, own);
    await world.sweepAt(at('12:04:59'));
    expect(await pauseOf(world)).toEqual(own);
    await world.sweepAt(at('12:05:30'));
    expect(await pauseOf(world)).toBeUndefined();
    await deliver(world, job, at('12:06'));
    expect(await all(world.ledger.actions({ from: 0, to: world.now }))).toEqual([
      { at: at('12:05:30'), by: 'fireledger', verb: 'resume', jobId: job.id },
    ]);
  });

  test('is ended then, whenever its job is due next', async () => {
    const { spec, specId } = manifestJob({ schedule: cron('0 6 1 * *') });
    const { world } = await deployed({ spec, specId });
    await world.ledger.setPause(job.id, own);
    await world.sweepAt(at('12:05:30'));
    expect(await pauseOf(world)).toBeUndefined();
  });

  test('skips no fire that is due at its end, though its alarm comes before the sweep', async () => {
    const { world } = await deployed();
    await world.ledger.setPause(job.id, own);
    await expect(deliver(world, job, at('12:04'))).rejects.toThrow('did not start: skip');
    await expect(deliver(world, job, at('12:05'))).rejects.toThrow('did not start: pause-over');
    await world.ledger.countStray(job.id, at('12:05'));
    await world.sweepAt(at('12:05:02'));
    expect(await world.lines()).toEqual(['12:05 offered']);
  });

  test('is left alone when a person sets another one just before', async () => {
    const memory = memoryLedger();
    const longer = { ...own, at: at('12:05:29'), until: at('18:00') };
    const setPause: Ledger['setPause'] = async (...args) => {
      if (args[1] === null) await memory.setPause(job.id, longer);
      return memory.setPause(...args);
    };
    const { world } = await deployed({}, ledgerWith(memory, { setPause }));
    await memory.setPause(job.id, own);
    await world.sweepAt(at('12:05:30'));
    expect(await pauseOf(world)).toEqual(longer);
  });
});
