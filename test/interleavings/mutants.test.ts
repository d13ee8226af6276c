import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepsPromises } from './keeps-promises.ts';
import { mutants } from './mutants.ts';
import { worlds } from './worlds.ts';

/** Far more than each needs. */
const most = 3_000;

test.each(Object.entries(mutants))('the worlds show %s', async (_, { world, mutate }) => {
  const script = worlds[world];
  if (script === undefined) throw new Error(`there is no world "${world}"`);
  const property = keepsPromises(script, async () => ({ mutate }));
  const { failed, seed, numRuns } = await fc.check(property, { numRuns: most, endOnFailure: true });
  console.log(`seed ${seed}: shown by the ${numRuns}th world`);
  expect(failed).toBe(true);
});
