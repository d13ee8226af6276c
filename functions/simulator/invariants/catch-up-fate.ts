import type { MissedPolicy } from '../../domain/manifest.ts';
import type { Run } from '../../domain/run.ts';
import { toIso } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { everDeployed, versionsAt } from './models/deployed.ts';
import { stateText } from './models/records.ts';
import { Waiting } from './models/waiting.ts';

export const catchUpFate: Invariant = {
  name: 'catch-up-fate',
  rule: 'a missed fire waits, or is left out, as its job says: by policy, age and number, the newest first',
  watch(violate, world) {
    const waiting = new Waiting();
    return {
      wroteRun(at, before, after) {
        waiting.wroteRun(at, before, after);
        if (before !== null || after === null || !isMissed(after)) return;
        const { jobId } = after;
        const policies = versionsAt(world, jobId, at).flatMap((job) => job?.missed ?? []);
        const waiters = [...waiting.of(jobId).values()];
        if (!policies.some((missed) => isAsSaid(after, missed, waiters.length)))
          violate(`is ${stateText(after)}, ${waiters.length} wait, and its job says otherwise`, after);
        const isAlwaysLatest = everDeployed(world, jobId).every(({ missed }) => missed.policy === 'latest');
        if (isAlwaysLatest && waiters.length > 1)
          violate(`${waiters.length} of ${jobId} wait at once`, after);
        if (after.reason !== 'over-limit') return;
        const graceMs = Math.max(...versionsAt(world, jobId, at).flatMap((job) => job?.graceMs ?? 0));
        const older = waiters.find(
          ({ fireTime, recordedAt }) =>
            fireTime < after.fireTime && recordedAt > after.fireTime + graceMs + 60_000,
        );
        if (older) violate(`was left out for ${toIso(older.fireTime)}, which is older`, after);
      },
    };
  },
};

function isMissed({ state, reason }: Run): boolean {
  return state === 'missed' || reason === 'catch-up' || reason === 'superseded';
}

/** `waiting`: how many wait, this one included if it does. */
function isAsSaid({ reason, createdAt, fireTime }: Run, missed: MissedPolicy, waiting: number): boolean {
  const isTooOld = createdAt - fireTime > missed.maxAgeMs;
  if (reason === 'policy' || missed.policy === 'skip') return reason === 'policy' && missed.policy === 'skip';
  if (reason === 'too-old' || isTooOld) return reason === 'too-old' && isTooOld;
  if (missed.policy === 'latest') return reason === 'catch-up' || reason === 'superseded';
  return reason === 'over-limit' ? waiting >= missed.limit : reason === 'catch-up' && waiting <= missed.limit;
}
