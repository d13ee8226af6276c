import { mostSamples, quantityOf } from '../domain/contention/unusual.ts';
import type { Ledger } from '../domain/ledger.ts';

/** Of each job so many runs are looked through, so that one which never succeeds is no long read. */
const mostRuns = 100;

/** How long the newest successful attempts of each job took, in milliseconds, newest first. */
export async function pastDurations(
  ledger: Pick<Ledger, 'history'>,
  jobs: readonly { readonly id: string }[],
  now: number,
): Promise<Map<string, number[]>> {
  return new Map(
    await Promise.all(jobs.map(async ({ id }) => [id, await durationsOf(ledger, id, now)] as const)),
  );
}

async function durationsOf(ledger: Pick<Ledger, 'history'>, jobId: string, now: number): Promise<number[]> {
  const durations: number[] = [];
  const range = { from: 0, to: now, order: 'newest-first', limit: mostRuns } as const;
  for await (const run of ledger.history(jobId, range)) {
    const duration = run.state === 'succeeded' ? quantityOf(run, { of: 'duration' }, now) : null;
    if (duration !== null) durations.push(duration);
    if (durations.length === mostSamples) break;
  }
  return durations;
}
