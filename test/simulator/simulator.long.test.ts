import { describe, expect, test } from 'vitest';
import { faultNames } from '../../functions/simulator/faults.ts';
import { mutants } from '../../functions/simulator/mutants/index.ts';
import type { Violation } from '../../functions/simulator/observe.ts';
import { simulate } from '../../functions/simulator/simulate.ts';
import { chooseSeed } from '../support/seeded-random.ts';

describe('no promise is broken', () => {
  test('in forty weeks that nobody has seen before', async () => {
    const first = chooseSeed();
    console.log(`SEED=${first}`);
    for (let seed = first; seed < first + 40; seed += 1) {
      const { violations } = await simulate({ seed, days: 7, faults: faultNames });
      expect(violations.map((violation) => ({ seed, ...violation }))).toEqual([]);
    }
  });

  test('in a month', async () => {
    const seed = chooseSeed();
    const { violations } = await simulate({ seed, days: 30, faults: faultNames });
    expect(violations.map((violation) => ({ seed, ...violation }))).toEqual([]);
  });
});

describe('a fault in the code breaks a promise within 50 worlds', () => {
  test.each(mutants)('$name', async ({ name }) => {
    const broken: Violation[] = [];
    for (let seed = 1; broken.length === 0 && seed <= 50; seed += 1)
      broken.push(...(await simulate({ seed, days: 2, faults: faultNames, mutant: name })).violations);
    expect(broken).toHaveLength(1);
  });
});
