import { cancelRun } from '../domain/cancel.ts';
import type { Run } from '../domain/run.ts';
import { type Operator, Refused } from './ports.ts';
import { written } from './written.ts';

/**
 * Ends a run: at once where no attempt is alive; one that runs is asked to end, and is still `running` in the answer.
 *
 * @throws Refused when nothing was written
 */
export async function cancel(operator: Operator, run: Run, note?: string): Promise<Run> {
  const { ledger, clock, drawToken, by } = operator;
  const { jobId, key } = run;
  const said = { at: clock(), by, ...(note !== undefined && { note }) };
  const state = await ledger.job(jobId);
  const decided = cancelRun(run, { ...said, reason: 'operator' }, { state, token: drawToken() });
  if (decided.kind === 'refused') throw new Refused(decided.why);
  const { fence, change, effect = {} } = decided;
  const action = { ...said, verb: 'cancel', jobId, run: key } as const;
  return written(operator, run, await ledger.move(run, fence, change, { effect: { ...effect, action } }));
}
