import { runId } from '../domain/names.ts';
import { compileOnce } from '../reconciler/observe.ts';
import type { Alterations } from './alterations.ts';
import type { JobCode } from './bodies.ts';
import { combined } from './combined.ts';
import { type FaultPlan, Faults, type Strike } from './faults.ts';
import { invariants as allInvariants } from './invariants/index.ts';
import type { Invariant, Observer, Violation, WorldView } from './observe.ts';
import type { Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import { Trace, type TraceLine } from './trace.ts';
import { World } from './world.ts';

/** What happens, and to whom. Scenario and code are made from streams of their own. */
export interface Play {
  readonly random: Random;
  readonly plan: FaultPlan;
  readonly scenario: (random: Random, faults: Faults) => Scenario;
  readonly code: (random: Random, faults: Faults, trace: Trace) => JobCode;
  /** @default all */
  readonly invariants?: readonly Invariant[] | undefined;
  /** Who else watches. @default nobody */
  readonly observer?: Observer;
  readonly trace?: ((line: TraceLine) => void) | undefined;
  /** When to stop though it is not at rest, epoch milliseconds. @default never */
  readonly until?: number | undefined;
  /** @default none: the code as it is */
  readonly alter?: Alterations;
  /** See `EventLoop`. */
  readonly settle?: () => Promise<void>;
}

export interface Played {
  readonly world: World;
  readonly scenario: Scenario;
  readonly faults: Faults;
  /** The first broken promise; empty: none was. */
  readonly violations: readonly Violation[];
  readonly hash: string;
}

/** Compiling a schedule takes long, and worlds share many. */
const compiled = compileOnce();

/** Plays one world to its end, or to the first broken promise. */
export async function play(of: Play): Promise<Played> {
  const { random, plan, alter = {}, until = Number.POSITIVE_INFINITY, settle } = of;
  const trace = new Trace(of.trace);
  // What strikes while the scenario is drawn strikes at its beginning.
  const laidOut: Strike[] = [];
  let tell = (strike: Strike): void => {
    laidOut.push(strike);
  };
  const faults = new Faults(plan, random.fork('faults'), (strike) => tell(strike));
  const scenario = of.scenario(random.fork('scenario'), faults);
  let now = () => scenario.from;
  tell = (strike) => trace.note({ at: now(), actor: 'fault', what: strike.fault, strike });
  laidOut.forEach(tell);
  const violations: Violation[] = [];
  const isOver = () => violations.length > 0 || now() > until;
  const violate = (invariant: string) => (what: string, run?: Parameters<typeof runId>[0]) => {
    if (violations.length === 0)
      violations.push({ invariant, at: now(), what, ...(run && { run: runId(run) }) });
  };
  const view = viewOf(scenario, plan);
  const watchers = (of.invariants ?? allInvariants).map(({ name, watch }) => watch(violate(name), view));
  const observer = combined([...watchers, ...(of.observer === undefined ? [] : [of.observer])]);
  const code = of.code(random.fork('bodies'), faults, trace);
  const world = new World({
    ...{ scenario, random, faults, trace, observer, code, compiled, alter },
    ...(settle !== undefined && { settle }),
  });
  now = () => world.loop.now;
  await world.disturb(isOver);
  if (!isOver()) await world.rest(isOver);
  if (!isOver()) await observer.atRest?.(world.loop.now, world.ledger);
  return { world, scenario, faults, violations, hash: trace.hash };
}

function viewOf({ deploys, from, until }: Scenario, { enabled }: FaultPlan): WorldView {
  return { deploys, from, calmAt: until, isUndisturbed: enabled.size === 0 };
}
