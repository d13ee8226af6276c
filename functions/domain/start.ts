import type { Answer, Fence, JobEffect, RunChange } from './ledger.ts';
import type { ManifestJob } from './manifest.ts';
import { fireKey } from './names.ts';
import type { Attempt, Run } from './run.ts';
import { newRun } from './run.ts';
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

export type StartingJob = Pick<ManifestJob, 'id' | 'specId' | 'overlap'>;

/** The run that a delivery claims its fire with, and what must hold of its job. */
export function claimOf(job: StartingJob, fireTime: number, entry: Entry): { run: Run; effect: JobEffect } {
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
    hasSlot: job.overlap !== 'allow',
    attempts: [attempt],
  });
  return { run, effect: startEffect(job) };
}

/** What a start requires of its job, and takes. An offer of a live fire takes it just the same. */
export function startEffect(job: StartingJob): JobEffect {
  const require = { unpaused: true, specId: job.specId } as const;
  return job.overlap === 'allow' ? { require } : { require, slot: 'take' };
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
  | { readonly kind: 'duplicate'; readonly of: Run }
  | { readonly kind: 'skip'; readonly reason: 'paused' | 'overlap' }
  | { readonly kind: 'other-spec' }
  | { readonly kind: 'conflict' };

/** Turns what stood in the way of a start into what it means. The fire's own record comes first: a duplicate is nothing else. */
export function decideStart(answer: Answer, token: string, specId: string): StartDecision {
  if (answer.kind === 'done') return { kind: 'run' };
  if (answer.kind === 'conflict') return { kind: 'conflict' };
  const { run, job } = answer;
  if (run) return run.token === token ? { kind: 'run' } : { kind: 'duplicate', of: run };
  if (job === undefined) return { kind: 'conflict' };
  if (job === null || job.specId !== specId) return { kind: 'other-spec' };
  if (job.paused !== undefined) return { kind: 'skip', reason: 'paused' };
  if (job.slot !== undefined) return { kind: 'skip', reason: 'overlap' };
  return { kind: 'conflict' };
}

/** The record of a fire that is not going to run. */
export function skippedRun(
  job: Pick<ManifestJob, 'id' | 'specId'>,
  fireTime: number,
  { reason, token, now }: { reason: 'paused' | 'overlap' | 'edited'; token: string; now: number },
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
