/** A named capacity that jobs share, such as a database's IO. */
export interface Pool {
  readonly capacity: number;
  readonly describe: string;
}

/** Declares the shared capacities of all jobs, by name. */
export function definePools<const P extends Readonly<Record<string, Pool>>>(pools: P): P {
  return pools;
}
