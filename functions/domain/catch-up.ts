import type { CatchUp, JobState } from './job-state.ts';
import type { Effect, Move } from './ledger.ts';
import { type ManifestJob, type MissedPolicy, takesSlot } from './manifest.ts';
import { fireKey, fireTimeOf } from './names.ts';
import type { Run } from './run.ts';
import { newRun, turnOf } from './run.ts';
import { floorToMinute, minute } from './time.ts';

/** A due instant of a job under one version of its schedule. */
export interface DueFire {
  readonly jobId: string;
  readonly fireTime: number;
  readonly specId: string;
}

/** What becomes of a missed fire. `wait`: it will be made up, in its turn; `coversFrom`: and stand for others, see `Run`. */
export type Fate =
  | { readonly kind: 'wait'; readonly coversFrom?: number }
  | { readonly kind: 'missed'; readonly reason: 'policy' | 'too-old' | 'over-limit' }
  | { readonly kind: 'superseded'; readonly by: string };

export const noCatchUp: CatchUp = { waiting: 0, minute: 0, admitted: 0 };

/**
 * Decides about missed fires one by one, newest first: so the newest are kept whatever the length of the outage, and
 * an outage can be worked through in slices from now backwards. `waiting` and `newest` are the job's, as they stand.
 */
export function fateOf(
  fireTime: number,
  missed: MissedPolicy,
  { now, catchUp }: { now: number; catchUp: CatchUp },
): Fate {
  if (missed.policy === 'skip') return { kind: 'missed', reason: 'policy' };
  if (now - fireTime > missed.maxAgeMs) return { kind: 'missed', reason: 'too-old' };
  if (missed.policy === 'latest') {
    const { newest: newer, since = now, reach = Number.POSITIVE_INFINITY } = catchUp;
    if (newer === undefined || newer <= fireKey(fireTime))
      return { kind: 'wait', coversFrom: Math.min(since - missed.maxAgeMs, reach) };
    // A deploy may have made the greatest age longer since that one was recorded.
    return fireTime < (catchUp.reach ?? fireTime)
      ? { kind: 'missed', reason: 'too-old' }
      : { kind: 'superseded', by: newer };
  }
  return catchUp.waiting >= missed.limit ? { kind: 'missed', reason: 'over-limit' } : { kind: 'wait' };
}

/** The record of a missed fire. */
export function missedRun(fire: DueFire, fate: Fate, { token, now }: { token: string; now: number }): Run {
  const base = {
    jobId: fire.jobId,
    key: fireKey(fire.fireTime),
    fireTime: fire.fireTime,
    specId: fire.specId,
    trigger: 'schedule',
    token,
    createdAt: now,
  } as const;
  switch (fate.kind) {
    case 'wait':
      return newRun({
        ...base,
        trigger: 'backfill',
        state: 'waiting',
        reason: 'catch-up',
        attentionAt: turnOf(fire.fireTime, 'catch-up'),
        ...(fate.coversFrom === undefined ? {} : { coversFrom: fate.coversFrom }),
      });
    case 'missed':
      return newRun({ ...base, state: 'missed', reason: fate.reason, settledAt: now });
    case 'superseded':
      return newRun({
        ...base,
        state: 'skipped',
        reason: 'superseded',
        supersededBy: fate.by,
        settledAt: now,
      });
  }
}

/** One more missed fire waits. `coversFrom`: as its record says. */
export function oneMoreWaits(
  catchUp: CatchUp,
  { key, coversFrom }: Pick<Run, 'key' | 'coversFrom'>,
  now: number,
): CatchUp {
  const newest = catchUp.newest === undefined || key > catchUp.newest ? key : catchUp.newest;
  const reach = coversFrom === undefined ? {} : { reach: coversFrom };
  return { ...catchUp, waiting: catchUp.waiting + 1, newest, since: catchUp.since ?? now, ...reach };
}

/** The newest waits no more since a newer one stands for it, which reaches that far: it may have been recorded under another policy. */
export function supersededBy(catchUp: CatchUp): CatchUp {
  const { newest = '', reach, ...rest } = catchUp;
  const known = [reach, fireTimeOf(newest) ?? undefined].filter((instant) => instant !== undefined);
  return {
    ...rest,
    waiting: Math.max(0, catchUp.waiting - 1),
    ...(known.length > 0 && { reach: Math.min(...known) }),
  };
}

/**
 * A live fire to which another gave way while it was taken for missed, and could not be recorded: it reaches as far back, and
 * nothing is owed any more. Null: nobody gave way to it.
 */
export function owedReach(catchUp: CatchUp): { coversFrom: number; effect: Effect } | null {
  const { newest, reach, since: _over, ...rest } = catchUp;
  if (newest !== undefined || reach === undefined || rest.waiting > 0) return null;
  return { coversFrom: reach, effect: { require: { catchUp }, set: { catchUp: rest } } };
}

/**
 * One waits no more: admitted (counted against the rate), or dropped. What a person has made up isn't among those that are
 * counted: no policy's limit bounds it, and nothing supersedes it.
 */
export function oneLessWaits(
  catchUp: CatchUp,
  { key, requested }: Pick<Run, 'key' | 'requested'>,
  admittedAt: number | null,
): CatchUp {
  const { newest, since, reach, ...rest } = catchUp;
  const tally = admittedAt === null ? {} : countAdmission(catchUp, admittedAt);
  if (requested !== undefined) return { ...catchUp, ...tally };
  const waiting = Math.max(0, catchUp.waiting - 1);
  const counted = { ...rest, ...tally, waiting };
  if (waiting === 0) return counted;
  const left = { ...counted, ...(since !== undefined && { since }), ...(reach !== undefined && { reach }) };
  return newest === undefined || newest === key ? left : { ...left, newest };
}

function countAdmission(catchUp: CatchUp, now: number): Pick<CatchUp, 'minute' | 'admitted'> {
  return isCounted(catchUp, now)
    ? { minute: catchUp.minute, admitted: catchUp.admitted + 1 }
    : { minute: floorToMinute(now), admitted: 1 };
}

/** The minute is the one that was last counted, or, by a clock that is behind the last counter's, the one before it. */
function isCounted({ minute: counted }: CatchUp, now: number): boolean {
  const current = floorToMinute(now);
  return counted === current || counted === current + minute;
}

/** How many more may be admitted in this minute. */
export function admissionsLeft(catchUp: CatchUp, missed: MissedPolicy, now: number): number {
  return missed.ratePerMinute - (isCounted(catchUp, now) ? catchUp.admitted : 0);
}

/** What is known of a job's fires when its waiting runs are looked at. */
export interface Known {
  readonly now: number;
  /** No part of an outage is left unread, so that what supersedes or limits is known. */
  readonly caughtUp: boolean;
  /**
   * The oldest due instant that lacks its record; null: none does. Its alarm may come, or it is missed and then, under
   * `latest`, stands for the others.
   */
  readonly oldestOwed: number | null;
}

/**
 * Which of a job's waiting runs, and those to be tried again, may start now, pools permitting, in order: those that need nothing but pools; then, one
 * at a time where the job has a slot, oldest first, those that wait for it, and missed ones within the rate.
 */
export function admissible(
  job: Pick<ManifestJob, 'missed' | 'overlap'>,
  state: JobState,
  waiting: readonly Run[],
  { now, caughtUp, oldestOwed }: Known,
): Run[] {
  if (state.paused !== undefined) return [];
  const hasSlot = takesSlot(job);
  const oldestFirst = [...waiting].sort((a, b) => (a.key < b.key ? -1 : 1));
  const placed = oldestFirst.filter((run) => hasPlace(job, run));
  if (hasSlot && state.slot !== undefined) return placed;
  const released = oldestFirst.filter((run) => run.reason !== 'catch-up' && !hasPlace(job, run));
  const decided = caughtUp && !(job.missed.policy === 'latest' && isOpen(state.catchUp, oldestOwed));
  const rate = decided ? Math.max(0, admissionsLeft(state.catchUp, job.missed, now)) : 0;
  const missed = oldestFirst.filter((run) => run.reason === 'catch-up').slice(0, rate);
  return [...placed, ...[...released, ...missed].slice(0, hasSlot ? 1 : undefined)];
}

/** Whether a run that waits, or is to be tried again, needs nothing but pools: it has the slot, where its job has one. */
export function hasPlace(job: Pick<ManifestJob, 'overlap'>, { state, reason, hasSlot }: Run): boolean {
  return (reason === 'pool' || state === 'retrying') && hasSlot === takesSlot(job);
}

/** Whether a fire that was due when the first was recorded is still undecided. Later ones are not waited for: there always is one. */
function isOpen({ since }: CatchUp, oldestOwed: number | null): boolean {
  return oldestOwed !== null && since !== undefined && oldestOwed <= since;
}

/**
 * Whether a waiting run could start as soon as the slot is free, or the fires of the same outage have their records and
 * have been looked at.
 */
export function startsSoon(
  job: Pick<ManifestJob, 'missed' | 'overlap'>,
  state: JobState,
  waiting: readonly Run[],
  known: Known,
): boolean {
  const { slot, ...free } = state;
  if (admissible(job, state, waiting, known).length > 0) return false;
  return admissible(job, free, waiting, { ...known, caughtUp: true, oldestOwed: null }).length > 0;
}

/** Under `latest` a newer missed fire, of this key, takes the place of a waiting run. */
export function superseding(
  waiting: Run,
  by: string,
  { catchUp, token, now }: { catchUp: CatchUp; token: string; now: number },
): Move {
  const set = { state: 'skipped', reason: 'superseded', supersededBy: by, token, settledAt: now } as const;
  return {
    fence: { state: 'waiting', token: waiting.token },
    change: { set, clear: ['attentionAt'] },
    effect: { require: { catchUp }, set: { catchUp: supersededBy(catchUp) } },
  };
}
