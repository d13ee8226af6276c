import { counted } from '../../cli/render/text.ts';
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
 * Tries each mutant on one seed after the other until it is caught. All go on to the next seeds together, and the first
 * that catches one counts, so the result doesn't depend on how many are simulated at a time.
 */
export async function hunt(
  mutants: readonly KnownMutant[],
  { seeds, ...common }: Hunt,
  { workers, progress }: Pick<Machine, 'workers' | 'progress'>,
): Promise<Hunted[]> {
  const caught = new Map<KnownMutant, Caught>();
  for (let tried = 0; tried < seeds.length && caught.size < mutants.length; ) {
    const note = `caught after ${counted(tried, 'seed')}`;
    progress.tell({ noun: 'mutant', done: caught.size, of: mutants.length, note });
    const left = mutants.filter((mutant) => !caught.has(mutant));
    const next = seeds.slice(tried, tried + Math.max(1, Math.floor(workers.count / left.length)));
    const cases = left.flatMap(({ name }) => next.map((seed): Case => ({ seed, mutant: name, ...common })));
    const results = await workers.all(cases);
    for (const [index, mutant] of left.entries()) {
      const own = results.slice(index * next.length, (index + 1) * next.length);
      const at = own.findIndex(({ violations }) => violations.length > 0);
      const [violation] = own[at]?.violations ?? [];
      const seed = next[at];
      if (violation !== undefined && seed !== undefined)
        caught.set(mutant, { invariant: violation.invariant, seed, seedsNeeded: tried + at + 1 });
    }
    tried += next.length;
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
