import type { Pool } from '../domain/pools.ts';
import { isPlainObject, oneLine, refuseUnknownKeys, wholeNumber } from './check-shape.ts';
import { type Findings, kindOf, shown } from './problem.ts';

/** The greatest weight that a run may have of each pool, by the pool's name. */
export type Capacities = ReadonlyMap<string, number>;

/** The pools of a file, as far as they can be used. */
export interface CheckedPools {
  readonly pools: Readonly<Record<string, Pool>>;
  /** Of those with a mistake, too: they are declared. Null: which pools are declared can't be told. */
  readonly capacities: Capacities | null;
}

const mostPools = 100;
export const greatestCapacity = 1_000;
const longestDescribe = 200;

/** Checks the default export of a file of pools. */
export function checkPools(exported: unknown, findings: Findings): CheckedPools {
  const declared = declarations(exported, findings);
  if (declared === undefined) return { pools: {}, capacities: null };
  if (declared.length > mostPools)
    findings.report(null, `declares ${declared.length} pools; at most ${mostPools} are allowed`);
  const checked = declared.map(([name, value]) => ({ name, pool: checkPool(name, value, findings) }));
  return {
    pools: Object.fromEntries(
      checked.flatMap(({ name, pool }) => (pool === undefined ? [] : [[name, pool]])),
    ),
    capacities: new Map(checked.map(({ name, pool }) => [name, pool?.capacity ?? greatestCapacity])),
  };
}

function declarations(exported: unknown, { report }: Findings): [name: string, value: unknown][] | undefined {
  const howTo = 'write: export default definePools({ … })';
  if (exported === undefined) report(null, `has no default export; ${howTo}`);
  else if (!isPlainObject(exported)) report(null, `its default export is ${kindOf(exported)}; ${howTo}`);
  else return Object.entries(exported);
  return undefined;
}

function checkPool(name: string, value: unknown, findings: Findings): Pool | undefined {
  const { report, refuse } = findings;
  const isNamed = /^[a-z0-9][a-z0-9-]{0,39}$/.test(name);
  if (!isNamed)
    report(
      name,
      `${shown(name)} is no name for a pool; allowed are 1 to 40 of a-z, 0-9 and "-", not beginning with "-"`,
    );
  const option = isNamed ? name : shown(name);
  if (!isPlainObject(value)) {
    refuse(option, value, "is not allowed; allowed is { capacity: 3, describe: 'IO of the database' }");
    return undefined;
  }
  refuseUnknownKeys(option, value, ['capacity', 'describe'], refuse);
  const capacity = wholeNumber(
    `${option}.capacity`,
    value.capacity,
    [1, greatestCapacity],
    ' of units',
    refuse,
  );
  const describe = oneLine(`${option}.describe`, value.describe, longestDescribe, findings);
  return isNamed && capacity !== undefined && describe !== undefined ? { capacity, describe } : undefined;
}
