import { describe, expect, test } from 'vitest';
import { releaseRun } from '../../functions/domain/release.ts';
import type { Run } from '../../functions/domain/run.ts';
import { cron, every } from '../../functions/domain/schedule/index.ts';
import { minute } from '../../functions/domain/time.ts';
import { at } from '../support/jobs.ts';
import { deliver, end, queue, succeed, type World, wait } from '../support/reconciler.ts';
import { db, deployed, expectNoLeak, offered, poolOf, report, runs, taken } from './pool-world.ts';

const holder = report('holder');
const job = report('a', { overlap: 'cancel-running' });
const jobIds = ['holder', 'a'];
const request = { at: at('12:01:05'), by: '2026-12-01T12:01:00Z', reason: 'superseded' } as const;

/** The fire of 12:00 runs, the one of 12:01 has come, and the reconciler has looked. */
async function asked(of: Partial<typeof job> = {}) {
  const cancels = { ...job, ...of };
  const world = await deployed({ [db]: 1 }, [holder, cancels]);
  const running = await runs(world, cancels);
  await queue(world, cancels, at('12:01'));
  await world.sweepAt(at('12:01:05'));
  return { world, running, job: cancels };
}

/** The attempt has seen the request, and ends for it. */
function endsForIt(world: World, run: Run) {
  return end(world, run, {
    kind: 'canceled',
    error: { name: 'CancelError', message: 'superseded' },
    request,
  });
}

describe('a newer fire of a job that cancels what runs', () => {
  test('waits, and the run that has the slot is asked to end; slot and holds stay its own until it has', async () => {
    const { world } = await asked();
    expect(await world.lines('a')).toEqual(['12:00 running', '12:01 waiting slot']);
    expect((await world.runs('a'))[0]).toMatchObject({ cancelRequested: request, hasSlot: true });
    expect(await poolOf(world)).toMatchObject({ free: 0, holders: 1 });
    expect(world.warnings.map(({ message }) => message)).toEqual(['a run is asked to end']);
    await expectNoLeak(world, jobIds);
  });

  test('asks once', async () => {
    const { world } = await asked();
    await world.sweepAt(at('12:01:30'));
    expect((await world.runs('a'))[0]).toMatchObject({ cancelRequested: request });
    expect(world.warnings).toHaveLength(1);
  });

  test('starts when the run has ended for it', async () => {
    const { world, running } = await asked();
    await endsForIt(world, running);
    await world.sweepAt(at('12:01:20'));
    expect(await world.lines('a')).toEqual(['12:00 canceled superseded', '12:01 offered']);
    expect((await world.runs('a'))[0]).toMatchObject({ supersededBy: request.by });
    await expectNoLeak(world, jobIds);
  });

  test('starts when the run has come to its end all the same, which counts', async () => {
    const { world, running } = await asked();
    await succeed(world, running);
    await world.sweepAt(at('12:01:20'));
    expect(await world.lines('a')).toEqual(['12:00 succeeded', '12:01 offered']);
  });

  test.each(['rerun', 'park'] as const)(
    'starts at the end of the run’s lease, which is canceled though it crashed (%s)',
    async (crashed) => {
      const { world, running } = await asked({ crashed });
      await world.sweepAt((running.attentionAt ?? 0) - 1);
      expect((await world.lines('a'))[0]).toBe('12:00 running');
      await world.sweepAt(running.attentionAt ?? 0);
      expect((await world.lines('a')).slice(0, 2)).toEqual(['12:00 canceled superseded', '12:01 offered']);
      expect((await world.runs('a'))[0]?.attempts).toMatchObject([{ outcome: 'crashed' }]);
      expect(await endsForIt(world, running)).toBe('lost');
      await expectNoLeak(world, jobIds);
    },
  );

  test('is superseded itself by the next one, while the run takes its time to end', async () => {
    const { world, running } = await asked();
    await queue(world, job, at('12:02'));
    await world.sweepAt(at('12:02:05'));
    await endsForIt(world, running);
    await world.sweepAt(at('12:02:20'));
    expect(await world.lines('a')).toEqual([
      '12:00 canceled superseded',
      '12:01 skipped superseded',
      '12:02 offered',
    ]);
    await expectNoLeak(world, jobIds);
  });

  test('cancels an offer that nobody has taken yet, and starts in its place', async () => {
    const swept = report('a', { overlap: 'cancel-running', schedule: every('7 minutes') });
    const due = Math.ceil(at('12:00') / (7 * minute)) * 7 * minute;
    const world = await deployed({ [db]: 1 }, [swept]);
    await world.sweepAt(due);
    const [offer] = world.invoked;
    await world.sweepAt(due + 7 * minute);
    await world.sweepAt(due + 7 * minute + 5_000);
    expect((await world.runs('a')).map(({ state, reason }) => [state, reason])).toEqual([
      ['canceled', 'superseded'],
      ['offered', undefined],
    ]);
    expect(offer?.key).not.toBe(world.invoked.at(-1)?.key);
    await expectNoLeak(world, ['a']);
  });

  test('cancels one that has the slot and waits for its pools, and waits for them in its place', async () => {
    const world = await deployed({ [db]: 1 }, [holder, job]);
    const running = await runs(world, holder);
    await wait(world, job, at('12:00'));
    await queue(world, job, at('12:01'));
    await world.sweepAt(at('12:01:05'));
    expect(await world.lines('a')).toEqual(['12:00 canceled superseded', '12:01 waiting pool']);
    expect((await world.runs('a'))[0]).toMatchObject({
      waits: [{ reason: 'pool', from: at('12:00'), until: at('12:01:05') }],
    });
    expect(await poolOf(world)).toMatchObject({ waiting: 1 });
    await succeed(world, running);
    await world.sweepAt(at('12:01:20'));
    expect(offered(world)).toEqual(['a']);
    await expectNoLeak(world, jobIds);
  });

  test('takes the place of the run that it has ended among those that wait for the same pool', async () => {
    const other = report('b');
    const world = await deployed({ [db]: 1 }, [holder, job, other]);
    const running = await runs(world, holder);
    await wait(world, job, at('12:00'));
    await wait(world, other, at('12:00:30'));
    await queue(world, job, at('12:01'));
    await succeed(world, running);
    await world.sweepAt(at('12:01:05'));
    expect(offered(world)).toEqual(['a']);
    expect(await world.lines('a')).toEqual(['12:00 canceled superseded', '12:01 offered']);
    await expectNoLeak(world, [...jobIds, 'b']);
  });

  test('comes to its turn though each minute’s fire replaces the one before it', async () => {
    const urgent = report('b', { priority: 5 });
    const world = await deployed({ [db]: 1 }, [holder, job, urgent]);
    const running = await runs(world, holder);
    await wait(world, job, at('12:00'));
    await wait(world, urgent, at('12:01'));
    for (let fire = at('12:01'); fire <= at('12:06'); fire += minute) {
      await queue(world, job, fire);
      await world.sweepAt(fire + 5_000);
    }
    await succeed(world, running);
    await world.sweepAt(at('12:06:30'));
    expect(offered(world)).toEqual(['a']);
    expect((await world.runs('a')).at(-1)).not.toHaveProperty('seniority');
    await expectNoLeak(world, [...jobIds, 'b']);
  });

  test('asks though an older run, which a person has released, waits before it', async () => {
    const parking = report('a', {
      overlap: 'cancel-running',
      crashed: 'park',
      schedule: cron('0,20,21 12 * * *'),
    });
    const world = await deployed({ [db]: 1 }, [parking]);
    const crashed = await runs(world, parking);
    await world.sweepAt(crashed.attentionAt ?? 0);
    await deliver(world, parking, at('12:20'));
    const [parked] = await world.runs('a');
    if (parked === undefined) throw new Error('nothing is parked');
    const released = releaseRun(parked, 'rerun', { by: 'ops', token: 'released', now: at('12:20:30') });
    if (released.kind !== 'write') throw new Error(released.why);
    await world.ledger.move(parked, released.fence, released.change, { effect: { addQueued: 1 } });
    await queue(world, parking, at('12:21'));
    await world.sweepAt(at('12:21:05'));
    expect(await world.lines('a')).toEqual(['12:00 waiting slot', '12:20 running', '12:21 waiting slot']);
    expect((await world.runs('a'))[1]?.cancelRequested?.by).toBe('2026-12-01T12:21:00Z');
    await expectNoLeak(world, ['a']);
  });

  test('asks nobody while the job is paused', async () => {
    const world = await deployed({ [db]: 1 }, [job]);
    await runs(world, job);
    await queue(world, job, at('12:01'));
    await world.ledger.setPause('a', { at: 0, by: 'ops', note: '' });
    await world.sweepAt(at('12:01:05'));
    expect((await world.runs('a'))[0]).not.toHaveProperty('cancelRequested');
  });
});

test('an older fire of such a job, which comes late, asks no newer one to end', async () => {
  const world = await deployed({ [db]: 1 }, [job]);
  await deliver(world, job, at('12:01'));
  await queue(world, job, at('12:00'));
  await world.sweepAt(at('12:01:05'));
  expect(await world.lines('a')).toEqual(['12:00 waiting slot', '12:01 running']);
  expect((await world.runs('a'))[1]).not.toHaveProperty('cancelRequested');
});

test('a job that was edited to cancel what runs does so for what waits already', async () => {
  const queues = report('a', { overlap: 'queue' });
  const world = await deployed({ [db]: 1 }, [queues]);
  await runs(world, queues);
  await queue(world, queues, at('12:01'));
  await world.sweepAt(at('12:01:05'));
  expect((await world.runs('a'))[0]).not.toHaveProperty('cancelRequested');
  world.jobs = [job];
  await world.sweepAt(at('12:01:10'));
  expect((await world.runs('a'))[0]).toMatchObject({ cancelRequested: { reason: 'superseded' } });
  expect(await taken(world)).toEqual([]);
});
