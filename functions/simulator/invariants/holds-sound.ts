import { type RunRef, runId } from '../../domain/names.ts';
import type { PoolState, Weights } from '../../domain/pools.ts';
import type { Run } from '../../domain/run.ts';
import type { Invariant } from '../observe.ts';
import { heldBy, PoolWaiters } from './models/pool-places.ts';

export const holdsSound: Invariant = {
  name: 'holds-sound',
  rule: 'a pool has a hold of each run that is offered or running and took of it, counts each run that waits for it, and no other',
  watch(violate) {
    const pools = new Map<string, PoolState>();
    const holders = new Map<string, Run>();
    const waiters = new PoolWaiters();
    const touched = new Set<string>();
    const check = (name: string) => {
      const { holds = {}, waiting = 0 } = pools.get(name) ?? {};
      const recorded = recordedHolds(name, holders);
      for (const id of new Set([...Object.keys(holds), ...Object.keys(recorded)]))
        if (holds[id] !== recorded[id])
          violate(
            `has ${recorded[id] ?? 0} of ${name} by its record, and the pool lent it ${holds[id] ?? 0}`,
            refOf(id),
          );
      const count = [...waiters.at(name)].length;
      if (count !== waiting) violate(`pool ${name} counts ${waiting} that wait, and ${count} do`);
    };
    /** A transaction writes its run first, and its pools last. */
    const settle = () => {
      for (const name of touched) check(name);
      touched.clear();
    };
    return {
      wroteRun(_at, before, after) {
        settle();
        const run = after ?? before;
        if (run === null) return;
        const id = runId(run);
        for (const one of [before, after]) for (const name of poolsOf(one)) touched.add(name);
        waiters.wroteRun(id, after);
        if (after !== null && Object.keys(heldBy(after)).length > 0) holders.set(id, after);
        else holders.delete(id);
      },
      wrotePool(_at, _before, after) {
        pools.set(after.name, after);
        touched.add(after.name);
      },
      swept: settle,
      atRest() {
        settle();
        for (const { name, holds } of pools.values())
          for (const id of Object.keys(holds))
            violate(`has a hold of ${name}, and all is at rest`, refOf(id));
      },
    };
  },
};

function poolsOf(run: Run | null): string[] {
  return run === null ? [] : Object.keys({ ...run.holds, ...run.waitsFor });
}

function recordedHolds(name: string, holders: ReadonlyMap<string, Run>): Weights {
  const holds = [...holders].flatMap(([id, run]) => {
    const weight = heldBy(run)[name];
    return weight === undefined ? [] : [[id, weight] as const];
  });
  return Object.fromEntries(holds);
}

function refOf(id: string): RunRef {
  const [jobId = '', key = ''] = id.split('#');
  return { jobId, key };
}
