import type { PoolState } from '../../domain/pools.ts';
import { minute } from '../../domain/time.ts';
import type { Invariant } from '../observe.ts';
import { manifestsSince } from './models/deployed.ts';

/** A request may reach the store so late. */
const lateMs = 10 * minute;

export const poolAccounts: Invariant = {
  name: 'pool-accounts',
  rule: "a pool's books balance: what is free and what is held make up a capacity that was deployed, and only what is free is taken",
  watch(violate, world) {
    const pools = new Map<string, PoolState>();
    return {
      wrotePool(at, before, after) {
        const { name, capacity } = after;
        pools.set(name, after);
        for (const problem of [balanceProblem(after), takenProblem(before, after)])
          if (problem !== null) violate(`pool ${name} ${problem}`);
        if (before?.capacity === capacity) return;
        const deployed = manifestsSince(world, at - lateMs, at).map(
          ({ pools = {} }) => pools[name]?.capacity,
        );
        if (!deployed.includes(capacity))
          violate(`pool ${name} got a capacity of ${capacity}, and none was deployed`);
      },
      atRest() {
        const declared = world.deploys.at(-1)?.manifest.pools ?? {};
        for (const [name, { capacity }] of Object.entries(declared))
          if (pools.get(name)?.capacity !== capacity)
            violate(`pool ${name} never got its capacity of ${capacity}`);
      },
    };
  },
};

function balanceProblem({ capacity, free, waiting, holds }: PoolState): string | null {
  const held = Object.values(holds).reduce((sum, weight) => sum + weight, 0);
  if (free + held !== capacity) return `has ${free} free and ${held} held, and a capacity of ${capacity}`;
  return waiting < 0 ? `counts ${waiting} that wait` : null;
}

/** Below zero it goes only when its capacity is lowered. */
function takenProblem(before: PoolState | null, after: PoolState): string | null {
  const taken = Object.keys(after.holds).filter((run) => before?.holds[run] === undefined);
  return taken.length > 0 && after.free < 0
    ? `lent ${-after.free} that it had not, to ${taken.join()}`
    : null;
}
