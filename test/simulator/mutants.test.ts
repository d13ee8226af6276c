import { describe, expect, test } from 'vitest';
import { faultNames } from '../../functions/simulator/faults.ts';
import { mutants } from '../../functions/simulator/mutants/index.ts';
import type { Violation } from '../../functions/simulator/observe.ts';
import { simulate } from '../../functions/simulator/simulate.ts';

/** Those that a short world catches at once; `npm run simulate -- --mutants` has all of them. */
const quick = [
  'claim-without-condition',
  'short-lease',
  'offer-token-kept',
  'slot-not-given-back',
  'admission-without-slot',
  'watermark-past-unrecorded',
  'duplicate-uncounted',
];

describe('a fault in the code breaks a promise', () => {
  test.each(quick)('%s', async (mutant) => {
    const broken: Violation[] = [];
    for (let seed = 1; broken.length === 0 && seed <= 3; seed += 1)
      broken.push(...(await simulate({ seed, days: 1, faults: faultNames, mutant })).violations);
    expect(broken).toHaveLength(1);
  });

  test('each mutant has a name of its own, and says what is wrong in it', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    expect(mutants.filter(({ what }) => what === '')).toEqual([]);
  });

  test('a mutant that there is not is refused with those that there are', async () => {
    const asked = simulate({ seed: 1, days: 1, faults: [], mutant: 'claim' });
    await expect(asked).rejects.toThrow(/There is no mutant "claim"; there are: claim-without-condition,/);
  });
});
