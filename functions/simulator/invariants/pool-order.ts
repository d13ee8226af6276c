import type { ManifestJob } from '../../domain/manifest.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import { seniorityOf } from '../../domain/waiting.ts';
import type { Invariant, WorldView } from '../observe.ts';
import { versionsAt } from './models/deployed.ts';
import { heldBy, PoolWaiters } from './models/pool-places.ts';
import { Room } from './models/room.ts';

/** After so long a wait, what a run needs is kept for it. */
const patienceMs = 5 * minute;
/** Clocks are so far apart, and a sweep goes by what it read when it began. */
const skewMs = 2 * minute;
/** A request may reach the store so late. */
const lateMs = 10 * minute;

/**
 * Nobody starves, for two reasons: who comes after a waiter that is past its patience takes nothing that this one lacks; and
 * (`no-starvation`) a waiter that lacks nothing goes. So from then on only those that held or waited before it are in its way,
 * which are finitely many, take what they need once, and hold it no longer than their offers and leases last.
 */
export const poolOrder: Invariant = {
  name: 'pool-order',
  rule: 'no newcomer takes of a pool for which others wait, and nobody takes what a waiter lacks that came before and is past its patience',
  watch(violate, world) {
    const waiters = new PoolWaiters();
    const room = new Room(lateMs + skewMs);
    const pausedUntil = new Map<string, number>();
    const isHeldUp = (waiter: Run, since: number) => (pausedUntil.get(waiter.jobId) ?? 0) > since;
    return {
      wroteJob(at, before, { jobId, paused }) {
        if (paused) pausedUntil.set(jobId, Number.POSITIVE_INFINITY);
        else if (before?.paused) pausedUntil.set(jobId, at);
      },
      wrotePool(at, _before, after) {
        room.wrotePool(at, after);
      },
      wroteRun(at, before, after) {
        const run = after ?? before;
        if (run === null) return;
        waiters.wroteRun(runId(run), after);
        if (after === null || Object.keys(heldBy(before)).length > 0) return;
        for (const [pool, weight] of Object.entries(heldBy(after)))
          for (const waiter of waiters.at(pool)) check(waiter, { at, pool, weight, before, after });
      },
    };

    function check(waiter: Run, take: Take): void {
      const { pool, before, after } = take;
      const decided = decidedAt(after);
      if (!isInLine(before)) violate(`took of ${pool} while ${runId(waiter)} waited for it`, after);
      else if (ageFrom(before, decided) > ageFrom(waiter, decided) && lacks(waiter, take, decided))
        violate(`took of ${pool} what ${runId(waiter)} waits for, which came before`, after);
    }

    /** Whether it was past its patience when that was decided, and there never was room for both since. */
    function lacks(waiter: Run, { pool, weight, at }: Take, decidedAt: number): boolean {
      const since = decidedAt - skewMs;
      if (decidedAt - ageFrom(waiter, decidedAt) < patienceMs || isHeldUp(waiter, since)) return false;
      if (mayBeDropped(world, waiter, at)) return false;
      const needs = needsAt(world, waiter, [since, at]);
      const everFits = needs.every((need) =>
        Object.entries(need).every(([name, units]) => units <= room.capacityOf(name)),
      );
      const least = Math.min(...needs.map((need) => need[pool] ?? 0));
      return everFits && room.mostFreeSince(pool, since) < least + weight;
    }
  },
};

interface Take {
  readonly at: number;
  readonly pool: string;
  readonly weight: number;
  readonly before: Run | null;
  readonly after: Run;
}

/** When the reconciler had it leave the line, by its clock. */
function decidedAt({ waits, createdAt }: Run): number {
  return waits?.at(-1)?.until ?? createdAt;
}

function isInLine(run: Run | null): run is Run {
  return run?.state === 'waiting' || run?.state === 'retrying';
}

/** Since when it, or a run that it took the place of, has waited for pools; who comes from another line has only come. */
function ageFrom(run: Run, decidedAt: number): number {
  return seniorityOf(run) ?? decidedAt;
}

/** It has waited for as long as its job lets it: a sweep drops it, and may get no answer. */
function mayBeDropped(world: WorldView, { jobId, createdAt }: Run, at: number): boolean {
  return versionsAt(world, jobId, at).some(
    (job) => job?.maxWaitMs !== undefined && at - createdAt > job.maxWaitMs - skewMs,
  );
}

/** What it needs, by all versions of its job; by none while it has another place to wait for. */
function needsAt(
  world: WorldView,
  run: Run,
  [from, to]: readonly [number, number],
): NonNullable<ManifestJob['pools']>[] {
  const versions = [...versionsAt(world, run.jobId, from), ...versionsAt(world, run.jobId, to)];
  return versions.map((job) => {
    const isPlaced = job !== null && run.hasSlot === (job.overlap !== 'allow');
    return isPlaced ? (job.pools ?? {}) : {};
  });
}
