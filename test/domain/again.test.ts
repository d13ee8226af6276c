import { describe, expect, test } from 'vitest';
import type { Action } from '../../functions/domain/action.ts';
import { type Haste, madeUp, runAgain } from '../../functions/domain/again.ts';
import type { Reason, Run, RunState } from '../../functions/domain/run.ts';
import { openStates, turnOf } from '../../functions/domain/run.ts';
import { day } from '../../functions/domain/time.ts';
import { manualRun } from '../../functions/domain/trigger.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { all, record } from '../support/ledger-records.ts';
import { deliver, end, succeed, take, World } from '../support/reconciler.ts';

const job = manifestJob({ id: 'billing/x', missed: { ...manifestJob().missed, limit: 2, ratePerMinute: 2 } });
const error = { name: 'TypeError', message: 'the bank sent no total' };
const requested = (now: number) => ({ at: now, by: 'ops', note: 'the bank is back' });

async function deployed(): Promise<World> {
  const world = new World(at('11:59:30'), [job]);
  await world.sweep();
  return world;
}

async function askFor(world: World, run: Run, haste: Haste, keepsSteps = false) {
  const action: Action = { at: world.now, by: 'ops', verb: haste, jobId: run.jobId, run: run.key };
  const again = runAgain(run, {
    ...{ haste, keepsSteps, action },
    ...{ requested: requested(world.now), token: `again-${run.key}` },
  });
  if (again.kind === 'refused') throw new Error(again.why);
  const { fence, change, effect } = again;
  return world.ledger.move(run, fence, change, { effect });
}

async function failed(world: World, time: string): Promise<Run> {
  const run = await deliver(world, job, at(time));
  world.now = at(time) + 10_000;
  await end(world, run, { kind: 'failed', error });
  return (await world.ledger.run(run)) ?? run;
}

async function takeOffered(world: World, { jobId, key }: Run): Promise<Run> {
  const offered = await world.ledger.run({ jobId, key });
  if (offered?.state !== 'offered') throw new Error(`${key} is ${offered?.state}, not offered`);
  return take(world, offered, job);
}

const stateOf = async (world: World) => world.ledger.job(job.id);

describe('a run that ended without success, and that a person wants run once more', () => {
  test.each([
    [360, 'write'],
    [361, 'refused'],
  ])('%d days after it was recorded: %s, before its steps are deleted one after the other', (days, kind) => {
    const once = record(at('12:00'), { state: 'failed', createdAt: at('12:00') });
    const wish = { haste: 'retry', keepsSteps: true, token: 'again' } as const;
    expect(runAgain(once, { ...wish, requested: requested(at('12:00') + days * day) }).kind).toBe(kind);
  });

  test('waits for its slot, starts with the next sweep, and is the same run with one attempt more', async () => {
    const world = await deployed();
    const run = await failed(world, '12:00');
    expect(await askFor(world, run, 'retry')).toEqual({ kind: 'done' });
    expect(await world.ledger.run(run)).toMatchObject({
      ...{ state: 'waiting', reason: 'slot', attentionAt: turnOf(run.fireTime, 'slot'), trigger: 'schedule' },
      ...{ requested: { by: 'ops', note: 'the bank is back' }, restarts: 1 },
    });
    expect(await stateOf(world)).toMatchObject({ queued: 1 });
    await world.sweepAt(at('12:00:30'));
    const again = await takeOffered(world, run);
    await succeed(world, again);
    const done = await world.ledger.run(run);
    expect(done).toMatchObject({ state: 'succeeded' });
    expect(done?.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
    expect(done).not.toHaveProperty('error');
    expect(await stateOf(world)).toMatchObject({ queued: 0 });
    expect(await all(world.ledger.actions({ from: 0, to: world.now }))).toEqual([
      { at: at('12:00:10'), by: 'ops', verb: 'retry', jobId: job.id, run: run.key },
    ]);
  });

  test('goes on where it was, or begins anew, as the person says', () => {
    const run = record(at('12:00'), { state: 'failed', reason: 'error', restarts: 2, cursor: 7, crashes: 3 });
    const wish = { haste: 'retry', requested: requested(at('13:00')), token: 'b' } as const;
    const kept = runAgain(run, { ...wish, keepsSteps: true });
    const anew = runAgain(run, { ...wish, keepsSteps: false });
    expect(kept).toMatchObject({ change: { set: { crashes: 0, failures: 0, reoffers: 0 } } });
    expect(kept).not.toHaveProperty('change.set.restarts');
    expect(kept.kind === 'write' && kept.change.clear).not.toContain('cursor');
    expect(anew).toMatchObject({ change: { set: { restarts: 3 } } });
    expect(anew.kind === 'write' && anew.change.clear).toContain('cursor');
  });

  test('is refused while it is open, when it has succeeded, and when another run stands for it', () => {
    const wish = { haste: 'retry', keepsSteps: true, requested: requested(0), token: 'b' } as const;
    const why = (state: RunState, more: Partial<Run> = {}) => {
      const again = runAgain(record(at('12:00'), { state, ...more }), wish);
      return again.kind === 'refused' ? again.why : null;
    };
    for (const state of openStates) expect(why(state)).toMatch(/12:00:00Z is /);
    expect(why('parked')).toContain('release');
    expect(why('succeeded')).toContain('trigger its job for that time');
    const supersededBy = '2026-12-01T12:05:00Z';
    expect(why('skipped', { reason: 'superseded', supersededBy })).toContain(`${supersededBy} stands for it`);
    expect(why('skipped', { reason: 'superseded' })).toBeNull();
    const reasons: [RunState, Reason][] = [
      ['failed', 'crashed'],
      ['canceled', 'operator'],
      ['missed', 'too-old'],
      ['skipped', 'paused'],
    ];
    for (const [state, reason] of reasons) expect(why(state, { reason })).toBeNull();
  });
});

describe('fires that a person has made up', () => {
  const early = ['09:00', '09:01', '09:02', '09:03'] as const;

  async function backfilled(world: World): Promise<Run[]> {
    const runs = early.map((time) =>
      madeUp(
        { jobId: job.id, key: record(at(time)).key },
        { fireTime: at(time), specId: job.specId, token: time, requested: requested(world.now) },
      ),
    );
    for (const { run, effect } of runs)
      expect(await world.ledger.create(run, effect)).toEqual({ kind: 'done' });
    return runs.map(({ run }) => run);
  }

  test('are bounded by no limit, and count against none of what the job misses by itself', async () => {
    const world = await deployed();
    await backfilled(world);
    expect(await stateOf(world)).toMatchObject({ catchUp: { waiting: 0 } });
    await world.sweepAt(at('12:10:30'));
    expect(await stateOf(world)).toMatchObject({ catchUp: { waiting: 2 } });
  });

  test('go one at a time, oldest first, within the job’s rate, and leave no tally', async () => {
    const world = await deployed();
    const [first, second, third] = await backfilled(world);
    if (!first || !second || !third) throw new Error('four are made up');
    await world.sweepAt(at('11:59:40'));
    for (const [run, next] of [
      [first, '11:59:45'],
      [second, '11:59:50'],
    ] as const) {
      await succeed(world, await takeOffered(world, run));
      await world.sweepAt(at(next));
    }
    expect(await world.ledger.run(third)).toMatchObject({ state: 'waiting' });
    expect(await stateOf(world)).toMatchObject({ catchUp: { waiting: 0, admitted: 2 } });
    await world.sweepAt(at('12:00:01'));
    expect(await world.ledger.run(third)).toMatchObject({ state: 'offered', trigger: 'backfill' });
  });
});

describe('a run that a person starts', () => {
  test('is beside the schedule, works for the minute it was given, and waits for its slot', async () => {
    const world = await deployed();
    const asked = {
      nonce: 'x7',
      token: 'manual',
      requested: requested(world.now),
      input: { month: '2026-11' },
    };
    const { run, effect } = manualRun(
      { jobId: job.id, specId: job.specId },
      {
        ...asked,
        fireTime: at('09:00:42'),
        action: (key) => ({ at: world.now, by: 'ops', verb: 'trigger', jobId: job.id, run: key }),
      },
    );
    expect(run).toMatchObject({
      key: '2026-12-01T09:00:00Z~manual-x7',
      trigger: 'manual',
      fireTime: at('09:00'),
    });
    expect(await world.ledger.create(run, effect)).toEqual({ kind: 'done' });
    await world.sweepAt(at('11:59:40'));
    const started = await takeOffered(world, run);
    expect(started).toMatchObject({ input: { month: '2026-11' }, trigger: 'manual' });
    await succeed(world, started);
    expect(await stateOf(world)).toMatchObject({ queued: 0 });
    expect(await all(world.ledger.actions({ from: 0, to: world.now }))).toMatchObject([
      { verb: 'trigger', run: run.key },
    ]);
  });
});
