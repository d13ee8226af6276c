import type { Look } from '../../cli/render/look.ts';
import type { Progress } from '../../cli/render/progress.ts';
import type { Invariant } from '../observe.ts';
import type { Simulated, SimulateOptions } from '../simulate.ts';
import type { Workers } from './workers.ts';

/** One way in which the code can be broken, to see whether that is noticed. */
export interface KnownMutant {
  readonly name: string;
  /** What is wrong in it, for people. */
  readonly what: string;
}

/** What the command rests on, so that it can be run within a test. */
export interface Machine {
  /** Simulates within this process, and lets its trace be read. */
  readonly simulate: (options: SimulateOptions) => Promise<Simulated>;
  readonly workers: Workers;
  readonly invariants: readonly Invariant[];
  readonly mutants: readonly KnownMutant[];
  /** Writes a line to standard output. */
  readonly say: (text: string) => void;
  readonly progress: Progress;
  readonly look: Look;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
}
