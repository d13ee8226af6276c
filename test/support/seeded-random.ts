import { Random } from '../../functions/simulator/random.ts';

/** Numbers in [0, 1) that a seed determines. */
export function seededRandom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.fraction();
}

/** SEED of the environment, to see a failure again; otherwise a new one. */
export function chooseSeed(): number {
  return Number(process.env.SEED ?? Date.now() % 1_000_000_007);
}
