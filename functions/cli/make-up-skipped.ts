import type { ManifestJob } from '../domain/manifest.ts';
import { beginBackfill, previewBackfill } from '../operator/backfill.ts';
import type { Operator } from '../operator/ports.ts';

/** The fires that a pause had skipped, and how many of them are made up now. */
export async function makeUpSkipped(
  operator: Operator,
  job: ManifestJob,
  { since, isWanted }: { since: number; isWanted: boolean },
): Promise<{ readonly skipped: number; readonly madeUp: number }> {
  const range = { from: since, to: operator.clock() };
  const plan = await previewBackfill(operator, job, { range, only: 'skipped' });
  const fires = plan.fires.filter(({ run }) => run?.reason === 'paused');
  if (fires.length === 0 || !isWanted) return { skipped: fires.length, madeUp: 0 };
  const note = 'the pause is over';
  const written = await beginBackfill(operator, job, { ...plan, fires }, { range, only: 'skipped', note });
  return { skipped: fires.length, madeUp: written.length };
}
