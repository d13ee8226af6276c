import { definePools } from './domain/pools.ts';

/** The capacities that jobs share. Jobs can't take from them yet. */
export default definePools({});
