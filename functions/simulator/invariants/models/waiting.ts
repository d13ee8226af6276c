import type { Run } from '../../../domain/run.ts';

/** A missed fire that waits to be made up. */
export interface Waiter {
  readonly key: string;
  readonly fireTime: number;
  /** When it was recorded, by true time. */
  readonly recordedAt: number;
}

/** Which runs of a job are `waiting: catch-up`, counted from their records. */
export class Waiting {
  readonly #byJob = new Map<string, Map<string, Waiter>>();

  wroteRun(at: number, before: Run | null, after: Run | null): void {
    if (before !== null && waits(before) && !waits(after)) this.#byJob.get(before.jobId)?.delete(before.key);
    if (after === null || !waits(after) || waits(before)) return;
    const { jobId, key, fireTime } = after;
    const ofJob = this.#byJob.get(jobId) ?? new Map<string, Waiter>();
    this.#byJob.set(jobId, ofJob.set(key, { key, fireTime, recordedAt: at }));
  }

  of(jobId: string): ReadonlyMap<string, Waiter> {
    return this.#byJob.get(jobId) ?? new Map();
  }
}

function waits(run: Run | null): boolean {
  return run?.state === 'waiting' && run.reason === 'catch-up';
}
