/** A named capacity that jobs share, such as a database's IO. */
export interface Pool {
  /** Whole units that runs may hold at once: 1 to 1,000. */
  readonly capacity: number;
  /** One line for the person on call. */
  readonly describe: string;
}

/** Declares the shared capacities of all jobs, by name. */
export function definePools<const P extends Readonly<Record<string, Pool>>>(pools: P): P {
  return pools;
}

/** How much of each pool, by its name: whole units from 1. */
export type Weights = Readonly<Record<string, number>>;

/** How much of one pool; 0 of one that isn't among them. */
export function weightOf(weights: Weights, pool: string): number {
  return Object.hasOwn(weights, pool) ? (weights[pool] ?? 0) : 0;
}

/** A pool's capacity, as it is put in force. */
export interface PublishedPool {
  readonly name: string;
  readonly capacity: number;
}

/** A pool's item. `free` + all holds = `capacity`. */
export interface PoolState extends PublishedPool {
  /** Below zero while runs hold more than a lowered capacity. */
  readonly free: number;
  /** How many runs are `waiting: pool` and need it. While there are any, no newcomer takes of it. */
  readonly waiting: number;
  /** By run id. */
  readonly holds: Weights;
}
