import type { PoolEffect } from './ledger.ts';
import type { ManifestJob } from './manifest.ts';
import { runId } from './names.ts';
import type { PoolState, Weights } from './pools.ts';
import type { Run } from './run.ts';

/** What a run of the job takes of pools; null: nothing. */
export function needsOf({ pools = {} }: Pick<ManifestJob, 'pools'>): Weights | null {
  return Object.keys(pools).length === 0 ? null : pools;
}

/** A newcomer takes what it needs, where nobody waits. */
export function takeAsNewcomer(needs: Weights | null): PoolEffect[] {
  return take(needs).map((one) => ({ ...one, require: { unwaited: true } }));
}

/** The run waits, and is counted wherever it needs something: newcomers can't overtake it. */
export function beCounted(needs: Weights): PoolEffect[] {
  return Object.keys(needs).map((pool) => ({ pool, addWaiting: 1 }));
}

/** A run that waits is counted wherever it needs something by now, and no more where it doesn't. */
export function countElsewhere(
  run: Pick<Run, 'state' | 'reason' | 'waitsFor'>,
  needs: Weights,
): PoolEffect[] {
  const counted = isCountedFor(run);
  const isNeeded = ({ pool }: PoolEffect) => Object.hasOwn(needs, pool);
  const isCounted = ({ pool }: PoolEffect) => Object.hasOwn(counted, pool);
  return [
    ...leaveCount(run).filter((one) => !isNeeded(one)),
    ...beCounted(needs).filter((one) => !isCounted(one)),
  ];
}

/** A waiting run takes what it needs, and is counted no more. */
export function takeAsWaiter(
  run: Pick<Run, 'state' | 'reason' | 'waitsFor'>,
  needs: Weights | null,
): PoolEffect[] {
  return merged([...take(needs), ...leaveCount(run)]);
}

/** A run leaves its pools: what it has goes back, and where it waits it is counted no more. */
export function leavePools(run: Pick<Run, 'state' | 'reason' | 'holds' | 'waitsFor'>): PoolEffect[] {
  return [...giveBack(run), ...leaveCount(run)];
}

/**
 * The same at pools as they were read after the run. What an item doesn't know can't be given back, and a run whose hold was
 * lost with its pool's item must end all the same.
 */
export function leaveKnownPools(run: Run, pools: ReadonlyMap<string, PoolState>): PoolEffect[] {
  return leavePools(run).flatMap((one): PoolEffect[] => {
    const pool = pools.get(one.pool);
    if (pool === undefined || one.hold === undefined) return pool ? [one] : [];
    const weight = pool.holds[runId(run)];
    return weight === undefined ? [] : [{ ...one, hold: { kind: 'free', weight } }];
  });
}

/** What the run has, and must give back. */
export function holdsOf({ state, holds = {} }: Pick<Run, 'state' | 'holds'>): Weights {
  return state === 'offered' || state === 'running' ? holds : {};
}

/** Where the run is counted. */
export function isCountedFor({
  state,
  reason,
  waitsFor = {},
}: Pick<Run, 'state' | 'reason' | 'waitsFor'>): Weights {
  return state === 'waiting' && reason === 'pool' ? waitsFor : {};
}

function take(needs: Weights | null): PoolEffect[] {
  return Object.entries(needs ?? {}).map(([pool, weight]) => ({ pool, hold: { kind: 'take', weight } }));
}

function giveBack(run: Pick<Run, 'state' | 'holds'>): PoolEffect[] {
  return Object.entries(holdsOf(run)).map(([pool, weight]) => ({ pool, hold: { kind: 'free', weight } }));
}

function leaveCount(run: Pick<Run, 'state' | 'reason' | 'waitsFor'>): PoolEffect[] {
  return Object.keys(isCountedFor(run)).map((pool) => ({ pool, addWaiting: -1 }));
}

/** A transaction may touch an item only once. */
export function merged(effects: readonly PoolEffect[]): PoolEffect[] {
  const byPool = new Map<string, PoolEffect>();
  for (const effect of effects) byPool.set(effect.pool, { ...byPool.get(effect.pool), ...effect });
  return [...byPool.values()];
}
