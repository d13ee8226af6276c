import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFacts } from '../../functions/cli/plan/read-ledger.ts';
import { changesBetween, type JobChange } from '../../functions/domain/changes/index.ts';
import { type ManifestJob, queues } from '../../functions/domain/manifest.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { isOpen, type Run } from '../../functions/domain/run.ts';
import { cron, isExcluded, timetable } from '../../functions/domain/schedule/index.ts';
import { day, minute } from '../../functions/domain/time.ts';
import { at, manifestJob } from '../support/jobs.ts';
import { holds } from '../support/property.ts';
import { deliver, queue, succeed, World } from '../support/reconciler.ts';

const [begin, deployedAt] = [at('08:00'), at('10:07')];

const versions = fc
  .record({
    schedule: fc
      .constantFrom('*/10 * * * *', '*/15 * * * *', '5 * * * *', '*/20 8,9 * * *', '0 7 * * *')
      .map(cron),
    except: fc.constantFrom([], [], ['2026-12-01'], [cron('*/30 * * * *')]),
    overlap: fc.constantFrom('skip', 'queue', 'queue-one', 'cancel-running', 'allow'),
    maxWaitMs: fc.constantFrom(20 * minute, 60 * minute, 600 * minute),
  })
  .map(({ schedule, except, ...policies }) => {
    const spec = { schedules: [schedule], timezone: 'UTC', ...(except.length > 0 && { except }) };
    return manifestJob({ id: 'a', spec, ...policies });
  });

/** Two hours in which deliveries come, are lost, and queue; and runs that never end. */
async function lived(job: ManifestJob, fates: readonly ('run' | 'end' | 'lose')[]): Promise<World> {
  const world = new World(begin, [job]);
  await world.sweep();
  const due = [...timetable(job.spec).between(begin, deployedAt)];
  for (let now = begin + minute; now <= deployedAt; now += minute) {
    world.now = now;
    if (due.includes(now)) await deliverAs(world, job, fates[due.indexOf(now) % fates.length]);
    await world.sweep();
  }
  return world;
}

async function deliverAs(world: World, job: ManifestJob, fate: string | undefined): Promise<void> {
  const state = await world.ledger.job(job.id);
  if (fate === 'lose' || state === null || isExcluded(job.spec, world.now)) return;
  if (job.overlap !== 'allow' && (state.slot !== undefined || state.queued > 0)) {
    if (queues(job)) await queue(world, job, world.now);
    return;
  }
  const run = await deliver(world, job, world.now);
  if (fate === 'end') await succeed(world, run);
}

async function foreseen(world: World, after: readonly ManifestJob[]): Promise<JobChange | undefined> {
  const before = await world.ledger.manifest();
  if (before === null) throw new Error('a manifest expected');
  const copy = { version: 1, jobs: after } as const;
  const facts = await readFacts(world.ledger, { before, after: copy, now: world.now });
  const range = { from: world.now, to: world.now + day };
  return changesBetween({ before, after: copy, facts, range }).jobs[0];
}

/**
 * What ends runs since then, or is to end them, by their fires. One that is owed, and finds the slot taken, is skipped by its
 * job's own rule, as it would be without a deployment.
 */
function endings(runs: readonly Run[], before: readonly Run[]): string[] {
  const then = new Map(before.map((run) => [run.key, run]));
  return runs.flatMap(({ key, state, reason, cancelRequested }) => {
    const old = then.get(key);
    const isEnded = (state === 'skipped' || state === 'canceled') && (old === undefined || isOpen(old.state));
    if (isEnded) return reason === 'overlap' ? [] : [`${key} ${reason}`];
    return cancelRequested && !old?.cancelRequested ? [`${key} ${cancelRequested.reason}`] : [];
  });
}

test('what a plan says of runs and fires comes true with the next sweep, and nothing else ends', async () => {
  const told = { dropped: 0, canceled: 0, staying: 0 };
  await holds(
    fc.asyncProperty(
      versions,
      fc.option(versions, { freq: 4 }),
      fc.array(fc.constantFrom('run', 'end', 'lose'), { minLength: 1, maxLength: 7 }),
      async (old, fresh, fates) => {
        const world = await lived(old, fates);
        const after = fresh === null ? [] : [fresh];
        const before = await world.runs('a');
        const runs = (await foreseen(world, after))?.runs ?? {
          dropped: [],
          canceled: [],
          running: [],
          replaced: null,
          staying: [],
        };
        world.jobs = after;
        await world.sweep();
        const now = await world.runs('a');
        const ended = [
          ...runs.dropped.map(({ fireTime, reason }) => `${fireKey(fireTime)} ${reason}`),
          ...runs.canceled.map(({ key }) => `${key} removed`),
          ...(runs.replaced === null ? [] : [`${runs.replaced.key} superseded`]),
        ];
        expect(endings(now, before).sort()).toEqual(ended.sort());
        const stateOf = (key: string) => now.find((run) => run.key === key)?.state;
        expect(runs.running.map(({ key }) => stateOf(key))).toEqual(runs.running.map(() => 'running'));
        expect(runs.staying.filter(({ key }) => !isOpen(stateOf(key) ?? 'missed'))).toEqual([]);
        told.dropped += runs.dropped.length;
        told.canceled += runs.canceled.length;
        told.staying += runs.staying.length;
      },
    ),
    { runs: 120 },
  );
  console.log(told);
  expect(Math.min(...Object.values(told))).toBeGreaterThan(0);
});
