import { expect, test } from 'vitest';
import { checkAround, randomTransition } from './agreement.ts';
import { Random } from './random.ts';

const TRANSITIONS = 200;

test('agrees with a walk of every minute around random changes of the clocks', { timeout: 120_000 }, () => {
  const random = new Random('agreement');
  const zones = new Set<string>();
  for (let count = 0; count < TRANSITIONS; count++) {
    const transition = randomTransition(random);
    zones.add(transition.timezone);
    checkAround(random, transition);
  }
  expect(zones.size).toBeGreaterThan(50);
});
