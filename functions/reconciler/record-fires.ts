import type { DueFire } from '../domain/catch-up.ts';
import { fireKey } from '../domain/names.ts';
import { type Observed, plan } from '../domain/plan.ts';
import { type RecordedMissed, recordMissed, supersedeWaiting } from './catch-up.ts';
import { offerLive, recordSkip } from './offers.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Tally } from './tally.ts';

export interface Recorded {
  readonly jobId: string;
  /** Instants that still lack their record: their alarm may still come, or a write failed. */
  readonly owed: readonly number[];
  /** How many of them should have one. */
  readonly gap: number;
  /** Of the missed fires that it has recorded, and that wait to be made up now. */
  readonly oldestWaiting?: number | undefined;
}

/** Records what a job's due fires call for. One fire's failure is told and leaves the others alone. */
export async function recordFires(
  ports: ReconcilerPorts,
  observed: Observed,
  { now, tally }: { now: number; tally: Tally },
): Promise<Recorded> {
  const { job } = observed;
  const { offers, skips, missed, notYet } = plan(observed, now);
  const failed: number[] = [];
  const attempt = async ({ fireTime }: DueFire, write: () => Promise<boolean>) => {
    const written = await write().catch((error: unknown) => {
      ports.log.error('a fire could not be recorded', { jobId: job.id, run: fireKey(fireTime), error });
      return false;
    });
    if (!written) failed.push(fireTime);
  };
  for (const fire of offers)
    await attempt(fire, () => offerLive(ports, job, { fire, state: observed.state, now, tally }));
  for (const { fire, reason } of skips)
    await attempt(fire, () => recordSkip(ports, job, { fire, reason, now, tally }));
  const { oldestWaiting, ...madeUp } = await catchUp(ports, observed, { missed, now, tally });
  failed.push(...madeUp.failed);
  return { jobId: job.id, owed: [...notYet, ...failed], gap: failed.length, oldestWaiting };
}

async function catchUp(
  ports: ReconcilerPorts,
  { job, state }: Observed,
  { missed, now, tally }: { missed: readonly DueFire[]; now: number; tally: Tally },
): Promise<RecordedMissed> {
  if (missed.length === 0) return { failed: [] };
  try {
    const catchUp = await supersedeWaiting(ports, job, { missed, catchUp: state.catchUp, now, tally });
    return await recordMissed(ports, job, { missed, catchUp, now, tally });
  } catch (error) {
    ports.log.error('the missed fires of a job could not be recorded', { jobId: job.id, error });
    return { failed: missed.map((fire) => fire.fireTime) };
  }
}
