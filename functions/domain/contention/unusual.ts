import type { Run } from '../run.ts';
import { second } from '../time.ts';
import { waitingsOf } from './holding.ts';
import { lengthOf } from './span.ts';
import { aliveWhile, amountOf, type Measure, meteredNames, meteredUnits } from './usage.ts';

/** With fewer earlier runs nothing is called unusual. */
const fewestSamples = 5;
/** So many earlier successes are compared with. */
export const mostSamples = 30;

export type Quantity = Measure | { readonly of: 'duration' } | { readonly of: 'wait' };

/** A quantity of a run that lies clearly outside what its job is used to. */
export interface Unusual {
  readonly quantity: Quantity;
  readonly value: number;
  readonly median: number;
  readonly samples: number;
}

/** Of differences below these nobody speaks, whatever their factor. */
const leastDifference = { duration: second, wait: second, cpu: second / 10, bytes: 1e6, metered: 1 } as const;

/**
 * What was unusually much for the job: more than twice the median of its earlier successes, and more than 95 of 100 of
 * them. `earlier`: its successes before this run, any number of them from none.
 */
export function unusualOf(run: Run, earlier: readonly Run[], now: number): Unusual[] {
  return quantitiesOf(run).flatMap((quantity) => {
    const value = quantityOf(run, quantity, now);
    const found = value === null ? null : outlying(value, { quantity, earlier, now });
    return found === null ? [] : [found];
  });
}

/** How unusual one quantity of a run is; null when it isn't, or nobody can tell. */
export function outlying(
  value: number,
  { quantity, earlier, now }: { quantity: Quantity; earlier: readonly Run[]; now: number },
): Unusual | null {
  const usual = usualOf(quantity, { earlier, now });
  if (usual === null) return null;
  const { median, sorted } = usual;
  const differs = value - median >= leastDifference[quantity.of];
  const isOutside = value > 2 * median && value > quantile(sorted, 0.95);
  return differs && isOutside ? { quantity, value, median, samples: sorted.length } : null;
}

/** What a job is used to, by its earlier successes, and these in order; null where there are too few to say. */
export function usualOf(
  quantity: Quantity,
  { earlier, now }: { earlier: readonly Run[]; now: number },
): { readonly median: number; readonly sorted: readonly number[] } | null {
  const sorted = earlier.flatMap((one) => quantityOf(one, quantity, now) ?? []).sort((a, b) => a - b);
  const median = medianOf(sorted);
  return median === null || sorted.length < fewestSamples ? null : { median, sorted };
}

function quantitiesOf(run: Run): Quantity[] {
  const metered = meteredNames(run).flatMap((name) =>
    meteredUnits(run.attempts, name).map((unit) => ({ of: 'metered', name, unit }) as const),
  );
  return [{ of: 'wait' }, { of: 'duration' }, { of: 'cpu' }, { of: 'bytes' }, ...metered];
}

/** Of a run's last attempt; of its waits all together. Null where nobody knows. */
export function quantityOf(run: Run, quantity: Quantity, now: number): number | null {
  if (quantity.of === 'wait') return waitingsOf(run, now).reduce((sum, wait) => sum + lengthOf(wait), 0);
  const last = run.attempts.at(-1);
  if (last === undefined) return null;
  return quantity.of === 'duration' ? lengthOf(aliveWhile(last, now)) : amountOf(last, quantity);
}

/** How long a job's runs usually take: the median of its successes. Null without any. */
export function usualMs(successes: readonly Run[], now: number): number | null {
  const lengths = successes.flatMap((run) => quantityOf(run, { of: 'duration' }, now) ?? []);
  return medianOf(lengths.sort((a, b) => a - b));
}

/** Of sorted values. */
export function medianOf(sorted: readonly number[]): number | null {
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Of sorted values, at least one: the smallest that so great a part of them doesn't exceed. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
}
