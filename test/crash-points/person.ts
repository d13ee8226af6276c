import { cancelRun } from '../../functions/domain/cancel.ts';
import type { Ledger } from '../../functions/domain/ledger.ts';
import { releaseRun, uncertainStep, type Verdict } from '../../functions/domain/release.ts';
import type { Run } from '../../functions/domain/run.ts';
import { toldOf } from '../../functions/domain/steps.ts';
import { type Outside, resultOf } from './outside.ts';

interface By {
  readonly ledger: Ledger;
  readonly token: string;
  readonly now: number;
}

/** What `fl release` does for a person who looks at what truly happened. */
export async function release(
  run: Run,
  { verdict, outside }: { verdict: Verdict; outside: Outside },
  { ledger, token, now }: By,
): Promise<void> {
  const wasDone = run.uncertain === undefined ? undefined : outside.times(run.uncertain) > 0;
  const decided = releaseRun(run, verdict, { by: 'ada', wasDone, token, now });
  if (decided.kind === 'refused') throw new Error(decided.why);
  const { fence, change, effect } = decided;
  const steps = await ledger.steps(run);
  const step = uncertainStep(run, steps, now);
  if (step === null) await ledger.move(run, fence, change, { effect });
  else {
    const said = wasDone ? { done: true as const, result: resultOf(step.name) } : { done: false as const };
    const replaces = steps.includes(step) ? step : null;
    const last = { change, effect };
    await ledger.writeStep(run, fence, { step: toldOf(step, said, now), replaces, last });
  }
}

/** What `fl cancel` does. */
export async function cancel(run: Run, { ledger, token, now }: By): Promise<void> {
  const state = await ledger.job(run.jobId);
  const decided = cancelRun(run, { at: now, by: 'ada', reason: 'operator' }, { state, token });
  if (decided.kind === 'refused') return;
  const { fence, change, effect } = decided;
  await ledger.move(run, fence, change, effect ? { effect } : {});
}
