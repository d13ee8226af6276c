import { cancelRun } from '../../functions/domain/cancel.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { releaseRun } from '../../functions/domain/release.ts';
import { second } from '../../functions/domain/time.ts';
import { type Act, fromNoon } from './acts.ts';
import type { Process } from './process.ts';
import type { CommonPorts, World } from './world.ts';

const lifeMs = 60 * second;

/** What a person does by `fl`, in a process of its own. */
export async function decideByPerson(
  world: World,
  act: Extract<Act, { kind: 'release' | 'cancel' | 'pause' | 'resume' }>,
): Promise<void> {
  const process = world.process(act.kind, act.luck, lifeMs);
  const ports = world.ports(process);
  try {
    if (act.kind === 'release') await release(act, ports);
    else if (act.kind === 'cancel') await cancel(act, ports);
    else await setPause(act, ports.ledger, process);
  } catch {
    // The person is told.
  }
  process.end();
}

async function release(
  { jobId, fire, as }: Extract<Act, { kind: 'release' }>,
  { ledger, drawToken, clock }: CommonPorts,
): Promise<void> {
  const run = await ledger.run({ jobId, key: fireKey(fromNoon(fire)) });
  if (run === null) return;
  const decided = releaseRun(run, as, { by: 'ada', token: drawToken(), now: clock() });
  if (decided.kind === 'refused') return;
  const { fence, change, effect } = decided;
  await ledger.move(run, fence, change, effect ? { effect } : {});
}

async function cancel(
  { jobId, fire }: Extract<Act, { kind: 'cancel' }>,
  { ledger, drawToken, clock }: CommonPorts,
): Promise<void> {
  const run = await ledger.run({ jobId, key: fireKey(fromNoon(fire)) });
  if (run === null) return;
  const request = { at: clock(), by: 'ada', reason: 'operator' } as const;
  const decided = cancelRun(run, request, { state: await ledger.job(jobId), token: drawToken() });
  if (decided.kind === 'refused') return;
  const { fence, change, effect } = decided;
  await ledger.move(run, fence, change, effect ? { effect } : {});
}

async function setPause(
  { kind, jobId }: Extract<Act, { kind: 'pause' | 'resume' }>,
  ledger: Ledger,
  { clock }: Process,
): Promise<void> {
  await ledger.setPause(jobId, kind === 'pause' ? { at: clock(), by: 'ada', note: '' } : null);
}
