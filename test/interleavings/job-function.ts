import { killMarginMs } from '../../functions/contract.ts';
import type { ManifestJob } from '../../functions/domain/manifest.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { type Timetable, timetable } from '../../functions/domain/schedule/index.ts';
import { second } from '../../functions/domain/time.ts';
import type { LoadedJob } from '../../functions/runtime/ports.ts';
import { handleEvent } from '../../functions/runtime/runtime.ts';
import { memoryLedger } from '../../functions/store/memory.ts';
import { recordedPorts } from '../../functions/testing/recorded-ports.ts';
import { VirtualTime } from '../../functions/testing/virtual-time.ts';
import type { Body, Invoked } from './acts.ts';
import { never, type Process } from './process.ts';
import type { World } from './world.ts';

/** For the ports that make no difference here. */
const { ports: recorded } = recordedPorts(memoryLedger(), new VirtualTime(0));

/** One invocation of a job's function, in a process of its own: the real runtime around a body that is told what to do. */
export async function invokeJob(
  world: World,
  job: ManifestJob,
  payload: object,
  { luck, body }: Pick<Invoked, 'luck' | 'body'>,
): Promise<void> {
  const { time } = world.stage;
  const lifeMs = job.timeoutMs + killMarginMs;
  const process = world.process('job', luck, lifeMs);
  process.onDeath = () => world.queue.reportFailure(process.name, payload);
  const killedAt = time.now + lifeMs;
  const invocation = { requestId: process.name, remainingMs: () => Math.max(0, killedAt - time.now) };
  try {
    const { outcome } = await handleEvent(payload, invocation, loaded(world, job, { body, process }), {
      ...recorded,
      ...world.ports(process),
      after: process.after,
      exit: () => process.kill(),
    });
    world.watch.met.add(outcome);
    process.end();
  } catch {
    process.kill();
  }
}

function loaded(
  { watch, stage }: World,
  entry: ManifestJob,
  { body, process }: { body: Body; process: Process },
): LoadedJob {
  const work = async (signal: AbortSignal) => {
    for (let step = 0; step < body.steps; step += 1) await stage.step(process, 'works');
    if (body.sleeps > 0) await new Promise<void>((wake) => process.after(body.sleeps * second, wake));
    if (body.ends === 'stops') await aborted(signal);
    if (body.ends === 'dies') process.kill();
    if (body.ends === 'dies' || body.ends === 'hangs') await never();
  };
  return {
    entry,
    timetable: timetableOf(entry),
    run: async (fire, { signal }) => {
      watch.bodies.start(process, { jobId: fire.jobId, key: fireKey(fire.fireTime.getTime()) });
      await work(signal);
      watch.bodies.end(process, body.ends === 'returns');
      if (body.ends !== 'returns') throw new Error('the work failed');
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}

const timetables = new Map<string, Timetable>();

/** Compiled once for all worlds. */
function timetableOf({ specId, spec }: ManifestJob): Timetable {
  const known = timetables.get(specId) ?? timetable(spec);
  timetables.set(specId, known);
  return known;
}
