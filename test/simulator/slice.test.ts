import { describe, expect, test } from 'vitest';
import { drawFaults, type FaultName, faultNames } from '../../functions/simulator/faults.ts';
import { Random } from '../../functions/simulator/random.ts';
import { simulate } from '../../functions/simulator/simulate.ts';

async function brokenBy(seed: number, faults: readonly FaultName[] = faultNames): Promise<unknown> {
  const { violations } = await simulate({ seed, days: 1, faults });
  return violations.map((violation) => ({ seed, ...violation }));
}

/** A few of the worlds of `npm run simulate`: each a day of faults in a second. Fresh ones are for that command. */
describe('no promise is broken', () => {
  // Seed 2 is the one in which catch-up went past its rate.
  test.each([2, 3, 8, 13])('in the world of seed %i', async (seed) => {
    expect(await brokenBy(seed)).toEqual([]);
  });

  test('in a world without faults, in which no delivery is refused and none is lost', async () => {
    const { deliveries, fires, strikes, violations } = await simulate({ seed: 1, days: 1, faults: [] });
    expect(violations).toEqual([]);
    expect(Object.values(strikes).filter((count) => count > 0)).toEqual([]);
    expect(fires).toBeGreaterThan(200);
    expect(deliveries).toBeGreaterThan(200);
  });
});

describe('a seed', () => {
  test('gives the same world each time, event by event', async () => {
    const first = await simulate({ seed: 7, days: 1, faults: faultNames });
    const between = await simulate({ seed: 9, days: 1, faults: faultNames });
    const second = await simulate({ seed: 7, days: 1, faults: faultNames });
    expect(second).toEqual(first);
    expect(between.hash).not.toBe(first.hash);
  });

  test('gives the same world whether its trace is kept or not', async () => {
    let lines = 0;
    const count = () => {
      lines += 1;
    };
    const { hash } = await simulate({ seed: 7, days: 0.25, faults: faultNames });
    const told = await simulate({ seed: 7, days: 0.25, faults: faultNames, trace: count });
    expect(told.hash).toBe(hash);
    expect(lines).toBeGreaterThan(1_000);
  });

  test('draws some of the faults, and others the next one', () => {
    const [one, other] = [7, 8].map((seed) => [...drawFaults(faultNames, new Random(seed))]);
    expect(one).not.toEqual(other);
    expect(one?.length).toBeLessThan(faultNames.length);
  });
});
