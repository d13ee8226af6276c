import { mostSamples, quantityOf } from '../domain/contention/unusual.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { AttemptOutcome } from '../domain/run.ts';

/** Of each job so many runs are looked through, so that one which never succeeds is no long read. */
const mostRuns = 100;

/** How many of a job's runs ended otherwise than by a success. */
export type EndedOtherwise = Readonly<Partial<Record<Exclude<AttemptOutcome, 'succeeded'>, number>>>;

/** What is known of how a job's runs went. */
export interface Past {
  /** How long its newest successful attempts took, in milliseconds, newest first. */
  readonly durations: readonly number[];
  /** Of the same time. */
  readonly endedOtherwise: EndedOtherwise;
}

/** By job. */
export async function pastOf(
  ledger: Pick<Ledger, 'history'>,
  jobs: readonly { readonly id: string }[],
  now: number,
): Promise<Map<string, Past>> {
  return new Map(
    await Promise.all(jobs.map(async ({ id }) => [id, await pastOfJob(ledger, id, now)] as const)),
  );
}

async function pastOfJob(ledger: Pick<Ledger, 'history'>, jobId: string, now: number): Promise<Past> {
  const durations: number[] = [];
  const endedOtherwise: Record<string, number> = {};
  const range = { from: 0, to: now, order: 'newest-first', limit: mostRuns } as const;
  for await (const run of ledger.history(jobId, range)) {
    const duration = run.state === 'succeeded' ? quantityOf(run, { of: 'duration' }, now) : null;
    if (duration !== null) durations.push(duration);
    const outcome = run.attempts.at(-1)?.outcome ?? 'succeeded';
    if (outcome !== 'succeeded') endedOtherwise[outcome] = (endedOtherwise[outcome] ?? 0) + 1;
    if (durations.length === mostSamples) break;
  }
  return { durations, endedOtherwise };
}
