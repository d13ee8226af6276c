import { fingerprint } from '../../domain/fingerprint.ts';
import { type FaultName, faultNames } from '../faults.ts';
import type { Violation } from '../observe.ts';
import type { Simulated } from '../simulate.ts';

/** A broken promise, and the seed that shows it. */
export interface Found extends Omit<Violation, 'at'> {
  readonly seed: number;
  /** True time, epoch milliseconds; absent: of no moment. */
  readonly at?: number;
}

/** What came of many seeds. */
export interface Summary {
  readonly seeds: number;
  readonly days: number;
  readonly deliveries: number;
  readonly fires: number;
  readonly bodies: number;
  /** How often each allowed fault struck. */
  readonly faults: Readonly<Partial<Record<FaultName, number>>>;
  /** Allowed faults that never struck. */
  readonly neverStruck: readonly FaultName[];
  /** Those of them that had their chance: a fault that can't strike tests nothing. */
  readonly dead: readonly FaultName[];
  /** So many seeds let each fault have its chance. */
  readonly seedsToTell: number;
  readonly violations: readonly Found[];
  /** Two runs with the same hash were the same. */
  readonly hash: string;
}

/** A fault that was drawn for so many seeds of a week each, and never struck, can't. */
const weeksToTell = 20;
const week = 7;
/** A seed draws about two thirds of the faults. */
const drawnPart = 2 / 3;

/** `results`: in the order of their seeds. */
export function summaryOf(
  results: readonly Simulated[],
  { days, faults }: { days: number; faults: readonly FaultName[] },
): Summary {
  const sum = (of: (one: Simulated) => number) => results.reduce((total, one) => total + of(one), 0);
  const struck = (name: FaultName) => sum(({ strikes }) => strikes[name]);
  const allowed = faultNames.filter((name) => faults.includes(name));
  const neverStruck = allowed.filter((name) => struck(name) === 0);
  const weeksOf = (name: FaultName) =>
    weeks(days) * results.filter(({ enabled }) => enabled.includes(name)).length;
  return {
    seeds: results.length,
    days,
    deliveries: sum(({ deliveries }) => deliveries),
    fires: sum(({ fires }) => fires),
    bodies: sum(({ bodies }) => bodies),
    faults: Object.fromEntries(allowed.map((name) => [name, struck(name)])),
    neverStruck,
    dead: neverStruck.filter((name) => weeksOf(name) >= weeksToTell),
    seedsToTell: Math.ceil(weeksToTell / weeks(days) / drawnPart),
    violations: results.flatMap(({ seed, violations }) =>
      violations.map((violation) => ({ seed, ...violation })),
    ),
    hash: fingerprint(results.map(({ hash }) => hash).join(' ')),
  };
}

/** A longer seed is no second draw of what is laid out once. */
function weeks(days: number): number {
  return Math.min(1, days / week);
}

/** What the same case, simulated twice, gave; a violation when that isn't the same. */
export function sameTwice(first: Simulated, second: Simulated): Found[] {
  if (first.hash === second.hash) return [];
  return [
    {
      seed: first.seed,
      invariant: 'same-seed-same-trace',
      what: `simulated twice, its traces have the hashes ${first.hash} and ${second.hash}: something that the seed doesn't determine is in play`,
    },
  ];
}
