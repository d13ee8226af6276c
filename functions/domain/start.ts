import { type DueFire, noCatchUp, owedReach } from './catch-up.ts';
import { needsOf, takeAsNewcomer } from './holds.ts';
import type { CatchUp, JobState } from './job-state.ts';
import type { Answer, Effect, Fence, RunChange } from './ledger.ts';
import { type ManifestJob, queues, takesSlot } from './manifest.ts';
import { fireKey } from './names.ts';
import { offered } from './offer.ts';
import { isOver } from './pause.ts';
import type { PoolState } from './pools.ts';
import type { Attempt, Run } from './run.ts';
import { newRun } from './run.ts';
import { isExcluded } from './schedule/index.ts';
import { minute } from './time.ts';

/** Lambda kills an attempt at its remaining time; a minute more covers clocks that differ and the kill itself. */
export const leaseMarginMs = minute;

/** Until when the owner of an attempt may be alive, from the time that its invocation has left. No time left is no reason for no lease. */
export function leaseUntil(now: number, remainingMs: number): number {
  return now + Math.max(0, remainingMs) + leaseMarginMs;
}

/** One handler entry: who it is and how long it may live. */
export interface Entry {
  readonly token: string;
  readonly requestId: string;
  readonly pid: number;
  readonly now: number;
  readonly remainingMs: number;
}

export type StartingJob = Pick<ManifestJob, 'id' | 'specId' | 'overlap' | 'pools'>;

/** A fire's first record, and what must hold of its job. */
export interface Claim {
  readonly run: Run;
  readonly effect: Effect;
}

/** What a delivery writes for its fire: the run that claims it or, for an excluded one, the record that says so. */
export function openingOf(
  job: StartingJob & Pick<ManifestJob, 'spec'>,
  fireTime: number,
  entry: Entry,
): Claim {
  return isExcluded(job.spec, fireTime) ? exclusionOf(job, fireTime, entry) : claimOf(job, fireTime, entry);
}

/** An excluded fire's record. The version that excludes it must be the one in force, or the fire may have to run. */
function exclusionOf(job: StartingJob, fireTime: number, { token, now }: Entry): Claim {
  const run = skippedRun(job, fireTime, { reason: 'excluded', token, now });
  return { run, effect: { require: { specId: job.specId, inForceBefore: fireTime } } };
}

/** The run that a delivery claims its fire with. A fire that was due before its version took force is no fire of it. */
export function claimOf(job: StartingJob, fireTime: number, entry: Entry): Claim {
  const attempt = attemptOf(1, entry);
  const run = newRun({
    jobId: job.id,
    key: fireKey(fireTime),
    fireTime,
    trigger: 'schedule',
    state: 'running',
    specId: job.specId,
    token: entry.token,
    createdAt: entry.now,
    attentionAt: attempt.leaseUntil,
    ...taking(job),
    attempts: [attempt],
  });
  const { require, ...effect } = startEffect(job);
  return { run, effect: { ...effect, require: { ...require, inForceBefore: fireTime } } };
}

/** The offer of a live fire that no alarm starts, and what must hold of its job: as for a delivery. */
export function offerOf(
  job: StartingJob & Pick<ManifestJob, 'graceMs'>,
  fire: DueFire,
  { token, now, catchUp = noCatchUp }: { token: string; now: number; catchUp?: CatchUp },
): Claim {
  const owed = owedReach(catchUp);
  const run = newRun({
    ...fire,
    ...(owed && { coversFrom: owed.coversFrom }),
    ...offered(job, { token, now }),
    key: fireKey(fire.fireTime),
    trigger: 'schedule',
    createdAt: now,
    ...taking(job),
  });
  const { require, ...effect } = startEffect(job);
  return { run, effect: { ...effect, ...owed?.effect, require: { ...require, ...owed?.effect.require } } };
}

/** What a run of the job has from its start on. */
export function taking(job: Pick<ManifestJob, 'overlap' | 'pools'>): Pick<Run, 'hasSlot' | 'holds'> {
  const needs = needsOf(job);
  return { hasSlot: takesSlot(job), ...(needs && { holds: needs }) };
}

/** What a start requires of its job, and takes. An offer of a live fire takes it just the same. */
export function startEffect(job: StartingJob): Effect {
  const behind = queues(job) ? ({ unqueued: true } as const) : {};
  const require = { unpaused: true, specId: job.specId, ...behind } as const;
  const pools = takeAsNewcomer(needsOf(job));
  return { require, ...(takesSlot(job) && { slot: 'take' }), ...(pools.length > 0 && { pools }) };
}

/** The move by which an invocation takes the offer whose token it carries. Slot and holds came with the offer. */
export function takeOffer(
  offer: { readonly token: string; readonly attempt: number },
  entry: Entry,
): { fence: Fence; change: RunChange } {
  const attempt = attemptOf(offer.attempt, entry);
  return {
    fence: { state: 'offered', token: offer.token },
    change: { set: { state: 'running', token: entry.token, attentionAt: attempt.leaseUntil }, attempt },
  };
}

/** The run that an invocation took, or null when its offer is no longer open: taken by another delivery of it, or made anew. */
export function takenOrLost(answer: Answer, token: string): Run | null | 'conflict' {
  if (answer.kind === 'conflict') return 'conflict';
  const run = answer.run ?? null;
  return run?.token === token ? run : null;
}

function attemptOf(number: number, entry: Entry): Attempt {
  return {
    number,
    token: entry.token,
    requestId: entry.requestId,
    pid: entry.pid,
    startedAt: entry.now,
    leaseUntil: leaseUntil(entry.now, entry.remainingMs),
  };
}

/** What a start came to. */
export type StartDecision =
  | { readonly kind: 'run' }
  | { readonly kind: 'excluded' }
  | { readonly kind: 'duplicate'; readonly of: Run }
  | { readonly kind: 'skip'; readonly reason: 'paused' }
  /** `owner`: the key of the run that has the slot. */
  | { readonly kind: 'skip'; readonly reason: 'overlap'; readonly owner: string }
  /** Behind whom has the slot, and those that wait for it. */
  | { readonly kind: 'queue' }
  /** For pools: these have too little left, or others wait for them. */
  | { readonly kind: 'wait'; readonly pools: readonly PoolState[] }
  | { readonly kind: 'other-spec' }
  /** Its job was paused until the fire or before it, and is so still: the reconciler has yet to end that. */
  | { readonly kind: 'pause-over' }
  | { readonly kind: 'conflict' };

/** Turns what stood in the way of a start into what it means. The fire's own record comes first: a duplicate is nothing else. */
export function decideStart(answer: Answer, { run, effect }: Claim): StartDecision {
  if (answer.kind === 'conflict') return { kind: 'conflict' };
  const standing = answer.kind === 'done' ? run : answer.run;
  if (standing && standing.token !== run.token) return { kind: 'duplicate', of: standing };
  if (standing) return { kind: run.reason === 'excluded' ? 'excluded' : 'run' };
  return answer.kind === 'done' ? { kind: 'conflict' } : whatRefused(answer, { run, effect });
}

function whatRefused({ job, pools }: Refusal, { run, effect }: Claim): StartDecision {
  const { require = {}, slot } = effect;
  if (job === undefined) return pools === undefined ? { kind: 'conflict' } : whatIsFull(pools);
  if (job === null || !isInForce(job, require)) return { kind: 'other-spec' };
  if (require.unpaused && job.paused !== undefined)
    return isOver(job.paused, run.fireTime) ? { kind: 'pause-over' } : { kind: 'skip', reason: 'paused' };
  return slot === 'take' ? whoHasSlot(job, require) : { kind: 'conflict' };
}

/** A pool that is not there yet comes into force with the version of the schedule that this code has. */
function whatIsFull(pools: NonNullable<Refusal['pools']>): StartDecision {
  const known = Object.values(pools).filter((pool) => pool !== null);
  return known.length < Object.keys(pools).length ? { kind: 'other-spec' } : { kind: 'wait', pools: known };
}

type Refusal = Extract<Answer, { kind: 'refused' }>;

function whoHasSlot({ slot, queued }: JobState, { unqueued }: Requirement): StartDecision {
  if (unqueued && (slot !== undefined || queued > 0)) return { kind: 'queue' };
  return slot === undefined ? { kind: 'conflict' } : { kind: 'skip', reason: 'overlap', owner: slot };
}

type Requirement = NonNullable<Effect['require']>;

/**
 * Whether the run that has the slot is dead for sure, and only the reconciler has not decided about it yet. A start that
 * this stands in the way of is no overlap: it has to wait for the decision.
 */
export function isDead(owner: Run | null, now: number): boolean {
  return owner?.state === 'running' && owner.attentionAt !== undefined && owner.attentionAt <= now;
}

function isInForce(
  { specId, specSince }: JobState,
  { specId: required = specId, inForceBefore = Number.POSITIVE_INFINITY }: Requirement,
): boolean {
  return specId === required && specSince < inForceBefore;
}

/** Why a fire is not going to run, when that is not for being missed. */
export type SkipReason = 'paused' | 'overlap' | 'edited' | 'excluded';

/** The record of a fire that is not going to run. */
export function skippedRun(
  job: Pick<ManifestJob, 'id' | 'specId'>,
  fireTime: number,
  { reason, token, now }: { reason: SkipReason; token: string; now: number },
): Run {
  return newRun({
    jobId: job.id,
    key: fireKey(fireTime),
    fireTime,
    trigger: 'schedule',
    state: 'skipped',
    reason,
    specId: job.specId,
    token,
    createdAt: now,
    settledAt: now,
  });
}
