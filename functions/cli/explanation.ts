import { blame, mostSuspect, type Verdict } from '../domain/contention/blame.ts';
import { togetherWith } from '../domain/contention/company.ts';
import { type Holder, heldAgainst, type Waiting, waitingsOf } from '../domain/contention/holding.ts';
import { type Overlap, overlapsOf, type Shared, sharedUse, touchedBy } from '../domain/contention/overlap.ts';
import { mostSamples, type Unusual, unusualOf } from '../domain/contention/unusual.ts';
import type { Attempt, Run } from '../domain/run.ts';
import { day } from '../domain/time.ts';
import { everyJob } from './known-jobs.ts';
import { type Asked, type Outlook, outlookOf } from './outlook.ts';
import { collected, runsAround, runsBefore, successesAmong } from './runs-around.ts';

/** What can be said of why a run went as it did. */
export interface Explanation {
  readonly run: Run;
  readonly waits: readonly { readonly wait: Waiting; readonly behind: readonly Holder[] }[];
  /** Skipped since another had the slot: who. */
  readonly slotHeldBy: readonly Holder[];
  readonly outlook: Outlook | null;
  readonly overlaps: readonly Overlap[];
  readonly shared: readonly Shared[];
  /** The capacities of the pools that it has in common with others, by name. */
  readonly capacities: ReadonlyMap<string, number>;
  readonly unusual: readonly Unusual[];
  /** The successes of its job that it was compared with. */
  readonly earlier: readonly Run[];
  /** Who is to blame; null: it neither failed nor was slow. */
  readonly verdict: Verdict | null;
  readonly now: number;
}

/** Reads what there is to know about a run's time: the runs around it, its job's earlier ones, and those of who is suspected. */
export async function explain(run: Run, asked: Asked): Promise<Explanation> {
  const { ledger, manifest, now } = asked;
  const [around, before, outlook] = await Promise.all([
    runsAround(ledger, everyJob(manifest), { from: run.createdAt, until: endOf(run, now) }),
    runsBefore(ledger, run.jobId, run.fireTime),
    outlookOf(run, asked),
  ]);
  const earlier = successesAmong(before);
  const touched = touchedBy([...around, ...earlier, run]);
  const overlaps = overlapsOf(run, { others: around, touched, now });
  const shared = sharedUse(run, overlaps, now);
  const unusual = unusualOf(run, earlier, now);
  const pools = await ledger.pools([...new Set(overlaps.flatMap(({ inCommon }) => inCommon))]);
  const context = { run, overlaps, shared, before, asked };
  return {
    ...{ run, outlook, overlaps, shared, unusual, now, earlier },
    waits: waitingsOf(run, now).map((wait) => ({
      wait,
      behind: heldAgainst(run, wait, { runs: around, now }),
    })),
    slotHeldBy: run.reason === 'overlap' ? heldAgainst(run, whenSkipped(run), { runs: around, now }) : [],
    capacities: new Map([...pools].map(([name, { capacity }]) => [name, capacity])),
    verdict: wentWrong(run, unusual) ? await verdictOn(context) : null,
  };
}

/** One that a person must decide about has ended for now. */
function endOf({ settledAt, state, attempts }: Run, now: number): number {
  return settledAt ?? (state === 'parked' ? attempts.at(-1)?.settledAt : undefined) ?? now;
}

function whenSkipped({ createdAt }: Run): Waiting {
  return { reason: 'slot', from: createdAt, until: createdAt + 1, isOver: true };
}

const cameToNothing: ReadonlySet<Attempt['outcome']> = new Set(['failed', 'timed-out', 'crashed']);

/** It, or one of its attempts, came to nothing; or it took unusually long. */
function wentWrong({ state, attempts }: Run, unusual: readonly Unusual[]): boolean {
  const failed = attempts.some(({ outcome }) => cameToNothing.has(outcome));
  return state === 'failed' || failed || unusual.some(({ quantity }) => quantity.of === 'duration');
}

/** So many runs of the suspect's job are read. */
const mostOfSuspect = 2_000;

async function verdictOn({
  run,
  overlaps,
  shared,
  before,
  asked: { ledger, now },
}: Pick<Explanation, 'run' | 'overlaps' | 'shared'> & {
  before: readonly Run[];
  asked: Asked;
}): Promise<Verdict> {
  const suspect = mostSuspect(shared)?.run ?? null;
  if (suspect === null)
    return blame(run, overlaps, { shared, background: { earlier: [], together: null }, now });
  const compared = before.filter(({ attempts }) => attempts.length > 0).slice(0, mostSamples);
  const from = (compared.at(-1)?.fireTime ?? suspect.fireTime) - day;
  const range = { from, to: suspect.fireTime - 1, order: 'newest-first', limit: mostOfSuspect } as const;
  const theirs = await collected(ledger.history(suspect.jobId, range));
  // Further back than they were read, nobody knows who ran beside whom.
  const since = theirs.length === mostOfSuspect ? (theirs.at(-1)?.fireTime ?? from) : from;
  const together = togetherWith(
    compared.filter(({ fireTime }) => fireTime >= since),
    theirs,
    now,
  );
  return blame(run, overlaps, { shared, background: { earlier: successesAmong(theirs), together }, now });
}
