import { type Weights, weightOf } from '../pools.ts';
import { type Attempt, type Run, type WaitReason, waitsSince } from '../run.ts';
import { commonMs, type Span } from './span.ts';
import { aliveWhile } from './usage.ts';

/** A run had its place: its slot, and what it took of pools. */
export interface Stay extends Span {
  /** The attempt for which it had it; null while nothing has taken its offer yet. */
  readonly attempt: Attempt | null;
}

/**
 * When a run had its place: since it was admitted or offered, until its attempt has settled or its lease has ended. A run
 * that is to run again after a crash keeps it in between.
 */
export function staysOf(run: Run, now: number): Stay[] {
  const stays = run.attempts.map((attempt, index) => {
    const { from, until } = aliveWhile(attempt, now);
    return { attempt, from: placeSince(run, { index, from }), until };
  });
  if (run.state !== 'offered') return stays;
  const index = run.attempts.length;
  return [...stays, { attempt: null, from: placeSince(run, { index, from: now }), until: now }];
}

/** Since when the run has had the place in which attempt `index` (from 0) starts at `from`. */
function placeSince(
  { attempts, waits, createdAt }: Run,
  { index, from }: { index: number; from: number },
): number {
  const before = attempts[index - 1];
  const admitted = waits?.findLast(({ until }) => until <= from && until > (before?.startedAt ?? 0));
  if (admitted !== undefined) return admitted.until;
  if (before === undefined) return Math.min(createdAt, from);
  return before.outcome === 'crashed' && before.settledAt !== undefined ? before.settledAt : from;
}

/** How much of a pool a run has, or had, while it had its place. */
export function weightIn({ holds = {} }: Pick<Run, 'holds'>, pool: string): number {
  return weightOf(holds, pool);
}

/** A wait that is over or, without an end yet, up to now. */
export interface Waiting extends Span {
  readonly reason: WaitReason;
  readonly pools?: Weights;
  readonly isOver: boolean;
}

/** All waits of a run, oldest first. */
export function waitingsOf(run: Run, now: number): Waiting[] {
  const over = (run.waits ?? []).map((wait) => ({ ...wait, isOver: true }));
  const { state, reason } = run;
  if (state !== 'waiting' || (reason !== 'slot' && reason !== 'pool' && reason !== 'catch-up')) return over;
  const from = waitsSince(run);
  const pools = run.waitsFor === undefined ? {} : { pools: run.waitsFor };
  return [...over, { reason, from, until: Math.max(from, now), ...pools, isOver: false }];
}

/** A run that had what another waited for. */
export interface Holder {
  readonly run: Run;
  /** What it had of the pools that the other needed; none: it had the slot. */
  readonly weights: Weights;
  /** For how long of the wait, in milliseconds. */
  readonly heldMs: number;
}

/** Behind whom a run waited: those that had its job's slot, or some of its pools, at that time; who had the most, first. */
export function heldAgainst(
  waiter: Pick<Run, 'jobId' | 'key'>,
  wait: Waiting,
  { runs, now }: { runs: readonly Run[]; now: number },
): Holder[] {
  const others = runs.filter(({ jobId, key }) => jobId !== waiter.jobId || key !== waiter.key);
  const holders =
    wait.reason === 'slot'
      ? others.filter(({ jobId }) => jobId === waiter.jobId).map((run) => withSlot(run, wait, now))
      : others.map((run) => withPools(run, wait, now));
  return holders.filter(({ heldMs }) => heldMs > 0).sort((a, b) => heldSum(b) - heldSum(a));
}

/** A run that waits for pools has the slot meanwhile. */
function withSlot(run: Run, wait: Waiting, now: number): Holder {
  const forPools = waitingsOf(run, now).filter(({ reason }) => reason === 'pool');
  return { run, weights: {}, heldMs: commonMs([...staysOf(run, now), ...forPools], [wait]) };
}

function withPools(run: Run, { pools = {}, ...wait }: Waiting, now: number): Holder {
  const had = Object.keys(pools).map((pool) => [pool, weightIn(run, pool)] as const);
  const weights = Object.fromEntries(had.filter(([, weight]) => weight > 0));
  const heldMs = Object.keys(weights).length === 0 ? 0 : commonMs(staysOf(run, now), [wait]);
  return { run, weights, heldMs };
}

function heldSum({ weights, heldMs }: Holder): number {
  return heldMs * Object.values(weights).reduce((sum, weight) => sum + weight, 0) || heldMs;
}
