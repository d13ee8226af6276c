import { hour } from '../../../functions/domain/time.ts';
import { sweepMs } from './bound.ts';
import { Ground } from './ground.ts';
import { beginning, type Plan } from './plan.ts';
import { type Admit, Reconciler } from './reconciler.ts';
import { checkRest } from './rules.ts';

/** No plan goes on for so long. */
const longest = 8 * hour;

/**
 * Fires, attempts and a reconciler in virtual time, on the memory ledger and with the domain's own decisions; of what is
 * around them only what matters to pools. Throws what doesn't hold; otherwise the ground, as it was left.
 */
export async function play(plan: Plan, admit: Admit): Promise<Ground> {
  const ground = new Ground(plan);
  const reconciler = new Reconciler(ground, admit);
  const { attempts } = reconciler;
  const [first, ...later] = plan.deploys;
  await ground.deploy(first);
  for (const { id, spec, specId } of first.jobs)
    await ground.ledger.publish({ jobId: id, from: 0, spec, specId }, null);
  for (const deploy of later)
    ground.at(deploy.at, () => ground.deploy(deploy).then(() => reconciler.nudge()));
  for (const planned of plan.runs) {
    ground.at(planned.at, () => (planned.isMissed ? attempts.miss(planned) : attempts.deliver(planned)));
    if (planned.cancelAt !== undefined) ground.at(planned.cancelAt, () => attempts.cancel(planned));
  }
  ground.at(beginning + sweepMs, () => reconciler.sweep());
  await ground.run(beginning + longest);
  checkRest(ground.pools.values());
  return ground;
}
