import { expect, it } from 'vitest';
import type { Ledger } from '../../../functions/domain/ledger.ts';
import {
  claim,
  entry,
  fireTime,
  jobId,
  publishFirst,
  record,
  removal,
  stateOf,
  version,
} from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';

const pause = { at: fireTime, by: 'ops', note: 'bank holiday' };

async function published(ledger: Ledger): Promise<Pick<Awaited<ReturnType<typeof stateOf>>, 'specId'>> {
  const { specId, specSince, specChanged } = await stateOf(ledger);
  return { ...(specId === undefined ? {} : { specId }), ...{ specSince, specChanged } };
}

export function jobRules(open: Opener): void {
  it('puts a first schedule in force: nothing changed, nothing is owed from before', async () => {
    const { ledger } = await open();
    expect(await ledger.job(jobId)).toBeNull();
    expect(await ledger.publish(version('spec-1', fireTime), null)).toBe('done');
    expect(await ledger.job(jobId)).toEqual({
      jobId,
      specId: 'spec-1',
      specSince: fireTime,
      specChanged: false,
      queued: 0,
      catchUp: { waiting: 0, minute: 0, admitted: 0 },
      failuresInARow: 0,
      strays: 0,
    });
  });

  it('replaces only the schedule that is in force', async () => {
    const { ledger } = await open();
    await ledger.publish(version('spec-1', fireTime), null);
    const next = version('spec-2', fireTime + 60_000);
    expect(await ledger.publish(next, null)).toBe('refused');
    expect(await ledger.publish(next, 'spec-0')).toBe('refused');
    expect(await ledger.specs(jobId)).toEqual([version('spec-1', fireTime)]);
    expect(await published(ledger)).toMatchObject({ specId: 'spec-1' });
    expect(await ledger.publish(next, 'spec-1')).toBe('done');
    expect(await published(ledger)).toEqual({ specId: 'spec-2', specSince: next.from, specChanged: true });
    expect(await ledger.specs(jobId)).toEqual([version('spec-1', fireTime), next]);
  });

  it('takes a removed job out of force, and begins anew when it comes back', async () => {
    const { ledger } = await open();
    await ledger.publish(version('spec-1', fireTime), null);
    expect(await ledger.publish(removal(fireTime + 1), 'spec-1')).toBe('done');
    expect(await published(ledger)).toMatchObject({ specSince: fireTime + 1 });
    expect(await stateOf(ledger)).not.toHaveProperty('specId');
    const back = version('spec-1', fireTime + 2);
    expect(await ledger.publish(back, 'spec-1')).toBe('refused');
    expect(await ledger.publish(back, null)).toBe('done');
    expect(await published(ledger)).toEqual({
      specId: 'spec-1',
      specSince: fireTime + 2,
      specChanged: false,
    });
    expect(await ledger.specs(jobId)).toEqual([version('spec-1', fireTime), removal(fireTime + 1), back]);
  });

  it('leaves pause, slot and tallies alone when a schedule is published', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const { run, effect } = claim('a');
    await ledger.create(run, { ...effect, addFailureInARow: true });
    await ledger.countStray(jobId);
    await ledger.setPause(jobId, pause);
    const { specId: _id, specSince: _since, specChanged: _changed, ...before } = await stateOf(ledger);
    expect(before).toMatchObject({ slot: run.key, strays: 1, failuresInARow: 1, paused: pause });
    await ledger.publish(version('spec-2', fireTime), 'spec-1');
    expect(await stateOf(ledger)).toMatchObject(before);
    await ledger.publish(removal(fireTime + 1), 'spec-2');
    expect(await stateOf(ledger)).toMatchObject(before);
  });

  it('pauses and resumes a job that is known, and no other', async () => {
    const { ledger } = await open();
    expect(await ledger.setPause(jobId, pause)).toBe(false);
    expect(await ledger.setPause(jobId, null)).toBe(false);
    expect(await ledger.job(jobId)).toBeNull();
    await publishFirst(ledger);
    expect(await ledger.setPause(jobId, pause)).toBe(true);
    expect((await stateOf(ledger)).paused).toEqual(pause);
    expect(await ledger.setPause(jobId, null)).toBe(true);
    expect(await stateOf(ledger)).not.toHaveProperty('paused');
  });

  it('pauses one that has failed so often in a row, unless it is paused, and begins a new row when it is resumed', async () => {
    const { ledger } = await open();
    expect(await ledger.setPause(jobId, pause, { require: { failuresInARow: 1 } })).toBe(false);
    await publishFirst(ledger);
    expect(await ledger.setPause(jobId, pause, { require: { failuresInARow: 1 } })).toBe(false);
    for (const [at, token] of ['a', 'b'].entries())
      await ledger.create(record(fireTime + at * 60_000, { token }), { addFailureInARow: true });
    expect(await ledger.setPause(jobId, pause, { require: { failuresInARow: 3 } })).toBe(false);
    expect(await stateOf(ledger)).not.toHaveProperty('paused');
    expect(await ledger.setPause(jobId, pause, { require: { failuresInARow: 2 } })).toBe(true);
    expect(await stateOf(ledger)).toMatchObject({ paused: pause, failuresInARow: 2 });
    const other = { ...pause, by: 'somebody else' };
    expect(await ledger.setPause(jobId, other, { require: { failuresInARow: 2 } })).toBe(false);
    expect((await stateOf(ledger)).paused).toEqual(pause);
    await ledger.setPause(jobId, null);
    expect(await stateOf(ledger)).toMatchObject({ failuresInARow: 0 });
    expect(await ledger.setPause(jobId, pause, { require: { failuresInARow: 1 } })).toBe(false);
  });

  it('counts strays on the job and duplicates on the run, also when they come at once', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const run = record(fireTime);
    await ledger.create(run);
    await Promise.all([1, 2, 3].flatMap(() => [ledger.countDuplicate(run), ledger.countStray(jobId)]));
    expect((await ledger.run(run))?.duplicates).toBe(3);
    expect((await stateOf(ledger)).strays).toBe(3);
  });

  it('remembers the last fire whose delivery was refused, as long as no other one was', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    await ledger.countStray(jobId, fireTime);
    await ledger.countStray(jobId);
    expect(await stateOf(ledger)).toMatchObject({ strays: 2, refusedFire: fireTime });
    await ledger.countStray(jobId, fireTime + 60_000);
    expect(await stateOf(ledger)).toMatchObject({ strays: 3, refusedFire: fireTime + 60_000 });
  });

  it('counts nothing for a run or a job that is not there, and makes none', async () => {
    const { ledger } = await open();
    await ledger.countDuplicate(record(fireTime));
    await ledger.countStray(jobId);
    expect(await ledger.run(record(fireTime))).toBeNull();
    expect(await ledger.job(jobId)).toBeNull();
  });

  it('reads the states of many jobs at once, without those that are unknown', async () => {
    const { ledger } = await open();
    const ids = Array.from({ length: 120 }, (_, n) => `load/job-${n}`);
    for (const id of ids.slice(0, 110)) await publishFirst(ledger, id);
    const states = await ledger.jobs([...ids, ...ids.slice(0, 3)]);
    expect([...states.keys()].sort()).toEqual(ids.slice(0, 110).sort());
    expect(states.get('load/job-7')).toEqual(await ledger.job('load/job-7'));
  });

  it('notes a suspicion on the running attempt that it names, and on nothing else', async () => {
    const { ledger } = await open();
    await publishFirst(ledger);
    const { run, effect } = claim('a');
    await ledger.create(run, effect);
    const suspicion = { at: fireTime, requestId: entry('a').requestId, why: 'the process ended' };
    const stranger = { ...suspicion, requestId: 'a duplicate that died' };
    expect(await ledger.suspect(run, stranger)).toBe(false);
    expect(await ledger.suspect(record(fireTime + 60_000), suspicion)).toBe(false);
    expect(await ledger.run(run)).not.toHaveProperty('suspected');
    expect(await ledger.suspect(run, suspicion)).toBe(true);
    expect(await ledger.run(run)).toEqual({ ...run, suspected: suspicion });
    await ledger.move(
      run,
      { state: 'running', token: 'a' },
      { set: { state: 'failed' }, clear: ['suspected'] },
    );
    expect(await ledger.suspect(run, suspicion)).toBe(false);
    expect(await ledger.run(run)).not.toHaveProperty('suspected');
  });
}
