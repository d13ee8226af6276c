import type { Backfill, BackfillRange } from '../domain/backfill.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { beginBackfill, previewBackfill } from '../operator/backfill.ts';
import type { Operator } from '../operator/ports.ts';

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

/** The fires that a pause had skipped, and how many of them are made up now. */
export async function makeUpSkipped(
  operator: Operator,
  job: ManifestJob,
  { since, isWanted }: { since: number; isWanted: boolean },
): Promise<{ readonly skipped: number; readonly madeUp: number }> {
  const { range, ...plan } = await skippedSince(operator, job, { since });
  const skipped = plan.fires.length;
  if (skipped === 0 || !isWanted) return { skipped, madeUp: 0 };
  const note = 'the pause is over';
  const written = await beginBackfill(operator, job, plan, { range, only: 'skipped', note });
  return { skipped, madeUp: written.length };
}
