import { isDeepStrictEqual } from 'node:util';
import type { JobState, Pause } from '../../domain/job-state.ts';
import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import type { Invariant, WorldView } from '../observe.ts';
import { versionsAt } from './models/deployed.ts';
import { stateText } from './models/records.ts';

/** What a sweep read when it began counts until it is over. */
const sweepMs = 2 * minute;

export const pauseStays: Invariant = {
  name: 'pause-stays',
  rule: 'a person alone resumes, and pauses but for a job that fails as often in a row as it may; a paused job starts nothing, and what is due meanwhile is skipped',
  watch(violate, world) {
    const pauses = new Map<string, { readonly pause: Pause; readonly since: number }>();
    return {
      wroteJob(at, before, after, byOperator) {
        const isChanged = !isDeepStrictEqual(before?.paused, after.paused);
        if (!byOperator && isChanged && !failsTooOften(before, after, { at, world }))
          violate(`${after.jobId} was ${after.paused ? 'paused' : 'resumed'}, and no person did it`);
        if (after.paused === undefined) pauses.delete(after.jobId);
        else if (isChanged) pauses.set(after.jobId, { pause: after.paused, since: at });
      },
      wroteRun(at, before, after, byOperator) {
        const paused = after && pauses.get(after.jobId);
        if (!paused || byOperator) return;
        const { pause, since } = paused;
        if (isStart(before, after)) violate(`became ${after.state} while its job was paused`, after);
        const isNew = before === null && after.fireTime >= pause.at && at > since + sweepMs;
        if (isNew && after.state !== 'skipped' && after.state !== 'canceled')
          violate(`was due while its job was paused, and is ${stateText(after)}`, after);
      },
    };
  },
};

function failsTooOften(
  before: JobState | null,
  after: JobState,
  { at, world }: { at: number; world: WorldView },
): boolean {
  if (before === null || before.paused !== undefined || after.paused === undefined) return false;
  const allowed = versionsAt(world, after.jobId, at).flatMap((job) => job?.pauseAfter ?? []);
  return allowed.some((most) => before.failuresInARow >= most);
}

/** A claim by a delivery, or an offer; an offer that was made before may still be taken. */
function isStart(before: Run | null, after: Run): boolean {
  if (after.state === 'running') return before === null;
  return after.state === 'offered' && before?.token !== after.token;
}
