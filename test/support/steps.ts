import { type Profiler, Session } from 'node:inspector/promises';

/**
 * Counts, not times, the work of some files: how often V8 ran the blocks of their code. Other code isn't counted.
 * `take` gives the steps since the last `take`.
 */
export interface StepCounter {
  take(): Promise<number>;
  stop(): Promise<void>;
}

/** `within`: a part of the path that the counted files share. */
export async function countSteps(within: string): Promise<StepCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const take = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.filter(({ url }) => url.includes(within)).reduce((sum, script) => sum + runs(script), 0);
  };
  await take();
  return {
    take,
    stop: async () => {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
}

function runs({ functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, range) => sum + range.count, 0);
}
