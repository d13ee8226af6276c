import { InvalidArgumentError } from 'commander';
import { type FaultName, type FaultPlan, faultNames } from '../faults.ts';
import type { Simulated, SimulateOptions } from '../simulate.ts';
import { listOf, wholeIn } from './lists.ts';

/** All that determines one simulation, as plain data. */
export type Case = Omit<SimulateOptions, 'invariants' | 'trace'> & { readonly mutant?: string };

/** Runs one case. */
export type Simulate = (one: Case) => Promise<Simulated>;

type Plan = Partial<FaultPlan>;

/**
 * A plan as one word of a command line: the faults, and after a colon the strikes that are kept, from 1:
 * `lost-answer,clock-skew:3,17-18`. `drawn`: those that the seed draws. `none` instead of either.
 */
export function planText({ enabled, mostStrikes, without }: Plan): string {
  const names = enabled === undefined ? 'drawn' : faultNames.filter((name) => enabled.has(name)).join(',');
  if (mostStrikes === undefined) return names || 'none';
  const kept = keptOf({ mostStrikes, ...(without === undefined ? {} : { without }) });
  return `${names || 'none'}:${rangesText(kept) || 'none'}`;
}

/** The places of the strikes that a plan leaves, from 0. */
export function keptOf({ mostStrikes = 0, without }: Plan): number[] {
  return Array.from({ length: mostStrikes }, (_, place) => place).filter((place) => !without?.has(place));
}

/** A plan that keeps just these strikes. */
export function planOf(enabled: ReadonlySet<FaultName> | undefined, kept: readonly number[]): Plan {
  const mostStrikes = kept.reduce((most, place) => Math.max(most, place + 1), 0);
  const places = new Set(kept);
  const without = keptOf({ mostStrikes }).filter((place) => !places.has(place));
  return { ...(enabled === undefined ? {} : { enabled }), mostStrikes, without: new Set(without) };
}

/** The inverse of `planText`. @throws InvalidArgumentError */
export function parsePlan(text: string): Plan {
  const [names = '', strikes, ...more] = text.split(':');
  if (more.length > 0)
    throw new InvalidArgumentError('A plan has one colon, between faults and strikes: lost-answer:3,17-18.');
  const enabled =
    names === 'drawn' ? undefined : new Set(names === 'none' ? [] : listOf(names, faultNames, 'Faults'));
  if (strikes !== undefined) return planOf(enabled, strikes === 'none' ? [] : placesOf(strikes));
  return enabled === undefined ? {} : { enabled };
}

/** `0-2,7` as `1-3,8`. */
function rangesText(places: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === place - 1) last.to = place;
    else ranges.push({ from: place, to: place });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1}-${to + 1}`)).join(',');
}

const mostPlaces = 1_000_000;

function placesOf(text: string): number[] {
  return text.split(',').flatMap((range) => {
    const [from = '', to = from] = range.split('-');
    const [first, last] = [wholeIn(1, mostPlaces)(from), wholeIn(1, mostPlaces)(to)];
    if (last < first) throw new InvalidArgumentError(`"${range}" goes backwards.`);
    return Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index);
  });
}

/** What to type to see a case again. */
export function replayCommand({ seed, days, faults, plan, mutant }: Case): string {
  const drawsFromAll = faults.length === faultNames.length || plan?.enabled !== undefined;
  const words = [
    `--replay ${seed}`,
    `--days ${days}`,
    ...(drawsFromAll ? [] : [`--faults ${faults.join(',') || 'none'}`]),
    ...(plan === undefined ? [] : [`--plan ${planText(plan)}`]),
    ...(mutant === undefined ? [] : [`--mutants ${mutant}`]),
  ];
  return `npm run simulate -- ${words.join(' ')}`;
}
