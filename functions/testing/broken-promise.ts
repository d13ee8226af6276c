import { toIso } from '../domain/time.ts';
import type { Violation } from '../simulator/observe.ts';

/** A simulation found that fireledger broke one of its promises. That is a bug of fireledger, not of the job. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
  readonly seed: number;
  readonly violation: Violation;

  constructor(violation: Violation, { seed, trace }: { seed: number; trace: string }) {
    const { invariant, at, run, what } = violation;
    super(
      [
        `${invariant} at ${toIso(at)}: ${run === undefined ? '' : `${run} `}${what}`,
        `fireledger broke its promise; the job is not to blame. Seed ${seed} and the same options do it again.`,
        trace,
      ].join('\n'),
    );
    this.seed = seed;
    this.violation = violation;
  }
}
