import { mostSamples } from '../domain/contention/unusual.ts';
import type { Ledger, OpenRef } from '../domain/ledger.ts';
import { runId } from '../domain/names.ts';
import { neverNeedsAttention, type Run, waitingBand } from '../domain/run.ts';
import { day, minute } from '../domain/time.ts';
import { askedRuns } from './asked-runs.ts';

/** How long before a time a run that mattered then may have been due; open ones, and those that persons asked for, are found whenever they were. */
const lookBackMs = day;
const mostOpen = 1_000;
const mostOfBackfill = 2_000;

/** The runs of these jobs that may have been waiting or alive within a range; many of them weren't. Both ends inclusive. */
export async function runsAround(
  ledger: Pick<Ledger, 'history' | 'open' | 'runs' | 'actions'>,
  jobs: readonly { readonly id: string }[],
  { from, until }: { from: number; until: number },
): Promise<Run[]> {
  // A delivery may come a little before its fire.
  const range = { from: from - lookBackMs, to: until + minute };
  const [open, asked, ...histories] = await Promise.all([
    openRuns(ledger),
    askedRuns(ledger, { from, until, dueBefore: range.from, mostOfBackfill }),
    ...jobs.map(({ id }) => collected(ledger.history(id, range))),
  ]);
  const found = new Map([...open, ...asked, ...histories.flat()].map((run) => [runId(run), run]));
  return [...found.values()].sort((a, b) => a.fireTime - b.fireTime);
}

/** Without those that only a person can move. */
async function openRuns(ledger: Pick<Ledger, 'open' | 'runs'>): Promise<Run[]> {
  return ledger.runs(await ledger.open(waitingBand.until, mostOpen));
}

/** Of all open runs, at most `most` of each kind: the waiting and the parked ones lie apart on the index, and none of a kind hides another. */
export async function everyOpenRef(ledger: Pick<Ledger, 'open'>, most: number): Promise<OpenRef[]> {
  const bands = await Promise.all([
    ledger.open(waitingBand.from - 1, most),
    ledger.open(waitingBand.until, most, waitingBand.from),
    ledger.open(neverNeedsAttention, most, neverNeedsAttention),
  ]);
  return bands.flat();
}

/** The runs that wait for anything, whatever their job. */
export async function openWaiters(ledger: Pick<Ledger, 'open' | 'runs'>): Promise<Run[]> {
  const refs = await ledger.open(waitingBand.until, mostOpen, waitingBand.from);
  const runs = await ledger.runs(refs);
  return runs.filter(({ state }) => state === 'waiting');
}

/** So many records are read to find a job's earlier runs. */
const mostRead = 300;

/** A job's runs that were due before an instant, newest first. */
export function runsBefore(ledger: Pick<Ledger, 'history'>, jobId: string, instant: number): Promise<Run[]> {
  const range = { from: 0, to: instant - 1, order: 'newest-first', limit: mostRead } as const;
  return collected(ledger.history(jobId, range));
}

/** Those of a job's runs with which others are compared: its newest successes. */
export function successesAmong(newestFirst: readonly Run[]): Run[] {
  return newestFirst.filter(({ state }) => state === 'succeeded').slice(0, mostSamples);
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
