import { describe, expect, test } from 'vitest';
import { commonMs } from '../../../functions/domain/contention/span.ts';
import { aliveWhile, amountOf, usedDuring } from '../../../functions/domain/contention/usage.ts';
import { attempt, readsOf } from '../../support/ran.ts';

const reads = { of: 'metered', name: 'db', unit: 'reads' } as const;

describe('an attempt’s use', () => {
  const own = attempt(1_000, 2_000, { bill: readsOf('db', 100) });

  test.each([
    [{ from: 0, until: 5_000 }, 100],
    [{ from: 1_000, until: 1_250 }, 25],
    [{ from: 1_900, until: 9_000 }, 10],
    [{ from: 2_000, until: 3_000 }, 0],
  ])('is spread evenly over the time that it was alive: within %o it is %d', (span, amount) => {
    expect(usedDuring(own, reads, { during: [span], now: 9_000 })).toBe(amount);
  });

  test('over a moment without length is there as a whole, or not', () => {
    const moment = attempt(1_000, 1_000, { bill: readsOf('db', 100) });
    expect(usedDuring(moment, reads, { during: [{ from: 1_000, until: 1_001 }], now: 9_000 })).toBe(100);
    expect(usedDuring(moment, reads, { during: [{ from: 900, until: 1_000 }], now: 9_000 })).toBe(0);
  });

  test('is unknown without a bill, and nothing under a name that its bill doesn’t have', () => {
    expect(amountOf(attempt(0, 1), reads)).toBeNull();
    expect(amountOf(attempt(0, 1, { bill: readsOf('other-db', 5) }), reads)).toBe(0);
    expect(amountOf(attempt(0, 1, { bill: readsOf('db', 5) }), { ...reads, name: 'constructor' })).toBe(0);
  });

  test('of CPU and bytes is the sum of what was measured, and unknown where nothing was', () => {
    const bill = { wallMs: 1, cpuUserMs: 30, cpuSystemMs: 12, receivedBytes: 5, sentBytes: 7 };
    expect(amountOf(attempt(0, 1, { bill }), { of: 'cpu' })).toBe(42);
    expect(amountOf(attempt(0, 1, { bill }), { of: 'bytes' })).toBe(12);
    expect(amountOf(attempt(0, 1, { bill: { wallMs: 1 } }), { of: 'cpu' })).toBeNull();
  });
});

test('an attempt that has not settled is alive until its lease ends, at most until now', () => {
  const open = attempt(1_000, null, { leaseUntil: 5_000 });
  expect(aliveWhile(open, 3_000)).toEqual({ from: 1_000, until: 3_000 });
  expect(aliveWhile(open, 9_000)).toEqual({ from: 1_000, until: 5_000 });
});

test('what several stretches have in common adds up', () => {
  const these = [
    { from: 0, until: 10 },
    { from: 20, until: 30 },
  ];
  expect(commonMs(these, [{ from: 5, until: 25 }])).toBe(10);
  expect(commonMs(these, [{ from: 10, until: 20 }])).toBe(0);
});
