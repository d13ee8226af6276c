import type { ManifestJob } from '../domain/manifest.ts';
import type { Run } from '../domain/run.ts';
import { manualRun } from '../domain/trigger.ts';
import { type Operator, Refused } from './ports.ts';
import { written } from './written.ts';

const nonceLength = 8;

/**
 * Starts a job by hand: a run beside those of its schedule, which waits for its slot and its pools as any does. `fireTime`: what
 * it works for, to the minute; now, unless given. `input` was checked by the job's schema.
 *
 * @throws Refused when nothing was written
 */
export async function trigger(
  operator: Operator,
  { id: jobId }: Pick<ManifestJob, 'id'>,
  wish: { readonly fireTime?: number; readonly input?: unknown; readonly note?: string },
): Promise<Run> {
  const { ledger, clock, drawToken, by } = operator;
  const state = await ledger.job(jobId);
  if (state?.specId === undefined)
    throw new Refused(`${jobId} is not in force yet: the reconciler's next sweep puts it in force`);
  const at = clock();
  const { fireTime = at, input, note } = wish;
  const requested = { at, by, ...(note !== undefined && { note }) };
  const { run, effect } = manualRun(
    { jobId, specId: state.specId },
    {
      ...{ fireTime, input, requested },
      ...{ nonce: drawToken().slice(0, nonceLength), token: drawToken() },
      action: (key) => ({ ...requested, verb: 'trigger', jobId, run: key }),
    },
  );
  return written(operator, run, await ledger.create(run, effect));
}
