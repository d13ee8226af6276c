import { feedBackfill, hasToStay } from '../../cli/feed-backfill.ts';
import { endsOf } from '../../cli/instants.ts';
import { silent } from '../../cli/render/progress.ts';
import { localText } from '../../cli/render/times.ts';
import { type Backfill, type BackfillRange, backfillKinds } from '../../domain/backfill.ts';
import { canonicalJson, fingerprint } from '../../domain/fingerprint.ts';
import type { ManifestJob } from '../../domain/manifest.ts';
import { toIso } from '../../domain/time.ts';
import { previewBackfill, withdrawBackfill } from '../../operator/backfill.ts';
import { Refused } from '../../operator/ports.ts';
import type { BackfillAnswer } from '../data.ts';
import type { Hand } from './act.ts';
import { beganAt, runsOf } from './backfill-progress.ts';
import { type Body, countIn, noteIn, oneOf, textIn } from './bodies.ts';
import { AskedWrongly, deployedJobOf, manifestOf } from './view.ts';

/**
 * The fires of a range that would be made up; with the fingerprint of such an answer they are, provided that they are the same
 * still: what begins is what a person has seen.
 */
export async function backfill(hand: Hand, body: Body): Promise<BackfillAnswer> {
  const { operator } = hand;
  const job = deployedJobOf(await manifestOf(operator.ledger), textIn(body, 'jobId'));
  const asked = {
    range: rangeOf(body, { timezone: job.spec.timezone, now: operator.clock() }),
    only: oneOf(body, 'only', backfillKinds),
    order: body.order === undefined ? 'oldest' : oneOf(body, 'order', ['oldest', 'newest']),
    rate: countIn(body, 'rate'),
    ...noteIn(body),
  } as const;
  const plan = await previewBackfill(operator, job, asked);
  const seen = fingerprintOf(job, plan);
  const preview = { ...told(job, plan, asked.range), fingerprint: seen };
  if (body.previewed === undefined) return { ...preview, begun: null };
  if (body.previewed !== seen)
    throw new Refused(
      'the fires of this range are not what the preview showed any more, so nothing was begun; look again',
    );
  return { ...preview, begun: await begun(hand, job, { plan, feed: asked }) };
}

type Feed = Parameters<typeof feedBackfill>[2]['feed'];

/** Handed over whole, or from now on one after the other: nobody waits for that. */
async function begun(
  { operator, feeds, sleep }: Hand,
  job: ManifestJob,
  { plan, feed }: { plan: Backfill; feed: Feed },
): Promise<number> {
  if (plan.fires.length === 0) throw new Refused(`there is nothing to make up of ${job.id} in this range`);
  const written = feeds.begin(job.id, (signal) =>
    feedBackfill(operator, job, { plan, feed, signal, progress: silent, io: { sleep } }),
  );
  if (!hasToStay(feed, job)) return (await written).length;
  // What it fails with is told with its progress.
  written.catch(() => undefined);
  return plan.fires.length;
}

/** As `fl backfill` reads them: a clock time twice on that day is its first for the start, its second for the end. */
function rangeOf(body: Body, at: { timezone: string; now: number }): BackfillRange {
  const given = { from: textIn(body, 'from'), to: textIn(body, 'to') };
  const { start, end } = endsOf(given, { ...at, what: { from: 'from', to: 'to' } });
  const [from, to] = [start ?? at.now, Math.min(end ?? at.now, at.now)];
  if (from > to)
    throw new AskedWrongly(`from ${localText(from, at.timezone)} is after to ${localText(to, at.timezone)}`);
  return { from, to };
}

/** Which fires, as which records they stand, and by which versions of their schedule. */
function fingerprintOf({ id }: ManifestJob, { fires }: Backfill): string {
  const seen = fires.map(({ key, specId, run }) => [key, specId, run?.state, run?.token]);
  return fingerprint(canonicalJson([id, seen]));
}

function told(
  { spec: { timezone }, missed }: ManifestJob,
  { fires, left }: Backfill,
  { from, to }: BackfillRange,
): Omit<BackfillAnswer, 'fingerprint' | 'begun'> {
  return {
    ...{ from: toIso(from), to: toIso(to), left, ratePerMinute: missed.ratePerMinute },
    local: [localText(from, timezone), localText(to, timezone)],
    fires: fires.map(({ fireTime, run }) => ({
      at: toIso(fireTime),
      local: localText(fireTime, timezone),
      state: run?.state ?? 'unrecorded',
    })),
  };
}

/** Stops a backfill, whoever began it and wherever: what of it waits is taken back. */
export async function withdraw({ operator, feeds }: Hand, body: Body): Promise<{ withdrawn: number }> {
  const { ledger, clock } = operator;
  const { id: jobId } = deployedJobOf(await manifestOf(ledger), textIn(body, 'jobId'));
  const action = await beganAt(ledger, { jobId, now: clock() });
  if (action === null || toIso(action.at) !== textIn(body, 'at'))
    throw new Refused(`this is not the newest backfill of ${jobId} any more; look again`);
  const wasFed = feeds.isUnderWay(jobId);
  await feeds.stop(jobId);
  const waiting = (await runsOf(ledger, action)).filter(({ state }) => state === 'waiting');
  if (waiting.length === 0 && !wasFed) throw new Refused('nothing of it waits any more: what runs goes on');
  return { withdrawn: await withdrawBackfill(operator, jobId, waiting) };
}
