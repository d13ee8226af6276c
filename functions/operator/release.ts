import type { Action } from '../domain/action.ts';
import { type Release, releaseRun, uncertainStep, type Verdict } from '../domain/release.ts';
import type { Run } from '../domain/run.ts';
import { type StepAnswer, toldOf } from '../domain/steps.ts';
import { type Operator, Refused } from './ports.ts';
import { written } from './written.ts';

/** What a person says of the step of which nobody knew. */
export type SaidOfStep = Parameters<typeof toldOf>[1];

/**
 * Decides about a parked run. What is said of its uncertain step goes on the step's record in the same transaction.
 *
 * @throws Refused when nothing was written
 */
export async function release(
  operator: Operator,
  run: Run,
  decision: {
    readonly verdict: Verdict;
    readonly said: SaidOfStep | null;
    readonly note?: string | undefined;
  },
): Promise<Run> {
  const { clock, drawToken, by } = operator;
  const { verdict, said, note } = decision;
  const now = clock();
  const decided = releaseRun(run, verdict, {
    ...{ by, now, token: drawToken() },
    ...{ note, wasDone: said?.done },
  });
  if (decided.kind === 'refused') throw new Refused(decided.why);
  const { jobId, key } = run;
  const action: Action = {
    ...{ at: now, by, verb: 'release', jobId, run: key },
    ...(note !== undefined && { note }),
    details: { as: verdict, ...(said && { stepDone: said.done }) },
  };
  const logged = { ...decided, effect: { ...decided.effect, action } };
  return written(operator, run, await write(operator, run, { decided: logged, said, now }));
}

async function write(
  { ledger }: Operator,
  run: Run,
  {
    decided: { fence, change, effect },
    said,
    now,
  }: { decided: Extract<Release, { kind: 'write' }>; said: SaidOfStep | null; now: number },
): Promise<StepAnswer> {
  if (said === null) return ledger.move(run, fence, change, { effect });
  const steps = await ledger.steps(run);
  const step = uncertainStep(run, steps, now);
  if (step === null) return ledger.move(run, fence, change, { effect });
  const replaces = steps.includes(step) ? step : null;
  return ledger.writeStep(run, fence, { step: toldOf(step, said, now), replaces, last: { change, effect } });
}
