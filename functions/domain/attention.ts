import { noCatchUp, oneLessWaits } from './catch-up.ts';
import { type CompiledSpec, droppedBy, isDoubtful } from './due.ts';
import { afterFailure, canceledFor } from './finish.ts';
import { leaveKnownPools } from './holds.ts';
import type { JobState } from './job-state.ts';
import type { Effect, Fence, Move, RunChange } from './ledger.ts';
import type { ManifestJob } from './manifest.ts';
import { offered } from './offer.ts';
import type { PoolState } from './pools.ts';
import { isQueued } from './queue.ts';
import {
  type CancelRequest,
  neverNeedsAttention,
  type Run,
  type RunState,
  waitingForSlot,
  waitsAfter,
} from './run.ts';
import { waitBehindOthers } from './waiting.ts';

/**
 * After so many ended leases a run that its job wants run again is given up: it kills its process each time. One that is
 * resumed makes headway with every hop, and is given up after so many since the last.
 */
export const mostCrashes = 3;

/** A reconciler's move of an open run. */
export interface TakeOver {
  readonly what: 'reoffered' | 'continued' | 'crashed' | 'timed-out' | 'canceled' | 'removed';
  readonly fence: Fence;
  readonly change: RunChange;
  readonly effect?: Effect;
  /** The job's function must be invoked with the new offer. */
  readonly invoke: boolean;
}

/** What a run is looked at with. */
interface Seen {
  readonly state: JobState | null;
  /** Where it holds or waits, as they were read after it. */
  readonly pools: ReadonlyMap<string, PoolState>;
  readonly now: number;
  readonly token: string;
  /** Of one that may have to be parked: its step of which only a person can find out whether it was done. */
  readonly uncertain?: string | undefined;
}

/**
 * What an open run that needs attention calls for; null: nothing yet (the index was stale, or a person must decide).
 * `job` is null when it was removed. `token` becomes the run's, so that whoever owned it is fenced off.
 */
export function takeOver(run: Run, { job, ...seen }: Seen & { job: ManifestJob | null }): TakeOver | null {
  const { state, now, token, uncertain } = seen;
  const waits = run.state === 'waiting';
  if (!waits && (run.attentionAt === undefined || run.attentionAt > now)) return null;
  const isPaused = state?.paused !== undefined;
  const at = { run, now, token, place: placeOf(run, seen), isPaused };
  if (run.state === 'running') return leaseEnded(at, job, uncertain);
  if (run.cancelRequested !== undefined && run.state !== 'parked')
    return canceledAsAsked(at, run.cancelRequested);
  if (job === null) return run.state === 'parked' ? null : cancelRemoved(run, seen);
  return run.state === 'offered' ? reoffer(at, job) : null;
}

/** An unfinished run of a job that is gone. */
export function cancelRemoved(run: Run, seen: Seen): TakeOver {
  const { state, now, token } = seen;
  const at = { run, now, token, place: placeOf(run, seen), isPaused: false };
  const waits = state !== null && run.state === 'waiting' && run.reason === 'catch-up';
  // All that wait are canceled: a tally left over would count against the limit should the job come back.
  const tally = waits ? { set: { catchUp: noCatchUp } } : leavingQueue(run, state);
  return move(at, 'removed', settled(at, 'canceled', { reason: 'removed' }), {
    effect: { ...at.place, ...tally },
  });
}

/**
 * A fire of the doubtful hour that the version taking force does not want run, and that nobody has claimed: it waits to
 * be made up, or its offer was not taken. Null: it goes on as it is.
 */
export function dropUnclaimed(
  run: Run,
  {
    next,
    ...seen
  }: Seen & { readonly next: Pick<CompiledSpec, 'timetable' | 'isExcluded'>; readonly state: JobState },
): Move | null {
  const { state, now, token } = seen;
  const waits = run.state === 'waiting' && run.reason === 'catch-up';
  const isOpen = run.state === 'waiting' || run.state === 'offered';
  const isClaimed = run.attempts.length > 0 || run.trigger === 'manual' || run.requested !== undefined;
  if (isClaimed || !isOpen || !isDoubtful(run.fireTime, now)) return null;
  const reason = droppedBy(next, run.fireTime);
  if (reason === null) return null;
  const set = {
    state: 'skipped',
    reason,
    token,
    settledAt: now,
    hasSlot: false,
    ...waitsAfter(run, now),
  } as const;
  const { catchUp } = state;
  const tally = waits
    ? { require: { catchUp }, set: { catchUp: oneLessWaits(catchUp, run, null) } }
    : leavingQueue(run, state);
  return {
    fence: { state: run.state, token: run.token },
    change: { set, clear: ['attentionAt', 'suspected'] },
    effect: { ...placeOf(run, seen), ...tally },
  };
}

function leavingQueue(run: Run, state: JobState | null): Effect {
  return state !== null && isQueued(run) ? { addQueued: -1 } : {};
}

interface At {
  readonly run: Run;
  readonly now: number;
  readonly token: string;
  /** Gives back what the run has. */
  readonly place: Effect;
  readonly isPaused: boolean;
}

/** Slot, holds and counts go back with the run. Whether they are the run's, its job's state and the pools say. */
function placeOf(run: Run, { state, pools: known }: Pick<Seen, 'state' | 'pools'>): Effect {
  const pools = leaveKnownPools(run, known);
  return { ...(state?.slot === run.key && { slot: 'free' }), ...(pools.length > 0 && { pools }) };
}

function move(
  { run }: At,
  what: TakeOver['what'],
  change: RunChange,
  { effect, invoke = false }: { effect?: Effect; invoke?: boolean },
): TakeOver {
  const fence = fenceOf(run);
  const any = effect !== undefined && Object.keys(effect).length > 0;
  return { what, fence, change, invoke, ...(any ? { effect } : {}) };
}

/** A running run may be asked to end after it was read: then it must not go on. */
function fenceOf({ state, token, cancelRequested }: Run): Fence {
  const fence = { state, token };
  return state === 'running' && cancelRequested === undefined ? { ...fence, unasked: true } : fence;
}

/** After so many offers in a row that nobody took, a run lets others have its pools. */
const mostUntaken = 3;

/** Nobody took it in time, or nobody was given it yet. */
function reoffer(at: At, job: ManifestJob): TakeOver {
  const clear = ['unsent'] as const;
  if (at.run.unsent) return again(at, 'continued', job, { set: {}, clear });
  const reoffers = at.run.reoffers + 1;
  const gives = at.place.pools ?? [];
  if (at.isPaused || gives.length === 0 || reoffers % mostUntaken > 0)
    return again(at, 'reoffered', job, { set: { reoffers } });
  const { change, effect } = waitBehindOthers(at.run, gives, at);
  return move(at, 'reoffered', { ...change, set: { ...change.set, reoffers } }, { effect });
}

/** The run is to run again: offered anew with the slot and the holds that it has or, while its job is paused, waiting without. */
function again(
  at: At,
  what: 'reoffered' | 'continued' | 'crashed',
  job: ManifestJob,
  {
    set,
    ...change
  }: { set: Partial<Pick<Run, 'reoffers' | 'crashes' | 'restarts'>> } & Omit<RunChange, 'set'>,
): TakeOver {
  const { run, now, token, place } = at;
  if (at.isPaused) {
    const waiting = { ...waitingForSlot(run, now), token } as const;
    return move(at, what, { ...change, set: { ...waiting, ...set } }, { effect: { ...place, addQueued: 1 } });
  }
  const { reoffers = 0 } = set;
  const offer = { ...change, set: { ...offered(job, { token, now, reoffers }), ...set } };
  return move(at, what, offer, { effect: { require: { unpaused: true } }, invoke: true });
}

function leaseEnded(at: At, job: ManifestJob | null, uncertain?: string): TakeOver {
  const { run, now, token, place } = at;
  const timedOut = run.timedOutAt !== undefined;
  const settle = {
    number: run.attempts.length,
    settledAt: now,
    outcome: timedOut ? ('timed-out' as const) : ('crashed' as const),
    ...(run.suspected && { suspected: run.suspected }),
  };
  const crashes = run.crashes + 1;
  if (run.cancelRequested !== undefined)
    return canceledAsAsked(at, run.cancelRequested, { ...(!timedOut && { crashes }), settle });
  if (timedOut) return timedOutForSure(at, job, settle);
  if (job === null)
    return move(
      at,
      'removed',
      { ...settled(at, 'canceled', { reason: 'removed', crashes }), settle },
      { effect: place },
    );
  if (job.crashed === 'rerun' && crashes < mostCrashes)
    return again(at, 'crashed', job, {
      set: { crashes, restarts: (run.restarts ?? 0) + 1 },
      clear: ['suspected', 'cursor'],
      settle,
    });
  if (job.crashed === 'resume' && crashesSinceHop(run) + 1 < mostCrashes)
    return again(at, 'crashed', job, { set: { crashes }, clear: ['suspected'], settle });
  if (job.crashed !== 'park')
    return move(
      at,
      'crashed',
      { ...settled(at, 'failed', { reason: 'crashed', crashes }), settle },
      { effect: { ...place, addFailureInARow: true } },
    );
  const set = {
    state: 'parked',
    reason: 'crashed',
    token,
    attentionAt: neverNeedsAttention,
    hasSlot: false,
    crashes,
    ...(uncertain !== undefined && { uncertain }),
  } as const;
  return move(at, 'crashed', { set, clear: ['suspected'], settle }, { effect: place });
}

function crashesSinceHop({ attempts }: Run): number {
  const hop = attempts.findLastIndex(({ outcome }) => outcome === 'continued');
  return attempts.slice(hop + 1).filter(({ outcome }) => outcome === 'crashed').length;
}

/** Its attempt had not seen the request when it settled, or never settled. */
function canceledAsAsked(
  at: At,
  request: CancelRequest,
  { settle, ...more }: Pick<RunChange, 'settle'> & Partial<Pick<Run, 'crashes'>> = {},
): TakeOver {
  const change = settled(at, 'canceled', { ...canceledFor(request), ...more });
  return move(at, 'canceled', { ...change, ...(settle && { settle }) }, { effect: at.place });
}

/** Its handler ignored its abort, and can't be alive any more: it failed as one that settled in time. */
function timedOutForSure(at: At, job: ManifestJob | null, settle: RunChange['settle'] & object): TakeOver {
  const { run, now, token, place } = at;
  const outcome = { kind: 'timed-out', error: run.error ?? unknownError } as const;
  // A fixed pause: nothing that failed at the same moment is tried at the same moment.
  const { change } = afterFailure(run, {
    outcome,
    now,
    retry: { policy: job?.retry, random: 1 },
  });
  // The mark is this attempt's: the next one must not be taken for it.
  const isTriedAgain = change.set.state === 'retrying';
  const clear = [...(change.clear ?? []), ...(isTriedAgain ? (['timedOutAt'] as const) : [])];
  const { slot: _kept, ...pools } = place;
  return move(
    at,
    'timed-out',
    { ...change, set: { ...change.set, token }, clear, settle },
    { effect: isTriedAgain ? pools : { ...place, addFailureInARow: true } },
  );
}

const unknownError = { name: 'TimeoutError', message: 'ran past its timeout' };

function settled(
  { run, now, token }: At,
  state: Extract<RunState, 'failed' | 'canceled'>,
  more: Partial<Pick<Run, 'reason' | 'crashes' | 'supersededBy'>>,
): RunChange {
  return {
    set: { state, token, settledAt: now, hasSlot: false, ...more, ...waitsAfter(run, now) },
    clear: ['attentionAt', 'suspected'],
  };
}
