import type { Alterations } from './alterations.ts';
import { modelledCode } from './conduct.ts';
import { drawScenario } from './draw-scenario.ts';
import { drawFaults, type FaultName, type FaultPlan, type Strikes } from './faults.ts';
import { mutants } from './mutants/index.ts';
import type { Invariant, Violation } from './observe.ts';
import { play } from './play.ts';
import { Random } from './random.ts';
import type { TraceLine } from './trace.ts';

export interface SimulateOptions {
  readonly seed: number;
  /** How long the world is disturbed; then it comes to rest. */
  readonly days: number;
  /** Those that the seed may draw from. */
  readonly faults: readonly FaultName[];
  /** Instead of what the seed draws, and fewer of its strikes: for shrinking. */
  readonly plan?: Partial<FaultPlan>;
  /** @default all */
  readonly invariants?: readonly Invariant[];
  readonly trace?: (line: TraceLine) => void;
  /** Stops at this instant, epoch milliseconds, at rest or not: for shrinking. @default once at rest */
  readonly until?: number;
  /** The name of the mutant to run. @default none: the code as it is */
  readonly mutant?: string;
}

/** What became of one seed. */
export interface Simulated {
  readonly seed: number;
  /** Invocations of job functions. */
  readonly deliveries: number;
  /** Fires that were due. */
  readonly fires: number;
  /** Executions of job code. */
  readonly bodies: number;
  /** The faults that the seed drew. */
  readonly enabled: readonly FaultName[];
  readonly strikes: Strikes;
  /** All strikes, by which a plan names them. */
  readonly totalStrikes: number;
  /** The first broken promise; empty: none was. */
  readonly violations: readonly Violation[];
  readonly hash: string;
}

/** Runs one world to its end. The same seed and options come to the same result, byte for byte. */
export async function simulate(options: SimulateOptions): Promise<Simulated> {
  const { seed, days, invariants, trace, until } = options;
  const random = new Random(seed);
  const enabled = options.plan?.enabled ?? drawFaults(options.faults, random.fork('swarm'));
  const { world, faults, violations, hash } = await play({
    ...{ random, invariants, trace, until },
    plan: { intensity: drawIntensity(random.fork('intensity')), ...options.plan, enabled },
    scenario: (drawn, struck) => drawScenario(days, drawn, struck),
    code: modelledCode,
    alter: alterationsOf(options.mutant),
  });
  return {
    seed,
    deliveries: world.deliveries,
    fires: world.fires,
    bodies: world.bodies.count,
    enabled: [...enabled],
    strikes: faults.counts,
    totalStrikes: faults.total,
    violations,
    hash,
  };
}

/** Some worlds are mostly quiet, in others much goes wrong at once. */
function drawIntensity(random: Random): number {
  return random.pick([0.3, 1, 1, 1, 4]);
}

function alterationsOf(name: string | undefined): Alterations {
  if (name === undefined) return {};
  const mutant = mutants.find((one) => one.name === name);
  if (mutant === undefined)
    throw new Error(`There is no mutant "${name}"; there are: ${mutants.map((one) => one.name).join(', ')}.`);
  return mutant.alter;
}
