import { isDeepStrictEqual } from 'node:util';
import type { Pause } from '../../domain/job-state.ts';
import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { stateText } from './models/records.ts';

/** What a sweep read when it began counts until it is over. */
const sweepMs = 2 * minute;

export const pauseStays: Invariant = {
  name: 'pause-stays',
  rule: 'a person alone pauses and resumes; a paused job starts nothing, and what is due meanwhile is skipped',
  watch(violate) {
    const pauses = new Map<string, { readonly pause: Pause; readonly since: number }>();
    return {
      wroteJob(at, before, after, byOperator) {
        if (!byOperator && !isDeepStrictEqual(before?.paused, after.paused))
          violate(`${after.jobId} was ${after.paused ? 'paused' : 'resumed'}, and no person did it`);
        if (after.paused === undefined) pauses.delete(after.jobId);
        else if (!isDeepStrictEqual(before?.paused, after.paused))
          pauses.set(after.jobId, { pause: after.paused, since: at });
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

/** A claim by a delivery, or an offer; an offer that was made before may still be taken. */
function isStart(before: Run | null, after: Run): boolean {
  if (after.state === 'running') return before === null;
  return after.state === 'offered' && before?.token !== after.token;
}
