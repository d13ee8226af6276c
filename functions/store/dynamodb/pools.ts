import type { Ledger } from '../../domain/ledger.ts';
import type { PublishedPool } from '../../domain/pools.ts';
import { capacityIs } from './conditions.ts';
import type { Database } from './database.ts';
import { Changes } from './expressions.ts';
import { poolStateOf } from './items.ts';
import { poolKey } from './keys.ts';
import { getAll } from './read.ts';
import { crowded, update } from './write.ts';

type PoolVerbs = Pick<Ledger, 'pools' | 'publishPool'>;

/** The verbs of pools, but for what runs take of them. */
export function poolVerbs(db: Database): PoolVerbs {
  return {
    async pools(names) {
      const items = await getAll(db, [...new Set(names)].map(poolKey));
      return new Map(items.map(poolStateOf).map((pool) => [pool.name, pool]));
    },
    publishPool: (pool, replaces) => publishPool(db, pool, replaces),
  };
}

/** By the difference, whatever is held just now; and once, since the capacity that it replaces is gone then. */
async function publishPool(
  db: Database,
  { name, capacity }: PublishedPool,
  replaces: number | null,
): Promise<'done' | 'refused'> {
  const changes = new Changes().set('capacity', capacity).add('free', capacity - (replaces ?? 0));
  const outcome = await update(db, { Key: poolKey(name), ...changes.under(capacityIs(replaces)) });
  if (outcome.kind === 'conflict')
    throw new Error(`The capacity of the pool ${name} could not be published: ${crowded}`);
  if (outcome.kind === 'done') return 'done';
  const [standing] = outcome.items;
  return standing && poolStateOf(standing).capacity === capacity ? 'done' : 'refused';
}
