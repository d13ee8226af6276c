import { runAgain } from '../domain/again.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import type { Run } from '../domain/run.ts';
import { type Operator, Refused } from './ports.ts';
import { written } from './written.ts';

/**
 * Runs once more what ended without success, as soon as its job's slot is free. `from`: after the steps that it has done, or
 * from its beginning; unless given, as the job wants it after a crash.
 *
 * @throws Refused when nothing was written
 */
export async function retry(
  operator: Operator,
  run: Run,
  job: Pick<ManifestJob, 'crashed'>,
  { from, note }: { readonly from?: 'beginning' | 'last-step'; readonly note?: string } = {},
): Promise<Run> {
  const { ledger, clock, drawToken, by } = operator;
  const { jobId, key } = run;
  const keepsSteps = (from ?? (job.crashed === 'resume' ? 'last-step' : 'beginning')) === 'last-step';
  const requested = { at: clock(), by, ...(note !== undefined && { note }) };
  const again = runAgain(run, {
    ...{ haste: 'retry', keepsSteps, requested, token: drawToken() },
    action: { ...requested, verb: 'retry', jobId, run: key, details: { keepsSteps } },
  });
  if (again.kind === 'refused') throw new Refused(again.why);
  const { fence, change, effect } = again;
  return written(operator, run, await ledger.move(run, fence, change, { effect }));
}
