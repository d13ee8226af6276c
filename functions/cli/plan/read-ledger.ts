import { doubtfulFires, type JobFacts, jobsAround, type LedgerFacts } from '../../domain/changes/index.ts';
import { canonicalJson } from '../../domain/fingerprint.ts';
import type { JobState } from '../../domain/job-state.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { Manifest, ManifestJob, PublishedManifest } from '../../domain/manifest.ts';
import { fireKey } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { pastOf } from '../past-runs.ts';
import { everyOpenRef } from '../runs-around.ts';
import { usualOf } from './usual.ts';

/** Of each kind of open runs so many are looked through. */
const mostOpen = 10_000;

/** A job as deployed, and as the working copy has it. */
interface Pair {
  readonly before: ManifestJob;
  readonly after: ManifestJob | undefined;
}

/** What a ledger knows of the jobs that a deployment touches. */
export async function readFacts(
  ledger: Ledger,
  { before, after, now }: { before: PublishedManifest; after: Manifest; now: number },
): Promise<LedgerFacts> {
  const here = new Map(after.jobs.map((job) => [job.id, job]));
  const pairs = before.jobs
    .map((job): Pair => ({ before: job, after: here.get(job.id) }))
    .filter((pair) => canonicalJson(pair.before) !== canonicalJson(pair.after));
  const ids = [...new Set([...before.jobs, ...after.jobs].map(({ id }) => id))];
  const names = [...new Set([...Object.keys(before.pools ?? {}), ...Object.keys(after.pools ?? {})])];
  const [states, pools, durations, open] = await Promise.all([
    ledger.jobs(ids),
    ledger.pools(names),
    durationsOf(ledger, { before, after, now }),
    openRuns(ledger, new Set(pairs.map((pair) => pair.before.id))),
  ]);
  const touched = new Map(
    await Promise.all(
      pairs.map(
        async (pair) => [pair.before.id, await factsOf(pair, { ledger, states, open, now })] as const,
      ),
    ),
  );
  const untouched = [...states].map(([id, state]) => [id, { state, open: [], doubtful: [] }] as const);
  return { jobs: new Map<string, JobFacts>([...untouched, ...touched]), pools, durations };
}

async function factsOf(
  pair: Pair,
  {
    ledger,
    states,
    open,
    now,
  }: {
    ledger: Ledger;
    states: ReadonlyMap<string, JobState>;
    open: readonly Run[];
    now: number;
  },
): Promise<JobFacts> {
  const { before } = pair;
  const state = states.get(before.id) ?? null;
  const [doubtful, usual] = await Promise.all([
    doubtfulRecords(ledger, pair, { state, now }),
    usualOf(ledger, pair, now),
  ]);
  return {
    state,
    open: open.filter(({ jobId }) => jobId === before.id),
    doubtful,
    ...(usual && { usual }),
  };
}

/** Of the jobs around pools whose capacity changes. */
async function durationsOf(
  ledger: Ledger,
  { before, after, now }: { before: Manifest; after: Manifest; now: number },
): Promise<Map<string, readonly number[]>> {
  const names = Object.keys(before.pools ?? {}).filter(
    (name) => before.pools?.[name]?.capacity !== after.pools?.[name]?.capacity,
  );
  const jobs = names.flatMap((name) => [...jobsAround(name, before), ...jobsAround(name, after)]);
  const past = await pastOf(ledger, [...new Map(jobs.map((job) => [job.id, job])).values()], now);
  return new Map([...past].map(([id, { durations }]) => [id, durations]));
}

async function openRuns(ledger: Ledger, jobIds: ReadonlySet<string>): Promise<Run[]> {
  if (jobIds.size === 0) return [];
  const refs = await everyOpenRef(ledger, mostOpen);
  const runs = await ledger.runs(
    refs.filter(({ jobId }) => jobIds.has(jobId)),
    () => undefined,
  );
  // The index is stale; the records tell.
  return runs.filter(({ attentionAt }) => attentionAt !== undefined);
}

async function doubtfulRecords(
  ledger: Ledger,
  { before, after }: Pair,
  { state, now }: { state: JobState | null; now: number },
): Promise<Run[]> {
  if (after?.specId === before.specId || state === null) return [];
  const fires = doubtfulFires(before.spec, { now, since: state.specSince });
  return ledger.runs(
    fires.map((fire) => ({ jobId: before.id, key: fireKey(fire) })),
    () => undefined,
  );
}
