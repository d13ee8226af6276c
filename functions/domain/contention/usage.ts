import type { Bill } from '../bill.ts';
import type { Attempt, Run } from '../run.ts';
import { commonMs, lengthOf, type Span } from './span.ts';

/** What can be asked of a bill: what its job declared by `ctx.meter(name, { unit })`, processor time (ms), or bytes of all kinds. */
export type Measure =
  | { readonly of: 'metered'; readonly name: string; readonly unit: string }
  | { readonly of: 'cpu' | 'bytes' };

/** How much an attempt used; null where nobody knows: it has no bill (it crashed, or still runs), or that wasn't measured. */
export function amountOf({ bill }: Pick<Attempt, 'bill'>, measure: Measure): number | null {
  if (bill === undefined) return null;
  if (measure.of === 'metered') return meteredUnder(bill, measure.name)[measure.unit] ?? 0;
  return measure.of === 'cpu'
    ? sumOfKnown([bill.cpuUserMs, bill.cpuSystemMs])
    : sumOfKnown([bill.readBytes, bill.writtenBytes, bill.receivedBytes, bill.sentBytes]);
}

/** Null where none of them is known. */
export function sumOfKnown(amounts: readonly (number | null | undefined)[]): number | null {
  const known = amounts.filter((amount) => amount !== undefined && amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}

/** What a bill has under a name, by unit. */
function meteredUnder({ metered = {} }: Bill, name: string): Readonly<Record<string, number>> {
  return Object.hasOwn(metered, name) ? (metered[name] ?? {}) : {};
}

/** While an attempt is, or may be, alive. One that has not settled is so until its lease ends. */
export function aliveWhile({ startedAt, settledAt, leaseUntil }: Attempt, now: number): Span {
  return { from: startedAt, until: Math.max(startedAt, settledAt ?? Math.min(leaseUntil, now)) };
}

/**
 * How much of what an attempt used falls into these stretches, which don't overlap. A bill is one sum, so its use is taken
 * to be spread evenly over the time that the attempt was alive.
 */
export function usedDuring(
  attempt: Attempt,
  measure: Measure,
  { during, now }: { during: readonly Span[]; now: number },
): number | null {
  const amount = amountOf(attempt, measure);
  const alive = aliveWhile(attempt, now);
  if (amount === null || amount === 0) return amount;
  // Within less than a millisecond: then it either was there or it wasn't.
  if (lengthOf(alive) === 0)
    return during.some(({ from, until }) => from <= alive.from && alive.from < until) ? amount : 0;
  return (amount * commonMs([alive], during)) / lengthOf(alive);
}

/** The names under which a run's attempts declared something. */
export function meteredNames({ attempts }: Pick<Run, 'attempts'>): string[] {
  return [...new Set(attempts.flatMap(({ bill }) => Object.keys(bill?.metered ?? {})))];
}

/** The units in which attempts declared something under a name, in the order in which they come. */
export function meteredUnits(attempts: readonly Attempt[], name: string): string[] {
  return [
    ...new Set(
      attempts.flatMap(({ bill }) => (bill === undefined ? [] : Object.keys(meteredUnder(bill, name)))),
    ),
  ];
}
