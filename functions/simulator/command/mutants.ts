import type { FaultName } from '../faults.ts';
import type { Case } from './case.ts';
import type { KnownMutant, Machine } from './machine.ts';

/** How a mutant was caught. */
export interface Caught {
  readonly invariant: string;
  readonly seed: number;
  /** How many seeds it took. */
  readonly seedsNeeded: number;
}

export interface Hunted {
  readonly mutant: KnownMutant;
  /** Null: it survived. */
  readonly caught: Caught | null;
}

/** What the code itself breaks. */
export interface Broken {
  readonly seed: number;
  readonly invariant: string;
}

export interface Hunt {
  readonly seeds: readonly number[];
  readonly days: number;
  readonly faults: readonly FaultName[];
}

/**
 * Tries each mutant on one seed after the other until it is caught. All go on to the next seed together, so the result
 * doesn't depend on how many are simulated at a time.
 */
export async function hunt(
  mutants: readonly KnownMutant[],
  { seeds, ...common }: Hunt,
  { workers, progress }: Pick<Machine, 'workers' | 'progress'>,
): Promise<Hunted[]> {
  const caught = new Map<KnownMutant, Caught>();
  for (const [index, seed] of seeds.entries()) {
    const left = mutants.filter((mutant) => !caught.has(mutant));
    if (left.length === 0) break;
    const cases = left.map(({ name }): Case => ({ seed, mutant: name, ...common }));
    const results = await workers.all(cases);
    for (const [at, mutant] of left.entries()) {
      const invariant = results[at]?.violations[0]?.invariant;
      if (invariant !== undefined) caught.set(mutant, { invariant, seed, seedsNeeded: index + 1 });
    }
    progress.tell('mutant', caught.size, mutants.length, `after seed ${seed}`);
  }
  return mutants.map((mutant) => ({ mutant, caught: caught.get(mutant) ?? null }));
}

/** What the code itself breaks at the seeds that caught mutants; then they were not caught for what is wrong in them. */
export async function unmutated(
  hunted: readonly Hunted[],
  { days, faults }: Hunt,
  { workers }: Pick<Machine, 'workers'>,
): Promise<Broken[]> {
  const seeds = [...new Set(hunted.flatMap(({ caught }) => caught?.seed ?? []))].sort((a, b) => a - b);
  const results = await workers.all(seeds.map((seed) => ({ seed, days, faults })));
  return results.flatMap(({ seed, violations }) => violations.map(({ invariant }) => ({ seed, invariant })));
}
