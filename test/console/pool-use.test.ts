import { expect, test } from 'vitest';
import { mostOfEachPixel } from '../../functions/console/api/pool-use.ts';
import { second } from '../../functions/domain/time.ts';

test('how a pool was held is told once a pixel: its most, and what was held on into the next', () => {
  const use = {
    ...{ pool: 'db', capacity: 9 },
    held: [
      [100, 2],
      [103, 7],
      [105, 1],
      [134, 4],
      [136, 0],
    ] as const,
  };
  expect(mostOfEachPixel(use, 10 * second)).toEqual({
    ...use,
    held: [
      [100, 7],
      [110, 1],
      [130, 4],
      [140, 0],
    ],
  });
  expect(mostOfEachPixel(use, 0)).toEqual(use);
});
