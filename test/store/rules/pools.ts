import { expect, it } from 'vitest';
import { noCatchUp } from '../../../functions/domain/catch-up.ts';
import { finishedOrLost } from '../../../functions/domain/finish.ts';
import type { Ledger, PoolEffect } from '../../../functions/domain/ledger.ts';
import { runId } from '../../../functions/domain/names.ts';
import type { PoolState, Weights } from '../../../functions/domain/pools.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { decideStart } from '../../../functions/domain/start.ts';
import { minute } from '../../../functions/domain/time.ts';
import { admission, waitForPools } from '../../../functions/domain/waiting.ts';
import {
  claim,
  fireTime,
  jobId,
  publishFirst,
  record,
  refused,
  stateOf,
} from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';
import { finishing } from './finishing.ts';

const database = 'reports-db';
const mailer = 'mail-server';

/** A ledger that knows the job and these pools. */
async function publishPools(ledger: Ledger, capacities: Weights): Promise<void> {
  await publishFirst(ledger);
  for (const [name, capacity] of Object.entries(capacities))
    await ledger.publishPool({ name, capacity }, null);
}

async function poolOf(ledger: Ledger, name = database): Promise<PoolState> {
  const pool = (await ledger.pools([name])).get(name);
  if (pool === undefined) throw new Error(`The ledger does not know the pool ${name}.`);
  return pool;
}

/** The claim of the nth fire of a job that needs pools. */
function needing(pools: Weights, index = 0) {
  return claim(`run-${index}`, { overlap: 'allow', pools }, fireTime + index * minute);
}

async function started(ledger: Ledger, pools: Weights, index = 0): Promise<Run> {
  const { run, effect } = needing(pools, index);
  expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
  return run;
}

/** A fire that found no room, and waits. */
async function waiting(ledger: Ledger, pools: Weights, index: number): Promise<Run> {
  const { run, effect } = waitForPools(needing(pools, index), { token: `w-${index}`, now: fireTime });
  expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
  return run;
}

function admit(ledger: Ledger, run: Run, pools: Weights) {
  const by = { catchUp: noCatchUp, token: 'reconciler', now: fireTime + 5_000 };
  const { fence, change, effect } = admission(run, { overlap: 'allow', graceMs: minute, pools }, by);
  return ledger.move(run, fence, change, { effect });
}

/** A run without a claim, that does something to pools all the same. */
function withEffects(ledger: Ledger, index: number, ...pools: readonly PoolEffect[]) {
  return ledger.create(record(fireTime + index * minute), { pools });
}

const oneUnit = { kind: 'take', weight: 1 } as const;

/** What runs take of pools, give back, and wait for. */
export function poolRules(open: Opener): void {
  it('holds what a run needs under its name from its start to its end', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 3 });
    const run = await started(ledger, { [database]: 2 });
    const held = { name: database, capacity: 3, free: 1, waiting: 0, holds: { [runId(run)]: 2 } };
    expect(await poolOf(ledger)).toEqual(held);
    expect(await ledger.run(run)).toEqual(run);
    expect(await finishing(run).first(ledger)).toEqual({ kind: 'done' });
    expect(await poolOf(ledger)).toEqual({ ...held, free: 3, holds: {} });
  });

  it('refuses what is more than is free, names the pool, and writes nothing', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 3 });
    await started(ledger, { [database]: 2 });
    const before = await poolOf(ledger);
    const claimed = needing({ [database]: 2 }, 1);
    const answer = await ledger.create(claimed.run, claimed.effect);
    expect(answer).toEqual({ kind: 'refused', pools: { [database]: before } });
    expect(decideStart(answer, claimed)).toEqual({ kind: 'wait', pools: [before] });
    expect(await ledger.run(claimed.run)).toBeNull();
    expect(await poolOf(ledger)).toEqual(before);
    await started(ledger, { [database]: 1 }, 2);
    expect(await poolOf(ledger)).toMatchObject({ free: 0 });
  });

  it('gives a newcomer nothing while others wait, though it is free; who waits takes it, and is counted no more', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 3 });
    const waiter = await waiting(ledger, { [database]: 3 }, 1);
    expect(await poolOf(ledger)).toMatchObject({ free: 3, waiting: 1, holds: {} });
    const newcomer = needing({ [database]: 1 }, 2);
    const answer = await ledger.create(newcomer.run, newcomer.effect);
    expect(answer).toEqual({ kind: 'refused', pools: { [database]: await poolOf(ledger) } });
    expect(await admit(ledger, waiter, { [database]: 3 })).toEqual({ kind: 'done' });
    expect(await poolOf(ledger)).toMatchObject({ free: 0, waiting: 0, holds: { [runId(waiter)]: 3 } });
    expect(await ledger.run(waiter)).toMatchObject({ state: 'offered', holds: { [database]: 3 } });
  });

  it('admits nobody for whom too little is free, and counts it on', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 3 });
    await started(ledger, { [database]: 1 });
    const waiter = await waiting(ledger, { [database]: 3 }, 1);
    const before = await poolOf(ledger);
    const answer = await admit(ledger, waiter, { [database]: 3 });
    expect(answer).toEqual({ kind: 'refused', pools: { [database]: before } });
    expect(await poolOf(ledger)).toEqual(before);
    expect(await ledger.run(waiter)).toEqual(waiter);
  });

  it('refuses a finish while others wait, and writes it without that condition', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 2 });
    const run = await started(ledger, { [database]: 2 });
    await waiting(ledger, { [database]: 1 }, 1);
    const { first, again } = finishing(run);
    const answer = await first(ledger);
    expect(answer).toEqual({ kind: 'refused', pools: { [database]: await poolOf(ledger) } });
    expect(finishedOrLost(answer, run)).toBe('others-wait');
    expect(await poolOf(ledger)).toMatchObject({ free: 0, waiting: 1 });
    expect(finishedOrLost(await again(ledger), run)).toBe('finished');
    expect(await poolOf(ledger)).toMatchObject({ free: 2, waiting: 1, holds: {} });
  });

  it('lets a run hold of a pool once', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 3 });
    const run = await started(ledger, { [database]: 1 });
    const step = { set: { state: 'running' } } as const;
    const more = { pools: [{ pool: database, hold: oneUnit }] };
    const answer = await ledger.move(run, { state: 'running', token: run.token }, step, { effect: more });
    expect(answer).toEqual({ kind: 'refused', pools: { [database]: await poolOf(ledger) } });
    expect(await poolOf(ledger)).toMatchObject({ free: 2, holds: { [runId(run)]: 1 } });
  });

  it('frees what its run holds: no other weight, nothing of another run, nothing twice', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 3 });
    const run = await started(ledger, { [database]: 2 });
    const free = (of: Run, weight: number) =>
      ledger.move(
        of,
        { state: of.state, token: of.token },
        { set: { state: of.state } },
        { effect: { pools: [{ pool: database, hold: { kind: 'free', weight } }] } },
      );
    const stranger = record(fireTime + minute, { state: 'running' });
    await ledger.create(stranger);
    const held = await poolOf(ledger);
    for (const answer of [await free(run, 1), await free(run, 3), await free(stranger, 2)])
      expect(answer).toEqual({ kind: 'refused', pools: { [database]: held } });
    expect(await poolOf(ledger)).toEqual(held);
    expect(await free(run, 2)).toEqual({ kind: 'done' });
    const freed = { ...held, free: 3, holds: {} };
    expect(await free(run, 2)).toEqual({ kind: 'refused', pools: { [database]: freed } });
    expect(await poolOf(ledger)).toEqual(freed);
  });

  it.each<[string, Omit<PoolEffect, 'pool'>]>([
    ['takes of it', { hold: oneUnit }],
    ['takes of it as a newcomer', { hold: oneUnit, require: { unwaited: true } }],
    ['gives back to it', { hold: { kind: 'free', weight: 1 } }],
    ['waits for it', { addWaiting: 1 }],
    ['waits for it no more', { addWaiting: -1 }],
    ['only looks whether somebody waits', { require: { unwaited: true } }],
  ])('refuses a run that %s, when nobody published the pool, and makes none', async (_what, effect) => {
    const { ledger } = await open();
    await publishPools(ledger, { [mailer]: 1 });
    const answer = await withEffects(ledger, 0, { pool: database, ...effect });
    expect(answer).toEqual({ kind: 'refused', pools: { [database]: null } });
    expect(await ledger.run(record(fireTime))).toBeNull();
    expect([...(await ledger.pools([database, mailer])).keys()]).toEqual([mailer]);
  });

  it('has a fire wait for the schedule in force whose pool is not there yet', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const claimed = needing({ [database]: 1 });
    const answer = await ledger.create(claimed.run, claimed.effect);
    expect(decideStart(answer, claimed)).toEqual({ kind: 'other-spec' });
  });

  it('looks whether somebody waits, and changes nothing by it', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 1 });
    const look = { pool: database, require: { unwaited: true } } as const;
    expect(await withEffects(ledger, 1, look)).toEqual({ kind: 'done' });
    expect(await poolOf(ledger)).toMatchObject({ free: 1, waiting: 0 });
    await waiting(ledger, { [database]: 1 }, 2);
    const answer = await withEffects(ledger, 3, look);
    expect(answer).toEqual({ kind: 'refused', pools: { [database]: await poolOf(ledger) } });
  });

  it('takes of all of its pools, or of none, and names those that stood in the way and no other', async () => {
    const { ledger } = await open();
    const [full, awaited, roomy] = [database, mailer, 'archive'];
    await publishPools(ledger, { [full]: 1, [awaited]: 1, [roomy]: 1 });
    await started(ledger, { [full]: 1 });
    await waiting(ledger, { [awaited]: 1 }, 1);
    const before = await ledger.pools([full, awaited, roomy]);
    const claimed = needing({ [roomy]: 1, [full]: 1, gone: 1, [awaited]: 1 }, 2);
    expect(await ledger.create(claimed.run, claimed.effect)).toEqual({
      kind: 'refused',
      pools: { [full]: before.get(full), gone: null, [awaited]: before.get(awaited) },
    });
    expect(await ledger.pools([full, awaited, roomy])).toEqual(before);
    expect(await ledger.run(claimed.run)).toBeNull();
  });

  it('tells of run, job and pools that were refused, all at once', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 1, [mailer]: 1 });
    const needs = { overlap: 'skip', pools: { [mailer]: 1, [database]: 1 } } as const;
    const [first, second] = [claim('a', { ...needs, pools: { [database]: 1 } }), claim('b', needs)];
    await ledger.create(first.run, first.effect);
    const answer = await ledger.create(second.run, second.effect);
    const [job, pool] = [await stateOf(ledger), await poolOf(ledger)];
    expect(answer).toEqual({ kind: 'refused', run: first.run, job, pools: { [database]: pool } });
    expect(decideStart(answer, second)).toEqual({ kind: 'duplicate', of: first.run });
  });

  it('has room in one transaction for a run that needs ten pools', async () => {
    const { ledger } = await open();
    const needs = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`pool-${n}`, n + 1]));
    await publishPools(ledger, needs);
    const run = await started(ledger, needs);
    const pools = await ledger.pools([...Object.keys(needs), 'pool-0']);
    expect(pools.size).toBe(10);
    for (const [name, weight] of Object.entries(needs))
      expect(pools.get(name)).toMatchObject({ free: 0, holds: { [runId(run)]: weight } });
    const other = needing(needs, 1);
    const answer = refused(await ledger.create(other.run, other.effect));
    expect(answer.pools).toEqual(Object.fromEntries(pools));
    await finishing(run).first(ledger);
    expect((await poolOf(ledger, 'pool-9')).free).toBe(10);
  });

  it('takes and gives back once, though its writer asks again after a lost answer', async () => {
    const { ledger, loseNextAnswer } = await open();
    await publishPools(ledger, { [database]: 3 });
    const { run, effect } = needing({ [database]: 2 });
    loseNextAnswer();
    await expect(ledger.create(run, effect)).rejects.toThrow('lost');
    expect(decideStart(await ledger.create(run, effect), { run, effect })).toEqual({ kind: 'run' });
    expect(await poolOf(ledger)).toMatchObject({ free: 1, holds: { [runId(run)]: 2 } });
    const { first } = finishing(run);
    loseNextAnswer();
    await expect(first(ledger)).rejects.toThrow('lost');
    await waiting(ledger, { [database]: 3 }, 1);
    expect(finishedOrLost(await first(ledger), run)).toBe('finished');
    expect(await poolOf(ledger)).toMatchObject({ free: 3, holds: {}, waiting: 1 });
  });

  it('gives out its capacity and no more to runs that start at once', async () => {
    const { ledger } = await open();
    await publishPools(ledger, { [database]: 5 });
    const claims = Array.from({ length: 12 }, (_, index) => needing({ [database]: 2 }, index));
    const answers = await Promise.all(claims.map(({ run, effect }) => ledger.create(run, effect)));
    expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(2);
    const { free, holds } = await poolOf(ledger);
    expect([free, Object.values(holds)]).toEqual([1, [2, 2]]);
  });

  it('keeps what a run holds, waits for and has waited for, and who wants it ended, until a move clears it', async () => {
    const { ledger } = await open();
    const weights = { [database]: 2, [mailer]: 1 };
    const waits = [
      { reason: 'catch-up', from: fireTime, until: fireTime + 1 },
      { reason: 'pool', from: fireTime + 1, until: fireTime + 2, pools: weights },
    ] as const;
    const attempt = { number: 1, token: 'a', requestId: 'r', pid: 1, startedAt: 1, leaseUntil: 2 };
    const bill = { wallMs: 1, waitedMs: { [database]: 1 } };
    const cancelRequested = { at: fireTime, by: 'ops', reason: 'operator', note: 'too slow' } as const;
    const fields = { holds: weights, waitsFor: weights, waitingSince: fireTime, waits, cancelRequested };
    const run = record(fireTime, { state: 'running', ...fields });
    await ledger.create(run);
    expect(await ledger.run(run)).toEqual(run);
    const fence = { state: 'running', token: run.token } as const;
    const set = { state: 'running', waits: waits.slice(1), waitsFor: { [database]: 1 } } as const;
    await ledger.move(run, fence, { set, attempt });
    await ledger.move(run, fence, { set: { state: 'running' }, measured: { number: 1, bill } });
    const attempts = [{ ...attempt, bill }];
    expect(await ledger.run(run)).toEqual({ ...run, ...set, attempts });
    const clear = ['holds', 'waitsFor', 'waitingSince', 'cancelRequested'] as const;
    await ledger.move(run, fence, { set: { state: 'failed' }, clear });
    expect(await ledger.run(run)).toEqual(record(fireTime, { state: 'failed', waits: set.waits, attempts }));
  });

  it('knows no job by the name of a pool, and no pool by the name of a job', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.publishPool({ name: database, capacity: 1 }, null);
    expect(await ledger.job(database)).toBeNull();
    expect((await ledger.pools([jobId])).size).toBe(0);
  });
}
