import { runId } from '../domain/names.ts';
import { compileOnce } from '../reconciler/observe.ts';
import type { Alterations } from './alterations.ts';
import { modelledCode } from './bodies.ts';
import { combined } from './combined.ts';
import { drawScenario } from './draw-scenario.ts';
import { drawFaults, type FaultName, type FaultPlan, Faults, type Strikes } from './faults.ts';
import { invariants as allInvariants } from './invariants/index.ts';
import { mutants } from './mutants/index.ts';
import type { Invariant, Violation, WorldView } from './observe.ts';
import { Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { Trace, type TraceLine } from './trace.ts';
import { World } from './world.ts';

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

/** Compiling a schedule takes long, and worlds share many. */
const compiled = compileOnce();

/** Runs one world to its end. The same seed and options come to the same result, byte for byte. */
export async function simulate(options: SimulateOptions): Promise<Simulated> {
  const random = new Random(options.seed);
  const enabled = options.plan?.enabled ?? drawFaults(options.faults, random.fork('swarm'));
  const trace = new Trace(options.trace);
  let now = () => 0;
  const faults = new Faults({ ...options.plan, enabled }, random.fork('faults'), (strike) =>
    trace.note({ at: now(), actor: 'fault', what: strike.fault, strike }),
  );
  const scenario = drawScenario(options.days, random.fork('scenario'), faults);
  now = () => scenario.from;
  const violations: Violation[] = [];
  const isOver = () => violations.length > 0;
  const violate = (invariant: string) => (what: string, run?: Parameters<typeof runId>[0]) => {
    if (!isOver()) violations.push({ invariant, at: now(), what, ...(run && { run: runId(run) }) });
  };
  const view = viewOf(scenario, enabled);
  const observers = (options.invariants ?? allInvariants).map(({ name, watch }) =>
    watch(violate(name), view),
  );
  const observer = combined(observers);
  const code = modelledCode(random.fork('bodies'), faults);
  const world = new World({
    scenario,
    random,
    faults,
    trace,
    observer,
    code,
    compiled,
    alter: alterationsOf(options.mutant),
  });
  now = () => world.loop.now;
  await world.disturb(isOver);
  if (!isOver()) await world.rest(isOver);
  if (!isOver()) await observer.atRest?.(world.loop.now, world.ledger);
  return {
    seed: options.seed,
    deliveries: world.deliveries,
    fires: world.fires,
    bodies: world.bodies.count,
    enabled: [...enabled],
    strikes: faults.counts,
    totalStrikes: faults.total,
    violations,
    hash: trace.hash,
  };
}

function viewOf({ deploys, from, until }: Scenario, enabled: ReadonlySet<FaultName>): WorldView {
  return { deploys, from, calmAt: until, isUndisturbed: enabled.size === 0 };
}

function alterationsOf(name: string | undefined): Alterations {
  if (name === undefined) return {};
  const mutant = mutants.find((one) => one.name === name);
  if (mutant === undefined)
    throw new Error(`There is no mutant "${name}"; there are: ${mutants.map((one) => one.name).join(', ')}.`);
  return mutant.alter;
}
