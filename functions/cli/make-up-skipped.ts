import type { Backfill, BackfillRange } from '../domain/backfill.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { toIso } from '../domain/time.ts';
import { beginBackfill, previewBackfill } from '../operator/backfill.ts';
import { type Operator, Refused } from '../operator/ports.ts';
import { UserError } from './user-error.ts';

/** The fires that a pause has skipped and that can be made up. Errors as of `previewBackfill`. */
export async function skippedSince(
  operator: Pick<Operator, 'ledger' | 'clock'>,
  job: ManifestJob,
  { since }: { since: number },
): Promise<Backfill & { readonly range: BackfillRange }> {
  const range = { from: since, to: operator.clock() };
  const plan = await previewBackfill(operator, job, { range, only: 'skipped' });
  return { ...plan, range, fires: plan.fires.filter(({ run }) => run?.reason === 'paused') };
}

/**
 * After a resume: the fires that the pause had skipped, and how many of them are made up now.
 *
 * @throws UserError when that is refused, which tells that the pause has ended all the same
 */
export async function makeUpSkipped(
  operator: Operator,
  job: ManifestJob,
  { since, isWanted }: { since: number; isWanted: boolean },
): Promise<{ readonly skipped: number; readonly madeUp: number }> {
  try {
    const { range, ...plan } = await skippedSince(operator, job, { since });
    const skipped = plan.fires.length;
    if (skipped === 0 || !isWanted) return { skipped, madeUp: 0 };
    const note = 'the pause is over';
    const written = await beginBackfill(operator, job, plan, { range, only: 'skipped', note });
    return { skipped, madeUp: written.length };
  } catch (error) {
    throw afterResume(error, job.id, since);
  }
}

/** The pause has ended all the same, and a person has to know. */
function afterResume(error: unknown, jobId: string, since: number): unknown {
  if (!(error instanceof Refused)) return error;
  return new UserError(
    `${jobId} is resumed, and none of the fires is made up that were skipped since ${toIso(since)}: ${error.message}, with fl backfill ${jobId} --only skipped`,
    { cause: error },
  );
}
