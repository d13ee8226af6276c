import { describe, expect, test } from 'vitest';
import { faultNames } from '../../functions/simulator/faults.ts';
import { mutants } from '../../functions/simulator/mutants/index.ts';
import type { Violation } from '../../functions/simulator/observe.ts';
import { simulate } from '../../functions/simulator/simulate.ts';

/** Worlds in which something was broken once, and others. */
const known = [62937806, ...Array.from({ length: 39 }, (_, index) => 1 + index)];

/** WORLD of the environment: one seed, to see a failure of `npm run simulate` again here. */
const asked = process.env.WORLD === undefined ? undefined : Number(process.env.WORLD);

async function brokenBy(seed: number, days: number): Promise<unknown> {
  const { violations } = await simulate({ seed, days, faults: faultNames });
  return violations.map((violation) => ({ seed, ...violation }));
}

describe('no promise is broken', () => {
  test.each(asked === undefined ? known : [asked])('in the week of seed %i', async (seed) => {
    expect(await brokenBy(seed, 7)).toEqual([]);
  });

  test('in a month', async () => {
    expect(await brokenBy(asked ?? 62937806, 30)).toEqual([]);
  });
});

describe('a fault in the code breaks a promise within 50 worlds', () => {
  test.each(mutants)('$name', async ({ name }) => {
    const broken: Violation[] = [];
    for (let seed = 1; broken.length === 0 && seed <= 50; seed += 1)
      broken.push(...(await simulate({ seed, days: 7, faults: faultNames, mutant: name })).violations);
    expect(broken).toHaveLength(1);
  });
});
