import type { Backfill, BackfillKind, BackfillRange } from '../domain/backfill.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import type { RunRef } from '../domain/names.ts';
import { minute, second } from '../domain/time.ts';
import { beginBackfill } from '../operator/backfill.ts';
import type { Operator } from '../operator/ports.ts';
import type { Io } from './io.ts';
import type { Progress } from './render/progress.ts';

const lookEveryMs = second;

export interface Feed {
  readonly range: BackfillRange;
  readonly only: BackfillKind;
  readonly order: 'oldest' | 'newest';
  /** A slower pace than its job's own, in fires a minute. */
  readonly rate?: number | undefined;
  readonly note?: string | undefined;
}

/** Whether they are written one after the other, so that somebody has to stay meanwhile. */
export function hasToStay({ order, rate }: Pick<Feed, 'order' | 'rate'>, { missed }: ManifestJob): boolean {
  return order === 'newest' || (rate !== undefined && rate < missed.ratePerMinute);
}

/** Writes the fires that are to be made up: at once, or as `hasToStay`. Stops with the signal. The runs that wait now. */
export function feedBackfill(
  operator: Operator,
  job: ManifestJob,
  {
    plan,
    feed: { range, only, order, rate, note },
    signal,
    progress,
    io,
  }: {
    plan: Backfill;
    feed: Feed;
    signal: AbortSignal;
    progress: Progress;
    io: Pick<Io, 'sleep'>;
  },
): Promise<RunRef[]> {
  const pause = rate !== undefined && rate < job.missed.ratePerMinute ? minute / rate : 0;
  const stays = hasToStay({ order, rate }, job);
  return beginBackfill(operator, job, plan, {
    ...{ range, only, note },
    order: order === 'oldest' ? 'oldest-first' : 'newest-first',
    goOn: async (written) => {
      progress.tell({ noun: 'fire', done: written.length, of: plan.fires.length, note: 'handed over' });
      // All but the first: it is told of when it is written.
      if (stays && written.length > 1) await operator.nudge(`another fire of ${job.id} is made up`);
      if (pause > 0) await io.sleep(pause, signal);
      if (order === 'newest') await started(operator, written.at(-1), { signal, io });
      return !signal.aborted;
    },
  });
}

/** Where an older one waited, too, that one would go first. */
async function started(
  { ledger }: Operator,
  ref: RunRef | undefined,
  { signal, io }: { signal: AbortSignal; io: Pick<Io, 'sleep'> },
): Promise<void> {
  while (ref !== undefined && !signal.aborted) {
    if ((await ledger.run(ref))?.state !== 'waiting') return;
    await io.sleep(lookEveryMs, signal);
  }
}
