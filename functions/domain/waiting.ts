import { patienceMs, type Waiter } from './admission.ts';
import { oneLessWaits } from './catch-up.ts';
import { canonicalJson } from './fingerprint.ts';
import { beCounted, countElsewhere, leavePools, merged, needsOf, takeAsWaiter } from './holds.ts';
import type { CatchUp } from './job-state.ts';
import type { Effect, Fence, Move, PoolEffect, RunChange } from './ledger.ts';
import { type ManifestJob, takesSlot } from './manifest.ts';
import { runId } from './names.ts';
import { offered } from './offer.ts';
import type { Weights } from './pools.ts';
import { newRun, type Run, turnOf, waitingForSlot, waitsAfter, waitsSince } from './run.ts';
import { type Claim, taking } from './start.ts';

type AdmittedJob = Pick<ManifestJob, 'overlap' | 'pools' | 'graceMs'>;

interface Admission {
  /** The tally of its job, as it was read. */
  readonly catchUp: CatchUp;
  readonly token: string;
  readonly now: number;
}

/**
 * A fire whose pools have too little left, or are waited for: it takes its job's slot and waits for them, and the
 * reconciler admits it. What else must hold of its job is what a start requires.
 */
export function waitForPools(
  { run: { jobId, key, fireTime, specId, trigger, hasSlot, coversFrom, holds = {} }, effect }: Claim,
  { token, now }: { token: string; now: number },
): Claim {
  const run = newRun({
    ...{ jobId, key, fireTime, specId, trigger, hasSlot, token },
    ...(coversFrom !== undefined && { coversFrom }),
    ...waitingForPools({ fireTime }, holds, now),
    createdAt: now,
  });
  return { run, effect: { ...effect, pools: beCounted(holds) } };
}

/** What is waited for at pools, as `admit` has it. A run that has yet to be counted there begins to wait now. */
export function waiterOf(run: Run, job: Pick<ManifestJob, 'pools' | 'priority'>, now: number): Waiter {
  const { priority = 0 } = job;
  return {
    id: runId(run),
    needs: needsOf(job) ?? {},
    priority: run.trigger === 'backfill' ? priority - 1 : priority,
    since: seniorityOf(run) ?? now,
  };
}

/** Since when a run counts as waiting for pools; undefined: it doesn't yet. */
export function seniorityOf(run: Run): number | undefined {
  return run.seniority ?? (run.reason === 'pool' ? waitsSince(run) : undefined);
}

/**
 * How long the run has waited that has waited longest for its slot or its pools, in milliseconds; 0: none waits. A missed
 * fire that waits for its turn isn't late: its job's `rate` holds it back.
 */
export function oldestWaitMs(runs: readonly Run[], now: number): number {
  const waits = runs
    .filter(({ state, reason }) => state === 'waiting' && reason !== 'catch-up')
    .map((run) => now - Math.min(waitsSince(run), seniorityOf(run) ?? Number.POSITIVE_INFINITY));
  return Math.max(0, ...waits);
}

/**
 * A run that others give way to counts as waiting for pools for as long as the first of them: else one that is replaced each
 * minute would never come to its turn. Null: none of them has waited longer than it.
 */
export function inherit(heir: Run, gaveWay: readonly Run[]): { fence: Fence; change: RunChange } | null {
  const since = gaveWay.flatMap((run) => seniorityOf(run) ?? []);
  const seniority = Math.min(...since, seniorityOf(heir) ?? Number.POSITIVE_INFINITY);
  if (since.length === 0 || seniority === heir.seniority) return null;
  return { fence: fenceOf(heir), change: { set: { state: 'waiting', seniority } } };
}

/**
 * Nobody has taken its offer, time and again: it gives its pools back and waits for them behind the others, so that a function
 * that can't be invoked stands in no other's way. `gives`: the effects by which it gives them back.
 */
export function waitBehindOthers(
  run: Run,
  gives: readonly PoolEffect[],
  { token, now }: { token: string; now: number },
): { change: RunChange; effect: Effect } {
  const given = gives.map(({ pool }) => pool);
  const needs = Object.fromEntries(Object.entries(run.holds ?? {}).filter(([pool]) => given.includes(pool)));
  return {
    change: { set: { ...waitingForPools(run, needs, now), token }, clear: ['seniority'] },
    effect: { pools: merged([...gives, ...beCounted(needs)]) },
  };
}

/** How long a run waited for each pool, in milliseconds, since the attempt before its newest. */
export function waitedMsOf({
  waits = [],
  attempts,
}: Pick<Run, 'waits' | 'attempts'>): Record<string, number> {
  const before = attempts.at(-2);
  const since = before === undefined ? 0 : (before.settledAt ?? before.startedAt);
  const waited: Record<string, number> = {};
  for (const { reason, from, until, pools } of waits) {
    if (reason !== 'pool' || from < since) continue;
    for (const pool of Object.keys(pools ?? {})) waited[pool] = (waited[pool] ?? 0) + until - from;
  }
  return waited;
}

/** A waiting run's turn has come: it is offered with its slot and its holds, and no more among those that wait. */
export function admission(run: Run, job: AdmittedJob, by: Admission): Move {
  const { token, now } = by;
  const { hasSlot, ...holds } = taking(job);
  const set = {
    ...offered(job, { token, now }),
    ...holds,
    ...waitsAfter(run, now),
    hasSlot: hasSlot || run.hasSlot,
  };
  const gone = ['reason', 'waitsFor', 'waitingSince', 'seniority'] as const;
  const clear = [...gone, ...(holds.holds ? [] : (['holds'] as const))];
  return {
    fence: fenceOf(run),
    change: { set, clear },
    effect: leavingTheLine(run, job, by, takeAsWaiter(run, needsOf(job))),
  };
}

/**
 * A run whose turn for the slot has come, and whose pools have too little left: it takes the slot and waits for them. A
 * missed fire does so only after a while, since it would be in the way of its job's live ones. One that waits for pools
 * waits on, for those that its job needs by now. Null: nothing changes.
 */
export function joinPools(run: Run, job: AdmittedJob, by: Admission): Move | null {
  const { token, now } = by;
  const needs = needsOf(job);
  const isPatient = run.reason === 'catch-up' && now - waitsSince(run) < patienceMs;
  if (needs === null || isPatient) return null;
  if (run.reason === 'pool') return recount(run, needs, token);
  const hasSlot = run.hasSlot || takesSlot(job);
  const set = { ...waitingForPools(run, needs, now), ...waitsAfter(run, now), hasSlot, token };
  return {
    fence: fenceOf(run),
    change: { set },
    effect: leavingTheLine(run, job, by, beCounted(needs)),
  };
}

/** Its job needs other pools by now: it is counted at those, and keeps its age. Null: the same. */
function recount(run: Run, needs: Weights, token: string): Move | null {
  if (canonicalJson(needs) === canonicalJson(run.waitsFor)) return null;
  return {
    fence: fenceOf(run),
    change: { set: { state: 'waiting', waitsFor: needs, token } },
    effect: { require: { unpaused: true }, pools: countElsewhere(run, needs) },
  };
}

/** While its job is paused, a run that waits for pools, or is to be tried again, keeps nothing and is in nobody's way. */
export function standBack(run: Run, { token, now }: { token: string; now: number }): Move {
  return {
    fence: fenceOf(run),
    change: { set: { ...waitingForSlot(run, now), ...waitsAfter(run, now), token }, clear: ['waitsFor'] },
    effect: { ...(run.hasSlot && { slot: 'free' }), addQueued: 1, pools: leavePools(run) },
  };
}

/** It has its slot from here on, and is counted no more among those that wait for it. */
function leavingTheLine(
  run: Run,
  job: Pick<ManifestJob, 'overlap'>,
  { catchUp, now }: Admission,
  pools: NonNullable<Effect['pools']>,
): Effect {
  const isMissed = run.reason === 'catch-up';
  return {
    require: { unpaused: true, ...(isMissed && { catchUp }) },
    ...(takesSlot(job) && !run.hasSlot && { slot: 'take' }),
    ...(isMissed && { set: { catchUp: oneLessWaits(catchUp, run, now) } }),
    ...(run.reason === 'slot' && { addQueued: -1 }),
    ...(pools.length > 0 && { pools }),
  };
}

function waitingForPools({ fireTime }: Pick<Run, 'fireTime'>, needs: Weights, now: number) {
  const attentionAt = turnOf(fireTime, 'pool');
  return { state: 'waiting', reason: 'pool', waitsFor: needs, waitingSince: now, attentionAt } as const;
}

function fenceOf({ state, token }: Run): Fence {
  return { state, token };
}
