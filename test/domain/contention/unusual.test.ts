import { describe, expect, test } from 'vitest';
import { medianOf, unusualOf, usualMs } from '../../../functions/domain/contention/unusual.ts';
import { second } from '../../../functions/domain/time.ts';
import { attempt, ran, readsOf } from '../../support/ran.ts';

const now = 1_000 * second;
const lasting = (seconds: number) => ran('a', [attempt(0, seconds * second)]);
const found = (seconds: number, earlier: readonly number[]) =>
  unusualOf(lasting(seconds), earlier.map(lasting), now).map(({ quantity, value, median, samples }) => [
    quantity.of,
    value / second,
    median / second,
    samples,
  ]);

describe('a run is unusual', () => {
  test('when it is over twice the median of its job’s successes, and over 95 % of them', () => {
    expect(found(21, [10, 10, 10, 10, 10])).toEqual([['duration', 21, 10, 5]]);
    expect(found(20, [10, 10, 10, 10, 10])).toEqual([]);
    expect(found(40, [10, 10, 10, 10, 41])).toEqual([]);
    const thirty = Array.from({ length: 30 }, (_, index) => (index < 1 ? 50 : 10));
    expect(found(40, thirty)).toEqual([['duration', 40, 10, 30]]);
  });

  test('never against fewer than 5', () => {
    expect(found(1_000, [10, 10, 10, 10])).toEqual([]);
    expect(found(1_000, [])).toEqual([]);
  });

  test('not by less than a second, whatever the factor', () => {
    expect(found(0.9, [0.1, 0.1, 0.1, 0.1, 0.1])).toEqual([]);
  });

  test('in what it metered and waited, too', () => {
    const reads = (amount: number) => ran('a', [attempt(0, second, { bill: readsOf('db', amount) })]);
    const wait = { reason: 'slot', from: 0, until: 9 * second } as const;
    const run = { ...reads(90), waits: [wait] };
    expect(unusualOf(run, [10, 10, 10, 20, 20].map(reads), now)).toEqual([
      { quantity: { of: 'wait' }, value: 9 * second, median: 0, samples: 5 },
      { quantity: { of: 'metered', name: 'db', unit: 'reads' }, value: 90, median: 10, samples: 5 },
    ]);
  });
});

test('the usual length is the median of successes, and unknown without one', () => {
  expect(usualMs([lasting(1), lasting(30), lasting(3)], now)).toBe(3 * second);
  expect(usualMs([], now)).toBeNull();
  expect(medianOf([1, 2, 3, 10])).toBe(2.5);
});
