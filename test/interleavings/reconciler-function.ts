import { offerPayload } from '../../functions/contract.ts';
import { runId } from '../../functions/domain/names.ts';
import type { Run } from '../../functions/domain/run.ts';
import { second } from '../../functions/domain/time.ts';
import { takeNotes } from '../../functions/reconciler/control.ts';
import { compileOnce } from '../../functions/reconciler/observe.ts';
import { sweep } from '../../functions/reconciler/sweep.ts';
import type { Invoked } from './acts.ts';
import { invokeJob } from './job-function.ts';
import { healthy, type Luck, type Process } from './process.ts';
import type { World } from './world.ts';

/** The timeout of the reconciler's function. */
const lifeMs = 60 * second;

const compiled = compileOnce();

/** One invocation of the reconciler's function, in a process of its own. */
export async function sweepOnce(world: World, deploy: number, luck: Luck): Promise<void> {
  const { time } = world.stage;
  const process = world.process('sweep', luck, lifeMs);
  const killedAt = time.now + lifeMs;
  const ports = {
    ...world.ports(process),
    invoker: { invoke: (offered: Offered) => invokeOffer(world, offered, { deploy, by: process }) },
    metrics: { report: async () => undefined, undeliverable: async () => undefined },
    sleep: (ms: number) => new Promise<void>((wake) => void process.after(ms, wake)),
    notifier: { notify: async () => undefined },
    stage: 'world',
    loadedAt: time.now,
    tzdata: '2025b',
  };
  const messages = world.queue.takeAll();
  try {
    await takeNotes(ports, messages);
    const remainingMs = () => killedAt - time.now;
    await sweep(ports, world.manifest(deploy), { compiled, remainingMs, patient: messages.length === 0 });
  } catch {
    // It is told, and the next one goes on.
  }
  process.end();
}

type Offered = Pick<Run, 'jobId' | 'key' | 'token' | 'attempts'>;

const withoutTrouble: Invoked = {
  luck: healthy,
  body: { steps: 0, sleeps: 0, ends: 'returns' },
  delay: 0,
};

async function invokeOffer(
  world: World,
  offered: Offered,
  { deploy, by }: { deploy: number; by: Process },
): Promise<void> {
  const invoked = world.nextOffer() ?? [withoutTrouble];
  await world.stage.step(by, `invokes ${runId(offered)}`);
  const payload = offerPayload(offered);
  const job = world.job(deploy, offered.jobId);
  for (const each of invoked)
    world.stage.time.after(each.delay * second, () => void invokeJob(world, job, payload, each));
}
