import type { FaultName, FaultPlan, Strikes } from './faults.ts';
import type { Invariant, Violation } from './observe.ts';
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
