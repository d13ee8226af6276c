import type { ManifestJob } from '../../domain/manifest.ts';
import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { versionsAt } from './models/deployed.ts';

/** Clocks are so far apart. */
const skewMs = minute;

export const queueOrder: Invariant = {
  name: 'queue-order',
  rule: 'where fires queue no newcomer overtakes those that wait for the slot, and none is dropped but for its queue or its patience',
  watch(violate, world) {
    /** By job, then by key. */
    const waiting = new Map<string, Map<string, Run>>();
    /** Fire times that ever waited, by job: a drop whose request is late lands when what it gave way to has started. */
    const waited = new Map<string, Set<number>>();
    return {
      wroteRun(at, before, after) {
        if (after === null) return;
        const { jobId, key } = after;
        const others = waiting.get(jobId) ?? new Map<string, Run>();
        waiting.set(jobId, others);
        const versions = versionsAt(world, jobId, at).filter((job) => job !== null);
        const isNewcomer = before === null && takesSlot(after) && versions.every(isQueueing);
        if (isNewcomer && others.size > 0)
          violate(`took the slot while ${[...others.keys()][0]} waited for it`, after);
        const queue = waited.get(jobId) ?? new Set<number>();
        waited.set(jobId, queue);
        const problem = dropProblem(before, after, { queue, versions, at });
        if (problem !== null) violate(problem, after);
        others.delete(key);
        if (!isInLine(after)) return;
        queue.add(after.fireTime);
        if (after.reason === 'slot') others.set(key, after);
      },
    };
  },
};

/** What is wrong with the end of a run that waited; null: nothing. */
function dropProblem(
  before: Run | null,
  run: Run,
  { queue, versions, at }: { queue: ReadonlySet<number>; versions: readonly Version[]; at: number },
): string | null {
  // A duplicate of it may be counted long after.
  if (before?.state !== 'waiting' || run.state !== 'skipped') return null;
  if (run.reason === 'waited-too-long') {
    const patience = Math.min(...versions.map(({ maxWaitMs = 0 }) => maxWaitMs));
    return at - run.createdAt < patience - skewMs ? 'was dropped before its time' : null;
  }
  if (run.reason !== 'superseded' || run.supersededBy !== undefined) return null;
  const newer = [...queue].filter((fireTime) => fireTime > run.fireTime).length;
  const most = Math.min(...versions.map(mostQueued));
  return newer < most ? `gave way to ${newer} newer fires, and ${most} may wait` : null;
}

/** Where its job has no slot, fires queue for pools. */
function isInLine({ state, reason }: Run): boolean {
  return state === 'waiting' && (reason === 'slot' || reason === 'pool');
}

type Version = ManifestJob;

function takesSlot({ state, hasSlot, trigger }: Run): boolean {
  return (
    hasSlot && trigger === 'schedule' && (state === 'running' || state === 'offered' || state === 'waiting')
  );
}

function isQueueing({ overlap }: Version): boolean {
  return overlap === 'queue' || overlap === 'queue-one' || overlap === 'cancel-running';
}

function mostQueued({ overlap, maxQueued = 100 }: Version): number {
  return overlap === 'queue-one' || overlap === 'cancel-running' ? 1 : maxQueued;
}
