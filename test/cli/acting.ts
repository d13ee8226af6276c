import { onTestFinished } from 'vitest';
import { runId } from '../../functions/domain/names.ts';
import type { Run } from '../../functions/domain/run.ts';
import { minute, second } from '../../functions/domain/time.ts';
import { manifestJob } from '../support/jobs.ts';
import { deliver, end, succeed, take, World } from '../support/reconciler.ts';
import { type Ended, runFl } from './run-fl.ts';
import { type SeededFolder, seededFolder } from './seeded.ts';

/** Due every minute; its fires are made up, at most two a minute. */
export const rates = manifestJob({
  id: 'rates/pull-fx',
  timezone: 'Asia/Taipei',
  missed: { policy: 'all', limit: 100, maxAgeMs: 86_400_000, ratePerMinute: 2 },
});

/** Sweeps take longer in truth than in a test. */
const shortestNap = 10 * second;

export interface Acting {
  readonly folder: SeededFolder;
  /** The real reconciler, in virtual time. */
  readonly world: World;
  /** `_` stands for a blank within a word. While it sleeps, what waits is started and succeeds, and time passes. */
  readonly fl: (command: string, more?: Omit<Parameters<typeof runFl>[1], 'now'>) => Promise<Ended>;
  /** Sweeps, and has whatever was started succeed within a second. */
  readonly turn: () => Promise<void>;
  /** A fire that failed. */
  readonly failed: (fireTime: number) => Promise<Run>;
  readonly newest: () => Promise<Run>;
}

/** A data folder as of a running system that has known `jobs` for a minute; gone when the test is. */
export async function actingFolder(now: number, jobs = [rates]): Promise<Acting> {
  const folder = await seededFolder(now, async () => {});
  onTestFinished(async () => {
    await folder.stop();
    folder.remove();
  });
  const world = new World(now - minute, jobs, folder.ledger);
  await world.sweep();
  world.now = now;
  const [job = rates] = jobs;
  const turn = async () => {
    await world.sweep();
    for (const offered of world.invoked.splice(0)) {
      const run = await take(world, offered, jobs.find(({ id }) => id === offered.jobId) ?? job);
      world.now += second;
      await succeed(world, run);
    }
  };
  return {
    ...{ folder, world, turn },
    fl: async (command, more) => {
      const words = command.split(' ').map((word) => word.replaceAll('_', ' '));
      const meanwhile = async (ms: number) => {
        await turn();
        world.now += Math.max(ms, shortestNap);
      };
      return runFl([...words, '--data', folder.dir], { meanwhile, ...more, now: () => world.now });
    },
    failed: async (fireTime) => {
      const run = await deliver(world, job, fireTime);
      const error = { name: 'TypeError', message: 'the bank sent no total' };
      await end(world, run, { kind: 'failed', error });
      const after = await folder.ledger.run(run);
      if (after === null) throw new Error(`no ${runId(run)}`);
      return after;
    },
    newest: async () => {
      const run = (await world.runs(job.id)).at(-1);
      if (run === undefined) throw new Error(`${job.id} has no run`);
      return run;
    },
  };
}
