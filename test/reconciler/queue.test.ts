import { describe, expect, test } from 'vitest';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { cron, every } from '../../functions/domain/schedule/index.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { deliver, queue, succeed, take, World } from '../support/reconciler.ts';

const pause = { at: 0, by: 'ops', note: 'stock-taking' };

/** Each minute's fire from 12:00 on: the first runs, the others come and have to queue. */
async function line(of: Partial<ManifestJob>, ...times: readonly string[]) {
  const job = manifestJob({ overlap: 'queue', timeoutMs: 14 * minute, ...of });
  const made = new World(at('11:59:30'), [job]);
  await made.sweep();
  const running = await deliver(made, job, at('12:00'));
  for (const time of times) await queue(made, job, at(time));
  return { made, job, running };
}

async function queued({ made, job }: { made: World; job: ManifestJob }): Promise<number | undefined> {
  return (await made.ledger.job(job.id))?.queued;
}

describe('fires that wait for their job’s slot', () => {
  test('are admitted one at a time, oldest first, as soon as the slot is free', async () => {
    const { made, job, running } = await line({}, '12:01', '12:02');
    await made.sweepAt(at('12:02:30'));
    expect(await made.lines()).toEqual(['12:00 running', '12:01 waiting slot', '12:02 waiting slot']);
    await succeed(made, running);
    await made.sweepAt(at('12:02:40'));
    expect(await made.lines()).toEqual(['12:00 succeeded', '12:01 offered', '12:02 waiting slot']);
    expect(await queued({ made, job })).toBe(1);
    const [offer] = made.invoked;
    if (offer === undefined) throw new Error('nothing was invoked');
    const second = await take(made, offer, job);
    await made.sweepAt(at('12:02:50'));
    expect(made.invoked).toHaveLength(1);
    await succeed(made, second);
    await made.sweepAt(at('12:02:55'));
    expect(await made.lines()).toEqual(['12:00 succeeded', '12:01 succeeded', '12:02 offered']);
    expect(await queued({ made, job })).toBe(0);
  });

  test('are not overtaken by a newcomer, whether an alarm or the reconciler starts it', async () => {
    const { made, job, running } = await line({}, '12:01');
    await succeed(made, running);
    await queue(made, job, at('12:02'));
    await made.sweepAt(at('12:02:05'));
    expect(await made.lines()).toEqual(['12:00 succeeded', '12:01 offered', '12:02 waiting slot']);

    const swept = manifestJob({ overlap: 'queue', schedule: every('7 minutes') });
    const due = Math.ceil(at('12:00') / (7 * minute)) * 7 * minute;
    const world = new World(due - minute, [swept]);
    await world.sweep();
    await deliver(world, swept, due);
    await world.sweepAt(due + 7 * minute);
    expect((await world.runs()).map(({ state, reason }) => reason ?? state)).toEqual(['offered', 'slot']);
  });

  // Longer than what one turn looks at, as after an outage of the reconciler.
  test('however many there are, none starts that newer ones push out', async () => {
    const { made, job, running } = await line({ overlap: 'queue-one', graceMs: 24 * hour });
    made.now = at('17:00:10');
    for (let due = at('12:01'); due <= at('17:00'); due += minute) await queue(made, job, due);
    await succeed(made, running);
    for (let sweeps = 0; sweeps < 5; sweeps += 1) await made.sweep();
    const ran = (await made.runs()).filter(({ state }) => state !== 'skipped');
    expect(ran.map(({ key, state }) => [key.slice(11, 16), state])).toEqual([
      ['12:00', 'succeeded'],
      ['17:00', 'offered'],
    ]);
    expect(await queued({ made, job })).toBe(0);
  });

  test('are a hundred at most unless the job says otherwise; beyond, the oldest give way', async () => {
    const late = Array.from({ length: 103 }, (_, index) => at('12:01') + index * minute);
    const job = manifestJob({ overlap: 'queue', graceMs: 3 * hour, timeoutMs: 14 * minute });
    const made = new World(at('11:59:30'), [job]);
    await made.sweep();
    const running = await deliver(made, job, at('12:00'));
    await made.ledger.move(
      running,
      { state: 'running', token: running.token },
      { set: { state: 'running', attentionAt: at('16:00') } },
    );
    for (const fireTime of late) await queue(made, job, fireTime);
    await made.sweepAt(at('13:44'));
    const runs = await made.runs();
    expect(runs.filter(({ state }) => state === 'waiting')).toHaveLength(100);
    expect(runs.filter(({ reason }) => reason === 'superseded').map(({ key }) => key.slice(11, 16))).toEqual([
      '12:01',
      '12:02',
      '12:03',
    ]);
    expect(await queued({ made, job })).toBe(100);
  });

  test('give way to the newest under queue-one', async () => {
    const { made, job } = await line({ overlap: 'queue-one' }, '12:01', '12:02', '12:03');
    await made.sweepAt(at('12:03:05'));
    expect(await made.lines()).toEqual([
      '12:00 running',
      '12:01 skipped superseded',
      '12:02 skipped superseded',
      '12:03 waiting slot',
    ]);
    expect(await queued({ made, job })).toBe(1);
    expect(made.reports.at(-1)?.skipped).toBe(2);
    expect(made.warnings.map(({ message }) => message)).toContain('skipped: superseded');
  });

  test('are skipped when they have waited longer than their job lets them', async () => {
    const { made, job } = await line({ maxWaitMs: 5 * minute, graceMs: 20 * minute }, '12:01', '12:02');
    await made.sweepAt(at('12:06'));
    expect(await queued({ made, job })).toBe(2);
    await made.sweepAt(at('12:06:01'));
    expect((await made.lines()).slice(0, 3)).toEqual([
      '12:00 running',
      '12:01 skipped waited-too-long',
      '12:02 waiting slot',
    ]);
    expect(await queued({ made, job })).toBe(1);
  });

  test('wait on while their job is paused, and start when it no longer is', async () => {
    const { made, job, running } = await line({ maxQueued: 1 }, '12:01');
    await made.ledger.setPause(job.id, pause);
    await succeed(made, running);
    await made.sweepAt(at('12:01:30'));
    expect(await made.lines()).toEqual(['12:00 succeeded', '12:01 waiting slot']);
    await made.ledger.setPause(job.id, null);
    await made.sweepAt(at('12:01:40'));
    expect(await made.lines()).toEqual(['12:00 succeeded', '12:01 offered']);
  });

  test('are canceled with their job, and counted no more should it come back', async () => {
    const { made, job } = await line({}, '12:01', '12:02');
    made.jobs = [];
    await made.sweepAt(at('12:02:30'));
    expect(await made.lines(job.id)).toEqual([
      '12:00 running',
      '12:01 canceled removed',
      '12:02 canceled removed',
    ]);
    expect(await queued({ made, job })).toBe(0);
  });

  test('are skipped when an edit within the hour no longer wants them, and the others go on', async () => {
    const { made, job, running } = await line({}, '12:01', '12:02');
    made.jobs = [manifestJob({ ...job, schedule: cron('*/2 * * * *'), spec: everyOtherMinute })];
    await made.sweepAt(at('12:02:30'));
    expect(await made.lines()).toEqual(['12:00 running', '12:01 skipped edited', '12:02 waiting slot']);
    expect(await queued({ made, job })).toBe(1);
    await succeed(made, running);
    await made.sweepAt(at('12:02:40'));
    expect((await made.lines()).slice(-1)).toEqual(['12:02 offered']);
  });

  test('run on when an edit has their job queue no more', async () => {
    const { made, job, running } = await line({}, '12:01', '12:02');
    made.jobs = [manifestJob({ ...job, overlap: 'skip' })];
    await succeed(made, running);
    await made.sweepAt(at('12:02:40'));
    expect(await made.lines()).toEqual(['12:00 succeeded', '12:01 offered', '12:02 waiting slot']);
  });

  test.each([
    ['park', '12:00 parked crashed'],
    ['rerun', '12:00 offered'],
  ] as const)('come after one that crashed: under %s it is decided first', async (crashed, decided) => {
    const { made, job } = await line({ crashed, timeoutMs: minute }, '12:01');
    await made.sweepAt(at('12:02'));
    const next = crashed === 'park' ? '12:01 offered' : '12:01 waiting slot';
    expect((await made.lines()).slice(0, 2)).toEqual([decided, next]);
    expect(await queued({ made, job })).toBe(crashed === 'park' ? 0 : 1);
  });

  test('go before missed ones, and behind a run that a crash left to run again', async () => {
    const { made, job, running } = await line({}, '12:01', '12:02');
    await made.ledger.setPause(job.id, pause);
    await made.sweepAt(running.attentionAt ?? 0);
    expect((await made.lines()).slice(0, 3)).toEqual([
      '12:00 waiting slot',
      '12:01 waiting slot',
      '12:02 waiting slot',
    ]);
    expect(await queued({ made, job })).toBe(3);
    await made.ledger.setPause(job.id, null);
    await made.sweepAt(made.now + 5_000);
    expect(made.invoked.map(({ key }) => key)).toEqual([running.key]);
  });
});

const everyOtherMinute = { schedules: [cron('*/2 * * * *')], timezone: 'UTC' };
