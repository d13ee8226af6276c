import { weightOf } from '../../domain/pools.ts';
import type { PoolsAnswer } from '../data.ts';
import { manifestOf, type View } from './view.ts';

/** Every pool that is declared, by name, as it stands. One that the reconciler has not published yet is left out. */
export async function poolsAnswer({ place: { ledger } }: View): Promise<PoolsAnswer> {
  const { jobs, pools: declared = {} } = await manifestOf(ledger);
  const states = await ledger.pools(Object.keys(declared));
  const named = [...states.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    pools: named.map(({ name, capacity, free, waiting, holds }) => ({
      ...{ name, capacity, free, waiting },
      description: declared[name]?.describe ?? '',
      holders: Object.keys(holds).length,
      jobs: jobs.filter(({ pools = {} }) => weightOf(pools, name) > 0).length,
    })),
  };
}
