import type { Weights } from '../../../domain/pools.ts';
import type { Run } from '../../../domain/run.ts';

const nothing: Weights = {};

/** What a run has of pools, by its record. */
export function heldBy(run: Run | null): Weights {
  const mayHold = run?.state === 'offered' || run?.state === 'running';
  return (mayHold && run.holds) || nothing;
}

/** The pools at which a run waits, and what it needs of them, by its record. */
export function waitedForBy(run: Run | null): Weights {
  return (run !== null && isPoolWaiter(run) && run.waitsFor) || nothing;
}

export function isPoolWaiter({ state, reason }: Pick<Run, 'state' | 'reason'>): boolean {
  return state === 'waiting' && reason === 'pool';
}

/** The runs that wait for pools, by run id. */
export class PoolWaiters {
  readonly #runs = new Map<string, Run>();

  wroteRun(id: string, after: Run | null): void {
    if (after !== null && isPoolWaiter(after)) this.#runs.set(id, after);
    else this.#runs.delete(id);
  }

  get all(): ReadonlyMap<string, Run> {
    return this.#runs;
  }

  *at(pool: string): Iterable<Run> {
    for (const run of this.#runs.values()) if (waitedForBy(run)[pool] !== undefined) yield run;
  }
}
