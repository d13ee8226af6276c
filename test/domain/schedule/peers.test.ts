import { expect, test } from 'vitest';
import { compareWith } from './peers.ts';
import { Random } from './random.ts';

const QUESTIONS = 1_500;

test.each(['croner', 'cron-parser'] as const)('agrees with %s away from changes of the clocks', (peer) => {
  const { unexplained, ...counts } = compareWith(peer, new Random(peer), QUESTIONS);
  console.info(peer, counts);
  expect(unexplained).toEqual([]);
  expect(counts.agreed).toBeGreaterThan(QUESTIONS * 0.9);
});
