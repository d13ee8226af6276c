import { finishMutants } from './finish.ts';
import type { Mutant } from './mutant.ts';
import { poolMutants } from './pools.ts';
import { reconcilerMutants } from './reconciler.ts';
import { startMutants } from './start.ts';
import { stepMutants } from './steps.ts';

export type { Mutant } from './mutant.ts';

/** Code with one fault each. A simulation that none of them fails is missing an invariant. */
export const mutants: readonly Mutant[] = [
  ...startMutants,
  ...finishMutants,
  ...poolMutants,
  ...reconcilerMutants,
  ...stepMutants,
];
