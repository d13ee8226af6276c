import { runId } from '../../domain/names.ts';
import type { PoolState, Weights } from '../../domain/pools.ts';
import type { Body, Invariant } from '../observe.ts';
import { heldBy } from './models/pool-places.ts';

/** What a run has, the capacities that were in force when it took it, and how many takes there were before. */
interface Take {
  readonly holds: Weights;
  readonly capacities: ReadonlyMap<string, number>;
  readonly order: number;
}

/**
 * By what truly runs, dead to the ledger or not. A take fits beside all that is held then, and what was taken before is held
 * as long as its code lives: so those that live never need more than there was when the newest of them took.
 */
export const poolNeverOver: Invariant = {
  name: 'pool-never-over',
  rule: 'the executions that are alive together never take more of a pool than its capacity was when the newest of them took of it',
  watch(violate) {
    const pools = new Map<string, PoolState>();
    const takes = new Map<string, Take>();
    const alive = new Map<number, Body & { readonly take: Take }>();
    let order = 0;
    const check = (name: string, body: Body) => {
      const users = [...alive.values()].filter(({ take }) => take.holds[name] !== undefined);
      const used = users.reduce((sum, { take }) => sum + (take.holds[name] ?? 0), 0);
      const newest = users.reduce((a, b) => (a.take.order > b.take.order ? a : b));
      const capacity = newest.take.capacities.get(name) ?? 0;
      if (used > capacity)
        violate(`began, and ${users.length} use ${used} of ${name}, of which there were ${capacity}`, body);
    };
    return {
      wroteRun(_at, before, after) {
        if (after === null || heldBy(before) === heldBy(after)) return;
        const holds = heldBy(after);
        const had = heldBy(before);
        if (Object.keys(holds).length === 0) {
          // Its code may be alive all the same.
          takes.delete(runId(after));
        } else if (Object.keys(had).length === 0) {
          order += 1;
          const capacities = new Map(
            Object.keys(holds).map((name) => [name, pools.get(name)?.capacity ?? 0]),
          );
          takes.set(runId(after), { holds, capacities, order });
        }
      },
      wrotePool(_at, _before, after) {
        pools.set(after.name, after);
      },
      bodyBegan(_at, body) {
        const take = takes.get(runId(body));
        if (take === undefined) return;
        alive.set(body.number, { ...body, take });
        for (const name of Object.keys(take.holds)) check(name, body);
      },
      bodyEnded(_at, body) {
        alive.delete(body.number);
      },
    };
  },
};
