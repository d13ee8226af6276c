import { localText } from '../../cli/render/times.ts';
import { backfillKinds } from '../../domain/backfill.ts';
import { toIso } from '../../domain/time.ts';
import { beginBackfill, previewBackfill } from '../../operator/backfill.ts';
import type { BackfillAnswer } from '../data.ts';
import type { Hand } from './act.ts';
import { type Body, flagIn, instantIn, noteIn, oneOf, textIn } from './bodies.ts';
import { AskedWrongly, deployedJobOf, manifestOf } from './view.ts';

/**
 * The fires of a range that are made up, and with `preview` would be. What is written goes by what holds then, so that of two
 * who press at once neither makes up a fire twice.
 */
export async function backfill({ operator }: Hand, body: Body): Promise<BackfillAnswer> {
  const job = deployedJobOf(await manifestOf(operator.ledger), textIn(body, 'jobId'));
  const [from, to] = [instantIn(body, 'from'), instantIn(body, 'to')];
  if (from === undefined || to === undefined || from > to)
    throw new AskedWrongly('from and to must be a range: from is not after to');
  const asked = { range: { from, to }, only: oneOf(body, 'only', backfillKinds) };
  const plan = await previewBackfill(operator, job, asked);
  const isPreview = flagIn(body, 'preview') ?? false;
  const begun = isPreview ? null : await beginBackfill(operator, job, plan, { ...asked, ...noteIn(body) });
  return {
    fires: plan.fires.map(({ fireTime, run }) => ({
      at: toIso(fireTime),
      local: localText(fireTime, job.spec.timezone),
      state: run?.state ?? 'unrecorded',
    })),
    left: plan.left,
    ratePerMinute: job.missed.ratePerMinute,
    begun: begun?.length ?? null,
  };
}
