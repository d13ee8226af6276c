import { describe, expect, test } from 'vitest';
import type { Run } from '../../functions/domain/run.ts';
import { beginBackfill, previewBackfill, withdrawBackfill } from '../../functions/operator/backfill.ts';
import { cancel } from '../../functions/operator/cancel.ts';
import { pause, resume } from '../../functions/operator/pause.ts';
import { type Operator, Unseen } from '../../functions/operator/ports.ts';
import { release } from '../../functions/operator/release.ts';
import { retry } from '../../functions/operator/retry.ts';
import { trigger } from '../../functions/operator/trigger.ts';
import { ledgerWith } from '../runtime/world.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { all, record } from '../support/ledger-records.ts';
import { deliver, end, succeed, World } from '../support/reconciler.ts';

const job = manifestJob({ id: 'billing/x' });
const error = { name: 'TypeError', message: 'the bank sent no total' };

async function acting() {
  const world = new World(at('11:59:30'), [job]);
  await world.sweep();
  const nudges: string[] = [];
  let tokens = 0;
  const operator: Operator = {
    ledger: world.ledger,
    clock: () => world.now,
    drawToken: () => `token${(tokens++).toString().padStart(3, '0')}`,
    by: 'ops',
    nudge: async (why) => {
      nudges.push(why);
    },
  };
  const logged = () => all(world.ledger.actions({ from: 0, to: world.now }));
  return { world, operator, nudges, logged };
}

async function failed(world: World, time: string): Promise<Run> {
  const run = await deliver(world, job, at(time));
  world.now = at(time) + 10_000;
  await end(world, run, { kind: 'failed', error });
  return (await world.ledger.run(run)) ?? run;
}

describe('what a person does', () => {
  test('and is written, but can’t be read, is no failure that asks for it once more', async () => {
    const { world, operator } = await acting();
    const { ledger } = world;
    const ports = {
      job: ledger.job.bind(ledger),
      create: ledger.create.bind(ledger),
      run: async () => Promise.reject(new Error('the store throttles')),
    };
    const started = trigger({ ...operator, ledger: { ...ledger, ...ports } as Operator['ledger'] }, job, {
      fireTime: at('09:00'),
    });
    await expect(started).rejects.toThrow(Unseen);
    await expect(started).rejects.toThrow(
      /^billing\/x#2026-12-01T09:00:00Z~\S+ was written, but can't be read/,
    );
    expect(await all(world.ledger.history(job.id, { from: at('09:00'), to: at('09:00') }))).toHaveLength(1);
  });

  test('is on the log with who, when and why, and the reconciler is told', async () => {
    const { world, operator, nudges, logged } = await acting();
    const note = 'the bank is back';
    const run = await failed(world, '12:00');
    expect(await retry(operator, run, job, { note })).toMatchObject({ state: 'waiting' });
    const waiting = (await world.ledger.run(run)) ?? run;
    expect(await cancel(operator, waiting, note)).toMatchObject({ state: 'canceled' });
    const started = await trigger(operator, job, { note, fireTime: at('09:00'), input: 7 });
    expect(started.key).toBe('2026-12-01T09:00:00Z~manual-token002');
    const parked = record(at('08:00'), { jobId: job.id, state: 'parked', reason: 'crashed' });
    await world.ledger.create(parked);
    await release(operator, parked, { verdict: 'fail', said: null, note });
    const by = { at: world.now, by: 'ops', note, jobId: job.id };
    const lines = await logged();
    expect(lines).toHaveLength(4);
    expect(lines).toEqual(
      expect.arrayContaining([
        { ...by, verb: 'retry', run: run.key, details: { keepsSteps: false } },
        { ...by, verb: 'cancel', run: run.key },
        { ...by, verb: 'trigger', run: started.key },
        { ...by, verb: 'release', run: parked.key, details: { as: 'fail' } },
      ]),
    );
    expect(nudges).toHaveLength(4);
  });

  test('is refused, and on no log, when it can’t be done', async () => {
    const { world, operator, logged } = await acting();
    const run = await deliver(world, job, at('12:00'));
    await expect(retry(operator, run, job)).rejects.toThrow(/is running: it runs, or will/);
    await succeed(world, run);
    const done = (await world.ledger.run(run)) ?? run;
    await expect(retry(operator, done, job)).rejects.toThrow('trigger its job');
    await expect(cancel(operator, done)).rejects.toThrow('is succeeded already');
    await expect(cancel(operator, run)).rejects.toThrow('was changed meanwhile: it is succeeded');
    await expect(resume(operator, job.id)).rejects.toThrow('is not paused');
    await expect(pause(operator, 'unknown')).rejects.toThrow('does not know unknown yet');
    await expect(pause(operator, job.id, { until: world.now })).rejects.toThrow('over already');
    await expect(trigger(operator, { id: 'unknown' }, {})).rejects.toThrow('not in force yet');
    expect(await logged()).toEqual([]);
  });

  test('a pause keeps its note and its end; a resume ends that pause, and no other', async () => {
    const { world, operator, logged } = await acting();
    const until = at('18:00');
    const paused = await pause(operator, job.id, { note: 'stock-taking', until });
    expect(paused).toEqual({ at: at('11:59:30'), by: 'ops', note: 'stock-taking', until });
    expect((await world.ledger.job(job.id))?.paused).toEqual(paused);
    expect(await resume(operator, job.id, { note: 'done' })).toEqual(paused);
    expect((await world.ledger.job(job.id))?.paused).toBeUndefined();
    expect((await logged()).map(({ verb }) => verb).sort()).toEqual(['pause', 'resume']);
  });
});

test('a pause that is said anew goes on from its beginning: what it skipped before is made up as well', async () => {
  const { world, operator } = await acting();
  await pause(operator, job.id, { note: 'stock-taking' });
  await world.sweepAt(at('12:03:30'));
  await pause(operator, job.id, { note: 'stock-taking takes longer', until: at('18:00') });
  await world.sweepAt(at('12:06:30'));
  const was = await resume(operator, job.id);
  expect(was).toEqual({
    ...{ at: at('11:59:30'), by: 'ops', note: 'stock-taking takes longer', until: at('18:00') },
  });
  const range = { from: was.at, to: at('12:03') };
  const { fires } = await previewBackfill(operator, job, { range, only: 'skipped' });
  expect(fires.map(({ key }) => key.slice(11, 16))).toEqual(['12:00', '12:01', '12:02', '12:03']);
});

describe('a backfill', () => {
  const range = { from: at('11:55'), to: at('12:03') };

  test('makes up what failed, what was missed, and what was due before the job was there', async () => {
    const { world, operator, logged } = await acting();
    await failed(world, '12:00');
    await succeed(world, await deliver(world, job, at('12:01')));
    world.now = at('12:20');
    const kinds = async (only: 'missed' | 'failed' | 'all') =>
      (await previewBackfill(operator, job, { range, only })).fires.map(({ key }) => key.slice(11, 16));
    expect(await kinds('failed')).toEqual(['12:00']);
    expect(await kinds('missed')).toEqual(['11:55', '11:56', '11:57', '11:58', '11:59', '12:02', '12:03']);
    const plan = await previewBackfill(operator, job, { range, only: 'all' });
    expect(plan.fires).toHaveLength(8);
    expect(plan.left).toEqual({ succeeded: 1 });
    expect(await logged()).toEqual([]);
    const written = await beginBackfill(operator, job, plan, { range, only: 'all', note: 'the outage' });
    expect(written).toHaveLength(8);
    for (const run of await world.ledger.runs(written))
      expect(run).toMatchObject({
        ...{ state: 'waiting', reason: 'catch-up', trigger: 'backfill' },
        requested: { by: 'ops', note: 'the outage' },
      });
    expect(await logged()).toMatchObject([{ verb: 'backfill', details: { fires: 8, only: 'all' } }]);
    await world.sweepAt(at('12:20:10'));
    expect((await world.ledger.runs(written)).map(({ state }) => state)).toContain('offered');
  });

  test('begins with the newest when it is told so, stops when it is told so, and takes back what waits', async () => {
    const { world, operator, logged } = await acting();
    world.now = at('12:20');
    const plan = await previewBackfill(operator, job, { range, only: 'missed' });
    const order = 'newest-first' as const;
    const goOn = async (written: readonly unknown[]) => written.length < 3;
    const written = await beginBackfill(operator, job, plan, { range, only: 'missed', order, goOn });
    expect(written.map(({ key }) => key.slice(11, 16))).toEqual(['12:03', '12:02', '12:01']);
    expect(await withdrawBackfill(operator, job.id, written)).toBe(3);
    for (const run of await world.ledger.runs(written)) expect(run.state).toBe('canceled');
    expect((await world.ledger.job(job.id))?.catchUp).toMatchObject({ waiting: 0 });
    expect((await logged()).map(({ verb }) => verb)).toEqual(expect.arrayContaining(['cancel', 'backfill']));
    const again = await previewBackfill(operator, job, { range, only: 'missed' });
    expect(again.fires.map(({ key }) => key)).toEqual(plan.fires.map(({ key }) => key));
  });

  test('is taken back whole, though the reconciler starts some of it meanwhile', async () => {
    const { world, operator } = await acting();
    world.now = at('12:20');
    const plan = await previewBackfill(operator, job, { range, only: 'missed' });
    const written = await beginBackfill(operator, job, plan, { range, only: 'missed' });
    let sweeps = 0;
    const move: Operator['ledger']['move'] = async (...args) => {
      if (sweeps++ === 2) await world.sweep();
      return world.ledger.move(...args);
    };
    const withdrawn = await withdrawBackfill(
      { ...operator, ledger: ledgerWith(world.ledger, { move }) },
      job.id,
      written,
    );
    const states = (await world.ledger.runs(written)).map(({ state }) => state);
    expect(states.filter((state) => state !== 'canceled')).toEqual(['offered']);
    expect(withdrawn).toBe(written.length - 1);
  });

  test('leaves fires to their alarms that have no record and are within their grace, and refuses when there is nothing', async () => {
    const { world, operator } = await acting();
    await failed(world, '12:02');
    world.now = at('12:03:30');
    const plan = await previewBackfill(operator, job, {
      range: { from: at('12:00'), to: at('12:03') },
      only: 'all',
    });
    expect(plan.fires.map(({ key }) => key.slice(11, 16))).toEqual(['12:00', '12:02']);
    const none = { fires: [], left: {} };
    await expect(beginBackfill(operator, job, none, { range, only: 'all' })).rejects.toThrow(
      'nothing to make up',
    );
  });
});
