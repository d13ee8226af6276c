import { dropUnclaimed } from '../attention.ts';
import { type CompiledSpec, droppedBy, editDoubtMs } from '../due.ts';
import type { JobState } from '../job-state.ts';
import type { ManifestJob } from '../manifest.ts';
import { fireKey } from '../names.ts';
import { droppedFromQueue, isQueued } from '../queue.ts';
import { isOpen, type Run } from '../run.ts';
import { exclusions, type Spec, timetable } from '../schedule/index.ts';

/** A fire that will not run: its record says why. */
export interface DroppedFire {
  readonly fireTime: number;
  readonly reason: 'edited' | 'excluded' | 'superseded' | 'waited-too-long' | 'removed';
}

/** What a deployment does to runs that are not over. */
export interface TouchedRuns {
  /** They end by themselves, or with their lease. */
  readonly running: readonly Run[];
  /** Of a job that is removed: they become `canceled: removed`. */
  readonly canceled: readonly Run[];
  readonly dropped: readonly DroppedFire[];
  /** It has the slot, and is asked to end for a newer one that waits: at once where no attempt of it is alive. Null: none is. */
  readonly replaced: Run | null;
  /** They wait, are offered, to be tried again or parked, and stay so. */
  readonly staying: readonly Run[];
}

/** A job's open runs, and what else is known of it. */
export interface Seen {
  readonly open: readonly Run[];
  readonly state: JobState | null;
  /** The records of the old schedule's fires of the doubtful hour. */
  readonly doubtful: readonly Run[];
  readonly now: number;
}

/** What becomes of the runs of a job that is removed, and of its fires of the last hour that have no record yet. */
export function runsOfRemoved({ spec }: ManifestJob, { open, state, doubtful, now }: Seen): TouchedRuns {
  const recorded = new Set(doubtful.map(({ key }) => key));
  const isExcluded = exclusions(spec);
  const owed = doubtfulFires(spec, { now, since: state?.specSince ?? now }).filter(
    (fireTime) => !recorded.has(fireKey(fireTime)) && !isExcluded(fireTime),
  );
  return {
    running: open.filter(({ state }) => state === 'running'),
    canceled: open.filter(({ state }) => state !== 'running'),
    dropped: owed.map((fireTime) => ({ fireTime, reason: 'removed' })),
    replaced: null,
    staying: [],
  };
}

/** What becomes of the runs of a job that is another from now on. */
export function runsOfChanged(before: ManifestJob, after: ManifestJob, seen: Seen): TouchedRuns {
  const edited = before.specId === after.specId ? [] : droppedByEdit(before.spec, after.spec, seen);
  const unclaimed = new Set(edited.map(({ fireTime }) => fireTime));
  const left = seen.open.filter(({ fireTime }) => !unclaimed.has(fireTime));
  const dropped = [...edited, ...droppedByQueue(before, after, { ...seen, open: left })];
  const replaced = replacedIn(after, { ...seen, open: left });
  const gone = new Set([...dropped.map(({ fireTime }) => fireKey(fireTime)), replaced?.key]);
  const others = seen.open.filter(({ state, key }) => isOpen(state) && !gone.has(key));
  return {
    running: others.filter(({ state }) => state === 'running'),
    canceled: [],
    dropped: dropped.sort((a, b) => a.fireTime - b.fireTime),
    replaced,
    staying: others.filter(({ state }) => state !== 'running'),
  };
}

/** Under `cancel-running` the run that has the slot gives way to the newest that waits for it. */
function replacedIn({ overlap }: ManifestJob, { open, state }: Seen): Run | null {
  if (overlap !== 'cancel-running' || state === null || state.paused !== undefined) return null;
  const owner = open.find(({ key }) => key === state.slot);
  if (owner === undefined || owner.cancelRequested !== undefined) return null;
  const waits = (run: Run) => isQueued(run) && run.trigger === 'schedule' && run.fireTime > owner.fireTime;
  return open.some(waits) ? owner : null;
}

/** The fires of the old version in the hour before the new one takes force. `since`: when the old one did. */
export function doubtfulFires(spec: Spec, { now, since }: { now: number; since: number }): number[] {
  return [...timetable(spec).between(Math.max(since, now - editDoubtMs), now)];
}

/** As the reconciler does when the new version takes force: what nobody has claimed and the new version does not want run. */
function droppedByEdit(before: Spec, after: Spec, { state, doubtful, now }: Seen): DroppedFire[] {
  const next = { timetable: timetable(after), isExcluded: exclusions(after) };
  const records = new Map(doubtful.map((run) => [run.key, run]));
  return doubtfulFires(before, { now, since: state?.specSince ?? now }).flatMap((fireTime) => {
    const run = records.get(fireKey(fireTime));
    const reason = run === undefined ? droppedBy(next, fireTime) : droppedRecord(run, { next, state, now });
    return reason === null ? [] : [{ fireTime, reason }];
  });
}

function droppedRecord(
  run: Run,
  {
    next,
    state,
    now,
  }: Pick<Seen, 'state' | 'now'> & { next: Pick<CompiledSpec, 'timetable' | 'isExcluded'> },
): 'edited' | 'excluded' | null {
  // One that stands for older fires runs all the same.
  if (state === null || run.coversFrom !== undefined) return null;
  const move = dropUnclaimed(run, { next, state, pools: new Map(), now, token: '' });
  return move === null ? null : droppedBy(next, run.fireTime);
}

/** What waits now and is too many, or has waited too long, by the new policy alone. */
function droppedByQueue(before: ManifestJob, after: ManifestJob, { open, state, now }: Seen): DroppedFire[] {
  if (state?.paused !== undefined) return [];
  const waiting = open.filter((run) => run.state === 'waiting');
  const already = new Set(droppedFromQueue(before, waiting, now).map(({ run }) => run.key));
  return droppedFromQueue(after, waiting, now)
    .filter(({ run }) => !already.has(run.key))
    .map(({ run: { fireTime }, reason }) => ({ fireTime, reason }));
}
