import { describe, expect, test } from 'vitest';
import { silent } from '../../../functions/cli/render/progress.ts';
import type { Case } from '../../../functions/simulator/command/case.ts';
import type { KnownMutant } from '../../../functions/simulator/command/machine.ts';
import { hunt, unmutated } from '../../../functions/simulator/command/mutants.ts';
import { workersAt } from '../../../functions/simulator/command/workers.ts';
import { fakeSimulate } from './fake-simulate.ts';

const mutants: readonly KnownMutant[] = ['early', 'late', 'survivor'].map((name) => ({ name, what: name }));
const request = { seeds: [1, 2, 3, 4, 5], days: 1, faults: ['clock-skew'] as const };

/** Seeds at which a mutant is caught. */
const caughtAt: Readonly<Record<string, number>> = { early: 1, late: 4 };

function world(itself: readonly number[] = []) {
  const tried: string[] = [];
  const simulate = async (one: Case) => {
    tried.push(`${one.mutant ?? 'itself'} ${one.seed}`);
    const breaks = one.mutant === undefined ? itself.includes(one.seed) : caughtAt[one.mutant] === one.seed;
    const violation = { invariant: 'fence', at: 0, what: 'broken' };
    return { ...(await fakeSimulate(() => false)(one)), violations: breaks ? [violation] : [] };
  };
  const places = (count: number) => Array.from({ length: count }, () => ({ simulate, close: () => {} }));
  return { tried, on: (count: number) => ({ workers: workersAt(places(count)), progress: silent }) };
}

describe('a mutant', () => {
  test('is tried seed by seed until it is caught; the others go on', async () => {
    const { tried, on } = world();
    const hunted = await hunt(mutants, request, on(1));
    expect(hunted.map(({ mutant, caught }) => [mutant.name, caught])).toEqual([
      ['early', { invariant: 'fence', seed: 1, seedsNeeded: 1 }],
      ['late', { invariant: 'fence', seed: 4, seedsNeeded: 4 }],
      ['survivor', null],
    ]);
    expect(tried.filter((one) => one.startsWith('early'))).toEqual(['early 1']);
    expect(tried.filter((one) => one.startsWith('survivor'))).toHaveLength(5);
  });

  test('needs as many seeds whatever the number of workers', async () => {
    expect(await hunt(mutants, request, world().on(4))).toEqual(await hunt(mutants, request, world().on(1)));
  });

  test('is not caught by what the code itself breaks: its seeds are simulated without it', async () => {
    const { tried, on } = world([4]);
    const hunted = await hunt(mutants, request, on(1));
    tried.length = 0;
    expect(await unmutated(hunted, request, on(1))).toEqual([{ seed: 4, invariant: 'fence' }]);
    expect(tried).toEqual(['itself 1', 'itself 4']);
  });
});
