import {
  type DueFire,
  type Fate,
  fateOf,
  missedRun,
  oneMoreWaits,
  supersededBy,
  superseding,
} from '../domain/catch-up.ts';
import type { CatchUp } from '../domain/job-state.ts';
import type { ManifestJob } from '../domain/manifest.ts';
import { fireKey } from '../domain/names.ts';
import type { Notice } from '../domain/notices/notice.ts';
import type { ReconcilerPorts } from './ports.ts';
import type { Tally } from './tally.ts';

export interface RecordedMissed {
  /** Fires that could not be recorded. */
  readonly failed: readonly number[];
  /** Of those that wait to be made up now. */
  readonly oldestWaiting?: number | undefined;
}

/**
 * Records a job's missed fires, newest first, each with the fate that the counts as they stand give it. One that was to
 * wait and could not be recorded ends it: its write may have landed all the same, so the counts
 * aren't known any more, and the older ones are left to the next turn.
 */
export async function recordMissed(
  ports: ReconcilerPorts,
  job: ManifestJob,
  {
    missed,
    catchUp,
    now,
    tally,
  }: { missed: readonly DueFire[]; catchUp: CatchUp; now: number; tally: Tally },
): Promise<RecordedMissed> {
  const failed: number[] = [];
  const lost: Lost[] = [];
  let oldestWaiting: number | undefined;
  let counts = catchUp;
  for (const [at, fire] of missed.entries()) {
    const fate = fateOf(fire.fireTime, job.missed, { now, catchUp: counts });
    const after = await recordFate(ports, fire, { fate, catchUp: counts, now }).catch((error: unknown) => {
      ports.log.error('a missed fire could not be recorded', {
        jobId: job.id,
        run: fireKey(fire.fireTime),
        error,
      });
      return null;
    });
    if (after !== null) {
      counts = after;
      tally.add(countedAs[fate.kind]);
      if (fate.kind === 'wait') oldestWaiting = fire.fireTime;
      if (fate.kind === 'missed' && fate.reason !== 'policy') lost.push({ reason: fate.reason, fire });
    } else if (fate.kind === 'wait') {
      failed.push(...missed.slice(at).map(({ fireTime }) => fireTime));
      break;
    } else failed.push(fire.fireTime);
  }
  if (lost.length > 0) {
    tally.add('beyondPolicy', lost.length);
    tally.board.add(lostNotice(job.id, lost));
  }
  return { failed, oldestWaiting };
}

/** A fire that its job wants made up, and that will not be. */
interface Lost {
  readonly reason: 'too-old' | 'over-limit';
  readonly fire: DueFire;
}

function lostNotice(jobId: string, lost: readonly Lost[]): Notice {
  const tooOld = lost.filter(({ reason }) => reason === 'too-old').length;
  const times = lost.map(({ fire }) => fire.fireTime);
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  return { kind: 'missed', jobId, tooOld, overLimit: lost.length - tooOld, oldest, newest };
}

const countedAs = { wait: 'waiting', missed: 'missed', superseded: 'skipped' } as const;

/**
 * The counts after a fate was recorded; null: not recorded, for a collision or since the counts are others by now. A fire
 * that has got its record meanwhile is fine as it is.
 */
async function recordFate(
  { ledger, drawToken }: ReconcilerPorts,
  fire: DueFire,
  { fate, catchUp, now }: { fate: Fate; catchUp: CatchUp; now: number },
): Promise<CatchUp | null> {
  const run = missedRun(fire, fate, { token: drawToken(), now });
  if (fate.kind !== 'wait') return (await ledger.create(run)).kind === 'conflict' ? null : catchUp;
  const counted = oneMoreWaits(catchUp, run, now);
  const answer = await ledger.create(run, { require: { catchUp }, set: { catchUp: counted } });
  if (answer.kind === 'done') return counted;
  return answer.kind === 'refused' && answer.run ? catchUp : null;
}

/**
 * Under `latest` a newer missed fire takes the place of the older one that still waits. Written before the newer one is
 * recorded, so that at no moment both wait.
 *
 * @throws when it could not be written: recording the newer one has to wait
 */
export async function supersedeWaiting(
  { ledger, drawToken }: ReconcilerPorts,
  job: ManifestJob,
  {
    missed,
    catchUp,
    now,
    tally,
  }: { missed: readonly DueFire[]; catchUp: CatchUp; now: number; tally: Tally },
): Promise<CatchUp> {
  const newest = missed[0];
  const older = catchUp.newest;
  if (job.missed.policy !== 'latest' || newest === undefined || older === undefined) return catchUp;
  const by = fireKey(newest.fireTime);
  const fate = fateOf(newest.fireTime, job.missed, { now, catchUp });
  if (fate.kind !== 'wait') return catchUp;
  const waiting = await ledger.run({ jobId: job.id, key: older });
  if (waiting?.state !== 'waiting') return catchUp;
  const { fence, change, effect } = superseding(waiting, by, { catchUp, token: drawToken(), now });
  const answer = await ledger.move(waiting, fence, change, { effect });
  if (answer.kind !== 'done') throw new Error(`superseding ${older} collided with other writes`);
  tally.add('skipped');
  return supersededBy(catchUp);
}
