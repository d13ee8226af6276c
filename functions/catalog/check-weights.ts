import type { ManifestJob } from '../domain/manifest.ts';
import type { Weights } from '../domain/pools.ts';
import { type Capacities, greatestCapacity } from './check-pools.ts';
import { isPlainObject, wholeNumber } from './check-shape.ts';
import { suggestion } from './nearest.ts';
import { type Findings, printable, shown } from './problem.ts';

/** DynamoDB's transactions have room for more; a run that needs so many capacities at once is better split. */
const mostWeights = 10;
const greatestPriority = 100;

/** What a run takes of pools, and its rank among those that wait for them. `capacities` null: nothing is known of the pools. */
export function checkWeights(
  { pools, priority }: Readonly<Record<string, unknown>>,
  capacities: Capacities | null,
  findings: Findings,
): Pick<ManifestJob, 'pools' | 'priority'> {
  const weights = needsPools(pools) ? weightsOf(pools, capacities, findings) : undefined;
  const rank = priority === undefined ? undefined : rankOf(priority, needsPools(pools), findings);
  return { ...(weights && { pools: weights }), ...(rank !== undefined && { priority: rank }) };
}

/** Whether anything is asked for, be it right or wrong. */
export function needsPools(value: unknown): boolean {
  return value !== undefined && !(isPlainObject(value) && Object.keys(value).length === 0);
}

function weightsOf(value: unknown, capacities: Capacities | null, findings: Findings): Weights | undefined {
  const { refuse, report } = findings;
  if (!isPlainObject(value)) {
    refuse('pools', value, "is not allowed; allowed are weights by pool, such as { 'reports-db': 1 }");
    return undefined;
  }
  const given = Object.entries(value);
  if (given.length > mostWeights)
    report('pools', `pools: has ${given.length} pools; at most ${mostWeights} are allowed`);
  return Object.fromEntries(
    given.flatMap(([name, weight]) => {
      const checked = checkWeight(name, weight, capacities, findings);
      return checked === undefined ? [] : [[name, checked]];
    }),
  );
}

function checkWeight(
  name: string,
  weight: unknown,
  capacities: Capacities | null,
  { refuse, report }: Findings,
): number | undefined {
  const most = capacities === null ? greatestCapacity : capacities.get(name);
  if (most === undefined) report(`pools.${shown(name)}`, unknownPool(name, [...(capacities?.keys() ?? [])]));
  else if (typeof weight !== 'number' || !Number.isInteger(weight) || weight < 1 || weight > most)
    refuse(
      `pools.${printable(name)}`,
      weight,
      `is not allowed; allowed is ${most === 1 ? '1' : `a whole number from 1 to ${most}`}, the pool's capacity`,
    );
  else return weight;
  return undefined;
}

function unknownPool(name: string, declared: readonly string[]): string {
  const known = declared.length === 0 ? 'none is declared' : suggestion(name, declared, 'the pools');
  const howTo = `pools.ts beside the jobs folder: ${shown(name)}: { capacity: 3, describe: '…' }`;
  return `pools: there is no pool ${shown(name)}; ${known} (a new one is declared in ${howTo})`;
}

function rankOf(value: unknown, needsAny: boolean, { refuse, report }: Findings): number | undefined {
  if (!needsAny) {
    report(
      'priority',
      'priority: orders runs that wait for pools; name the pools that the job takes of, or leave it out',
      value,
    );
    return undefined;
  }
  return wholeNumber('priority', value, [-greatestPriority, greatestPriority], '', refuse);
}
