import { describe, expect, test } from 'vitest';
import { runAgain } from '../../functions/domain/again.ts';
import { reopening } from '../../functions/domain/closed-days/index.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { Unwritable } from '../../functions/domain/ledger.ts';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { neverNeedsAttention, type Run } from '../../functions/domain/run.ts';
import { every } from '../../functions/domain/schedule/index.ts';
import { day, hour, minute, toIso } from '../../functions/domain/time.ts';
import { manualRun } from '../../functions/domain/trigger.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { manifestJob } from '../support/jobs.ts';
import { all, record } from '../support/ledger-records.ts';
import { deliver, end, succeed, take, World } from '../support/reconciler.ts';

/** A Monday at noon; its jobs are due at 18:00 and every six hours after that. */
const noon = Date.parse('2026-11-30T12:00:30Z');
const monday = Date.parse('2026-11-30T00:00:00Z');
const failure = { kind: 'failed', error: { name: 'Error', message: 'no' } } as const;
const ever = { from: 0, to: Number.MAX_SAFE_INTEGER };

function sixHourly(id: string): ManifestJob {
  const missed = { policy: 'skip', limit: 1, maxAgeMs: day, ratePerMinute: 10 } as const;
  return manifestJob({ id, schedule: every('6 hours'), missed });
}

const job = sixHourly('billing/send-invoices');

async function deployed(jobs: readonly ManifestJob[] = [job], ledger?: Ledger): Promise<World> {
  const world = new World(noon, jobs, ledger);
  await world.sweep();
  return world;
}

/** Each fire runs a minute, and a sweep passes. */
async function live(world: World, days: number): Promise<void> {
  const until = world.now + days * day;
  for (let at = Math.ceil(world.now / (6 * hour)) * 6 * hour; at <= until; at += 6 * hour) {
    world.now = at;
    for (const one of world.jobs) {
      const run = await deliver(world, one, at, `${one.id}-${at}`);
      world.now = at + minute;
      await succeed(world, run);
    }
    await world.sweepAt(at + 5 * minute);
  }
}

async function days(world: World, jobId = job.id): Promise<string[]> {
  const closed = await all(world.ledger.closedDays(jobId, ever));
  return closed.map(({ day: first, counts }) => {
    const { expected, recorded } = counts;
    return `${toIso(first).slice(0, 10)} ${recorded} of ${expected}`;
  });
}

/** Hourly sweeps. */
async function sweepFor(world: World, hours: number): Promise<void> {
  for (let count = 0; count < hours; count += 1) await world.sweepAt(world.now + hour);
}

function retry(world: World, run: Run) {
  const requested = { at: world.now, by: 'operator' };
  const again = runAgain(run, { haste: 'retry', keepsSteps: false, requested, token: `again-${world.now}` });
  if (again.kind === 'refused') throw new Error(again.why);
  return world.ledger.move(run, again.fence, again.change, { effect: again.effect });
}

describe('a day of a job', () => {
  test('is closed within two hours and some minutes of its end, with what was due and recorded', async () => {
    const world = await deployed();
    await live(world, 0.5);
    await world.sweepAt(monday + day + 59 * minute);
    expect(await days(world)).toEqual([]);
    await sweepFor(world, 2);
    expect(await days(world)).toEqual(['2026-11-30 1 of 1']);
    expect(await world.ledger.job(job.id)).toMatchObject({ closedUntil: monday + day });
    await live(world, 2);
    expect(await days(world)).toEqual(['2026-11-30 1 of 1', '2026-12-01 4 of 4']);
  });

  test('stays open while a run of it is, and is closed later, while the days after it are', async () => {
    const world = await deployed();
    world.now = monday + 18 * hour;
    const run = await deliver(world, job, world.now);
    world.now += minute;
    await end(world, run, failure);
    const [failed] = await world.runs();
    if (failed === undefined) throw new Error('There is no run.');
    await retry(world, failed);
    await world.ledger.setPause(job.id, { at: world.now, by: 'operator', note: 'looking' });
    await sweepFor(world, 6 + 26);
    expect(await days(world)).toEqual(['2026-12-01 4 of 4']);
    expect(await world.ledger.job(job.id)).toMatchObject({ openDays: [monday] });
    await world.ledger.setPause(job.id, null);
    await world.sweep();
    await succeed(world, await take(world, world.invoked.at(-1) ?? failed, job));
    await sweepFor(world, 2);
    expect(await days(world)).toEqual(['2026-11-30 1 of 1', '2026-12-01 4 of 4']);
    expect((await world.ledger.job(job.id))?.openDays).toBeUndefined();
  });

  test('is opened by a retry, and says what came of it once it is closed anew', async () => {
    const world = await deployed();
    world.now = monday + 18 * hour;
    await end(world, await deliver(world, job, world.now), failure);
    await sweepFor(world, 8);
    expect(await days(world)).toEqual(['2026-11-30 1 of 1']);
    const [run] = await world.runs();
    if (run === undefined) throw new Error('There is no run.');
    await retry(world, run);
    expect(await days(world)).toEqual([]);
    await world.sweep();
    await succeed(world, await take(world, world.invoked.at(-1) ?? run, job));
    await sweepFor(world, 1);
    const [closed] = await all(world.ledger.closedDays(job.id, ever));
    expect(closed).toMatchObject({ day: monday, counts: { states: { failed: 0, succeeded: 1 } } });
  });

  test('is opened by a run that a person starts for it, though it lies before the first that was ever closed', async () => {
    const world = await deployed();
    await live(world, 1);
    const requested = { at: world.now, by: 'operator' };
    const of = { fireTime: monday - 3 * day, requested, nonce: 'a1', token: 'manual' };
    const { run, effect } = manualRun({ jobId: job.id, specId: job.specId }, of);
    await world.ledger.create(run, effect);
    await world.sweep();
    await succeed(world, await take(world, world.invoked.at(-1) ?? run, job));
    await sweepFor(world, 1);
    expect(await days(world)).toContain('2026-11-27 0 of 0');
  });

  test('is closed in its turn, however many before it wait for a person', async () => {
    const world = await deployed();
    await live(world, 8);
    for (let number = 0; number < 7; number += 1) {
      const fireTime = monday + number * day + hour;
      const isLast = number === 6;
      const run = record(fireTime, {
        ...({ key: `${toIso(fireTime)}~manual-a1`, trigger: 'manual', token: `m${number}` } as const),
        ...(isLast ? { state: 'canceled' } : { state: 'parked', attentionAt: neverNeedsAttention }),
      });
      await world.ledger.create(run, { reopens: reopening(run) });
    }
    await sweepFor(world, 3);
    expect(await days(world)).toContain('2026-12-06 4 of 4');
    expect(await days(world)).not.toContain('2026-12-05 4 of 4');
  });

  test('of which a record is gone is left, and the ones after it are closed', async () => {
    const ledger = memoryLedger();
    const world = await deployed([job], ledger);
    await live(world, 0.5);
    ledger.expire({ jobId: job.id, key: '2026-11-30T18:00:00Z' });
    await live(world, 1);
    await sweepFor(world, 8);
    expect(await days(world)).toEqual(['2026-12-01 4 of 4']);
    expect(world.warnings.filter(({ fields }) => fields.day === '2026-11-30')).toHaveLength(1);
  });

  test('that is too large to be kept is left, and the ones after it are closed', async () => {
    const ledger = memoryLedger();
    const close = ledger.closeDay.bind(ledger);
    ledger.closeDay = (closed, fence) =>
      closed.day === monday ? Promise.reject(new Unwritable('too large')) : close(closed, fence);
    const world = await deployed([job], ledger);
    await live(world, 2);
    expect(await days(world)).toEqual(['2026-12-01 4 of 4']);
    expect(world.problems).toEqual([]);
  });

  test('that can’t be read holds up no other job', async () => {
    const ledger = memoryLedger();
    const record = ledger.dayRecord.bind(ledger);
    ledger.dayRecord = (ref) => (ref.jobId === job.id ? Promise.reject(new Error('no')) : record(ref));
    const other = sixHourly('reports/nightly');
    const world = await deployed([job, other], ledger);
    await live(world, 1.5);
    expect(await days(world, other.id)).toEqual(['2026-11-30 1 of 1']);
    expect(world.problems).toContain('a day of a job could not be closed');
  });

  test('of a job that was removed is closed, up to the one on which it was', async () => {
    const other = sixHourly('reports/nightly');
    const world = await deployed([job, other]);
    await live(world, 1);
    world.jobs = [other];
    await world.sweep();
    await live(world, 3);
    expect(await days(world)).toEqual(['2026-11-30 1 of 1', '2026-12-01 3 of 3']);
    expect(await days(world, other.id)).toHaveLength(4);
  });
});

describe('a ledger whose days nobody has closed', () => {
  test('has them closed a few at a time, oldest first, and no job twice within an hour', async () => {
    const ledger = memoryLedger();
    const leave = ledger.closeDay.bind(ledger);
    ledger.closeDay = async () => 'refused';
    const world = await deployed([job], ledger);
    await live(world, 9);
    expect(await days(world)).toEqual([]);
    ledger.closeDay = leave;
    await sweepFor(world, 1);
    expect(await days(world)).toHaveLength(4);
    for (let count = 0; count < 50; count += 1) await world.sweepAt(world.now + minute);
    expect(await days(world)).toHaveLength(4);
    await sweepFor(world, 1);
    expect(await days(world)).toHaveLength(8);
  });

  test('has none closed for which no time is left', async () => {
    const world = await deployed();
    await live(world, 0.5);
    world.now = monday + day + 3 * hour;
    await world.sweep(14_000);
    expect(await days(world)).toEqual([]);
    await sweepFor(world, 1);
    expect(await days(world)).toHaveLength(1);
  });

  test('has those of many jobs closed in different minutes', async () => {
    const jobs = Array.from({ length: 30 }, (_, number) => sixHourly(`job-${number}`));
    const world = await deployed(jobs);
    await live(world, 0.5);
    const closed: number[] = [];
    for (let count = 0; count < 120; count += 1) {
      await world.sweepAt(world.now + minute);
      const lists = await Promise.all(jobs.map(({ id }) => days(world, id)));
      closed.push(lists.flat().length);
    }
    const steps = closed.map((count, index) => count - (closed[index - 1] ?? 0));
    expect(closed.at(-1)).toBe(30);
    expect(Math.max(...steps)).toBe(1);
  });
});

test('a sweep of a day with nothing to close asks the ledger for nothing more', async () => {
  const ledger = memoryLedger();
  const asked: string[] = [];
  const world = await deployed(
    [job],
    new Proxy(ledger, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        return (...args: unknown[]) => {
          asked.push(String(name));
          return own.apply(target, args);
        };
      },
    }),
  );
  await live(world, 0.25);
  expect(asked).not.toContain('dayRecord');
  expect(asked).not.toContain('specs');
});
