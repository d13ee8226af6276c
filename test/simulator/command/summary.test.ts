import { describe, expect, test } from 'vitest';
import { sameTwice, summaryOf } from '../../../functions/simulator/command/summary.ts';
import { type FaultName, faultNames, type Strikes } from '../../../functions/simulator/faults.ts';
import type { Simulated } from '../../../functions/simulator/simulate.ts';

const faults: readonly FaultName[] = ['lost-delivery', 'clock-skew'];

function simulated(seed: number, of: Partial<Simulated> = {}, struck: Partial<Strikes> = {}): Simulated {
  const none = Object.fromEntries(faultNames.map((name) => [name, 0])) as Strikes;
  return {
    seed,
    deliveries: 10,
    fires: 9,
    bodies: 8,
    enabled: faults,
    strikes: { ...none, ...struck },
    totalStrikes: 0,
    violations: [],
    hash: `hash of ${seed}`,
    ...of,
  };
}

test('counts of seeds are summed, fault by fault', () => {
  const results = [simulated(1, {}, { 'lost-delivery': 2 }), simulated(2, {}, { 'lost-delivery': 3 })];
  expect(summaryOf(results, { days: 7, faults })).toMatchObject({
    seeds: 2,
    days: 7,
    deliveries: 20,
    fires: 18,
    bodies: 16,
    faults: { 'lost-delivery': 5, 'clock-skew': 0 },
    neverStruck: ['clock-skew'],
  });
});

test('the hash is of each seed and their order', () => {
  const hashOf = (...seeds: number[]) =>
    summaryOf(
      seeds.map((seed) => simulated(seed)),
      { days: 1, faults },
    ).hash;
  expect(hashOf(1, 2)).toBe(hashOf(1, 2));
  expect(new Set([hashOf(1, 2), hashOf(2, 1), hashOf(1), hashOf(1, 2, 3)]).size).toBe(4);
});

describe('a fault that never struck', () => {
  const deadOf = (seeds: number, days: number, of: Partial<Simulated> = {}) =>
    summaryOf(
      Array.from({ length: seeds }, (_, seed) => simulated(seed, of)),
      { days, faults },
    );

  test('is dead when twenty seeds of a week had drawn it', () => {
    expect(deadOf(20, 7).dead).toEqual(faults);
    expect(deadOf(19, 7).dead).toEqual([]);
    expect(deadOf(19, 7).neverStruck).toEqual(faults);
  });

  test('is not dead when no seed drew it', () => {
    expect(deadOf(100, 7, { enabled: ['clock-skew'] }).dead).toEqual(['clock-skew']);
  });

  test('needs more of shorter seeds, and as many of longer ones', () => {
    expect(deadOf(20, 1).dead).toEqual([]);
    expect(deadOf(140, 1).dead).toEqual(faults);
    expect(deadOf(19, 365).dead).toEqual([]);
    expect([deadOf(1, 1).seedsToTell, deadOf(1, 7).seedsToTell, deadOf(1, 30).seedsToTell]).toEqual([
      210, 30, 30,
    ]);
  });
});

test('a seed that doesn’t determine its trace breaks a promise', () => {
  expect(sameTwice(simulated(1), simulated(1))).toEqual([]);
  expect(sameTwice(simulated(1), simulated(1, { hash: 'another' }))).toMatchObject([
    { seed: 1, invariant: 'same-seed-same-trace' },
  ]);
});
