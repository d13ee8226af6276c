import fc from 'fast-check';

/**
 * Checks a property with a fresh seed, printed whatever the outcome; `FC_SEED` replays one. Wait for what an asynchronous
 * one returns.
 */
export function holds<Ts>(
  property: fc.IRawProperty<Ts>,
  options: { runs?: number } = {},
): Promise<void> | void {
  const seed =
    process.env.FC_SEED === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(process.env.FC_SEED);
  console.log(`seed ${seed}`);
  return fc.assert(property, { seed, numRuns: options.runs ?? 100 });
}
