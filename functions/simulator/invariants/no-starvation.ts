import type { Manifest, ManifestJob } from '../../domain/manifest.ts';
import { runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { minute } from '../../domain/time.ts';
import { seniorityOf } from '../../domain/waiting.ts';
import type { Invariant } from '../observe.ts';
import { versionsAt } from './models/deployed.ts';
import { PoolWaiters, waitedForBy } from './models/pool-places.ts';
import { Room } from './models/room.ts';

/** Sweeps may fail, and what they write may collide: so many in a row don't, nor for so long. */
const mostSweeps = 15;
const mostMs = 15 * minute;
/** Before its patience is over by any clock. */
const overdueMs = 4 * minute;

interface Seen {
  readonly since: number;
  readonly sweeps: number;
}

/** See `pool-order`. Sweeps are counted and not only time, so a reconciler that stands still is nobody's wait. */
export const noStarvation: Invariant = {
  name: 'no-starvation',
  rule: 'a waiter whose pools have room for it, and for whoever is past its patience, goes; one whose job is paused stands back',
  watch(violate, world) {
    const waiters = new PoolWaiters();
    const room = new Room(0);
    const paused = new Set<string>();
    const seen = new Map<string, Seen>();
    return {
      wroteJob(_at, _before, { jobId, paused: pause }) {
        if (pause) paused.add(jobId);
        else paused.delete(jobId);
      },
      wrotePool(at, _before, after) {
        room.wrotePool(at, after);
      },
      wroteRun(_at, before, after) {
        const run = after ?? before;
        if (run === null) return;
        if (before?.token !== after?.token) seen.delete(runId(run));
        waiters.wroteRun(runId(run), after);
      },
      swept(at, { manifest }) {
        for (const [id, run] of waiters.all) {
          if (!isDue(run, at, manifest)) {
            seen.delete(id);
            continue;
          }
          const { since, sweeps } = seen.get(id) ?? { since: at, sweeps: 0 };
          seen.set(id, { since, sweeps: sweeps + 1 });
          if (sweeps >= mostSweeps && at - since >= mostMs)
            violate(`waits, and ${sweeps} sweeps could have had it go`, run);
        }
      },
    };

    /** Whether a sweep would have it leave its place. */
    function isDue(run: Run, at: number, manifest: Manifest): boolean {
      const versions = versionsAt(world, run.jobId, at);
      const [job] = versions;
      if (!job || versions.length > 1 || !manifest.jobs.includes(job)) return false;
      if (paused.has(run.jobId)) return true;
      const hasPlace = run.hasSlot === (job.overlap !== 'allow');
      return hasPlace && hasRoom(run, job, at);
    }

    function hasRoom(run: Run, { pools = {} }: ManifestJob, at: number): boolean {
      return Object.entries(pools).every(([pool, weight]) => {
        const others = [...waiters.at(pool)].filter(
          (other) => other !== run && at - (seniorityOf(other) ?? at) > overdueMs,
        );
        const kept = others.reduce((sum, other) => sum + (waitedForBy(other)[pool] ?? 0), 0);
        return room.freeOf(pool) >= weight + kept;
      });
    }
  },
};
