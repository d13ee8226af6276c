import { expect, it } from 'vitest';
import { noCatchUp } from '../../../functions/domain/catch-up.ts';
import { finishedOrLost } from '../../../functions/domain/finish.ts';
import type { Effect, Ledger } from '../../../functions/domain/ledger.ts';
import { drop, queuedRun } from '../../../functions/domain/queue.ts';
import type { Run } from '../../../functions/domain/run.ts';
import { decideStart } from '../../../functions/domain/start.ts';
import { minute } from '../../../functions/domain/time.ts';
import { admission } from '../../../functions/domain/waiting.ts';
import { claim, fireTime, job, jobId, publishFirst, refused, stateOf } from '../../support/ledger-records.ts';
import type { Opener } from '../conformance.ts';
import { finishing } from './finishing.ts';

const queues = { overlap: 'queue' } as const;
const dueAt = (index: number) => fireTime + index * minute;

/** The delivery of a fire starts, or has to queue. */
async function deliver(ledger: Ledger, token: string, index: number) {
  const claimed = claim(token, queues, dueAt(index));
  return { claimed, decision: decideStart(await ledger.create(claimed.run, claimed.effect), claimed) };
}

function queued({ run, effect }: { run: Run; effect: Effect }) {
  const fire = { jobId, fireTime: run.fireTime, specId: job.specId };
  return queuedRun(fire, effect, { token: run.token, now: run.createdAt });
}

/** The first fire runs, and so many wait behind it. */
async function line(ledger: Ledger, waiting: number) {
  await publishFirst(ledger);
  const { claimed: running } = await deliver(ledger, 'a', 0);
  const runs: Run[] = [];
  for (let index = 1; index <= waiting; index += 1) {
    const { claimed, decision } = await deliver(ledger, `q${index}`, index);
    expect(decision).toEqual({ kind: 'queue' });
    const { run, effect } = queued(claimed);
    expect(await ledger.create(run, effect)).toEqual({ kind: 'done' });
    runs.push(run);
  }
  return { running: running.run, runs };
}

/** Fires that wait for their job's slot. */
export function queueRules(open: Opener): void {
  it('counts those that wait, and one that leaves no more, each with its record', async () => {
    const { ledger } = await open();
    const { runs } = await line(ledger, 2);
    expect(await stateOf(ledger)).toMatchObject({ queued: 2 });
    for (const run of runs) {
      const { fence, change, effect } = drop({ run, reason: 'superseded' }, { token: 'r', now: fireTime });
      expect((await ledger.move(run, fence, change, { effect })).kind).toBe('done');
      const again = refused(await ledger.move(run, fence, change, { effect }));
      expect(again.run).toMatchObject({ state: 'skipped', reason: 'superseded' });
    }
    expect(await stateOf(ledger)).toMatchObject({ queued: 0 });
  });

  it('refuses a newcomer while somebody waits, though the slot is free', async () => {
    const { ledger } = await open();
    const { running, runs } = await line(ledger, 1);
    await finishing(running).again(ledger);
    expect(await stateOf(ledger)).toMatchObject({ queued: 1 });
    expect(await stateOf(ledger)).not.toHaveProperty('slot');
    const newcomer = await deliver(ledger, 'b', 5);
    expect(newcomer.decision).toEqual({ kind: 'queue' });
    expect(await ledger.run(newcomer.claimed.run)).toBeNull();
    for (const run of runs) {
      const { fence, change, effect } = admission(
        run,
        { overlap: 'queue', graceMs: minute },
        {
          ...{ catchUp: noCatchUp, token: 'r', now: fireTime },
        },
      );
      expect((await ledger.move(run, fence, change, { effect })).kind).toBe('done');
      expect(await stateOf(ledger)).toMatchObject({ queued: 0, slot: run.key });
    }
  });

  it('lets a newcomer start once nobody waits any more', async () => {
    const { ledger } = await open();
    const { running, runs } = await line(ledger, 1);
    await finishing(running).again(ledger);
    for (const run of runs) {
      const { fence, change, effect } = drop(
        { run, reason: 'waited-too-long' },
        { token: 'r', now: fireTime },
      );
      await ledger.move(run, fence, change, { effect });
    }
    expect((await deliver(ledger, 'b', 5)).decision).toEqual({ kind: 'run' });
  });

  it('admits none of those that wait while the slot is taken, and counts them on', async () => {
    const { ledger } = await open();
    const { running, runs } = await line(ledger, 1);
    for (const run of runs) {
      const { fence, change, effect } = admission(
        run,
        { overlap: 'queue', graceMs: minute },
        {
          ...{ catchUp: noCatchUp, token: 'r', now: fireTime },
        },
      );
      expect(refused(await ledger.move(run, fence, change, { effect })).job).toMatchObject({ queued: 1 });
      expect(await ledger.run(run)).toEqual(run);
    }
    expect(await stateOf(ledger)).toMatchObject({ queued: 1, slot: running.key });
  });

  it('refuses a finish while others wait, and writes it without that condition', async () => {
    const { ledger } = await open();
    const { running } = await line(ledger, 1);
    const { first, again } = finishing(running);
    const answer = await first(ledger);
    expect(answer).toEqual({ kind: 'refused', job: await stateOf(ledger) });
    expect(finishedOrLost(answer, running)).toBe('others-wait');
    expect(await ledger.run(running)).toEqual(running);
    expect(finishedOrLost(await again(ledger), running)).toBe('finished');
    expect(await ledger.run(running)).toMatchObject({ state: 'succeeded' });
    expect(await stateOf(ledger)).not.toHaveProperty('slot');
  });

  it('takes a finish at once while nobody waits, and recognises it again when one came to wait since', async () => {
    const { ledger, loseNextAnswer } = await open();
    const { running } = await line(ledger, 0);
    const late = await deliver(ledger, 'late', 1);
    const { first } = finishing(running);
    loseNextAnswer();
    await expect(first(ledger)).rejects.toThrow('lost');
    const { run, effect } = queued(late.claimed);
    await ledger.create(run, effect);
    expect(finishedOrLost(await first(ledger), running)).toBe('finished');
  });

  it('does not queue a fire of a paused job, nor of another schedule', async () => {
    const { ledger } = await open();
    await line(ledger, 0);
    const { claimed } = await deliver(ledger, 'b', 1);
    const { run, effect } = queued(claimed);
    await ledger.setPause(jobId, { at: fireTime, by: 'ops', note: '' });
    expect(refused(await ledger.create(run, effect)).run).toBeUndefined();
    await ledger.setPause(jobId, null);
    const other = { ...effect, require: { ...effect.require, specId: 'spec-2' } };
    expect(refused(await ledger.create(run, other)).run).toBeUndefined();
    expect(await ledger.run(run)).toBeNull();
    expect(await stateOf(ledger)).toMatchObject({ queued: 0 });
  });

  it('recognises one that waits when the answer was lost, and counts it once', async () => {
    const { ledger, loseNextAnswer } = await open();
    await line(ledger, 0);
    const { claimed } = await deliver(ledger, 'b', 1);
    const { run, effect } = queued(claimed);
    loseNextAnswer();
    await expect(ledger.create(run, effect)).rejects.toThrow('lost');
    const again = await ledger.create(run, effect);
    expect(again.kind === 'done' || refused(again).run?.token === run.token).toBe(true);
    expect(await ledger.run(run)).toEqual(run);
    expect(await stateOf(ledger)).toMatchObject({ queued: 1 });
  });
}
