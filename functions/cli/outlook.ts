import { standings, type Waiter } from '../domain/admission.ts';
import { admittedAt } from '../domain/contention/estimate.ts';
import { staysOf } from '../domain/contention/holding.ts';
import { usualMs } from '../domain/contention/unusual.ts';
import type { JobState, Pause } from '../domain/job-state.ts';
import type { Ledger } from '../domain/ledger.ts';
import { type ManifestJob, type PublishedManifest, takesSlot } from '../domain/manifest.ts';
import { parseRunId, runId } from '../domain/names.ts';
import type { PoolState, Weights } from '../domain/pools.ts';
import { type Run, waitsSince } from '../domain/run.ts';
import { minute } from '../domain/time.ts';
import { waiterOf } from '../domain/waiting.ts';
import { openWaiters, runsBefore, successesAmong } from './runs-around.ts';

/** A run that has now what another waits for. */
export interface HolderNow {
  readonly run: Run;
  /** None: it has the slot. */
  readonly weights: Weights;
  readonly since: number;
  /** When it should end, going by its job's last successes; null: nobody can tell, or that time has passed. */
  readonly until: number | null;
  /** How long its job's runs usually take; null: nobody knows. */
  readonly usualMs: number | null;
  /** What ends it at the latest; null of one that doesn't run. */
  readonly bound: { readonly at: number; readonly by: 'timeout' | 'lease' } | null;
}

/** How things stand for a waiting run. */
export interface Outlook {
  /** From 1, of those that wait for any of the same. */
  readonly position: number;
  readonly of: number;
  /** The pools of which those before it leave too little. */
  readonly lacks: readonly string[];
  readonly holders: readonly HolderNow[];
  /** When its turn should come; null: nobody can tell. */
  readonly at: number | null;
  /** Nothing of its job is started meanwhile. */
  readonly paused: Pause | null;
}

/** What there is to know it from. */
export interface Asked {
  readonly ledger: Ledger;
  readonly manifest: PublishedManifest;
  readonly now: number;
}

/** Of a waiting run; null of any other, and of one whose job was removed. */
export async function outlookOf(run: Run, asked: Asked): Promise<Outlook | null> {
  const job = asked.manifest.jobs.find(({ id }) => id === run.jobId);
  if (run.state !== 'waiting' || job === undefined) return null;
  const state = await asked.ledger.job(run.jobId);
  const listed = await openWaiters(asked.ledger);
  // The index may not have it yet.
  const waiting = [run, ...listed.filter((one) => runId(one) !== runId(run))];
  const outlook =
    run.reason === 'pool'
      ? await atPools(run, waiting, asked)
      : await inLine(run, waiting, { ...asked, job, slot: state?.slot });
  return { ...outlook, paused: state?.paused ?? null };
}

async function atPools(
  run: Run,
  waiting: readonly Run[],
  { ledger, manifest: { jobs }, now }: Asked,
): Promise<Omit<Outlook, 'paused'>> {
  const needed = Object.keys(run.waitsFor ?? {});
  const untimed = poolWaiters(waiting, jobs, now);
  const names = new Set([...needed, ...untimed.flatMap(({ needs }) => Object.keys(needs))]);
  const pools = await ledger.pools([...names]);
  const owners = await ownersOf([...pools.values()], ledger);
  const ids = [...untimed, ...owners.map((owner) => owner.run)].map(({ jobId }) => jobId);
  const usual = await usualLengths(ledger, ids, now);
  const waiters = untimed.map((waiter) => ({ ...waiter, usualMs: usual.get(waiter.jobId) ?? null }));
  const holders = owners.map((owner) => holderOf(owner.run, owner.weights, { usual, jobs, now }));
  const concerns = (weights: Weights) => needed.some((pool) => Object.hasOwn(weights, pool));
  const line = standings(pools, waiters, now).filter(({ waiter }) => concerns(waiter.needs));
  const own = line.findIndex(({ waiter }) => waiter.id === runId(run));
  const occupants = holders.map(({ weights, until }) => ({ holds: weights, until }));
  return {
    position: own + 1,
    of: line.length,
    lacks: line[own]?.lacks ?? needed,
    holders: holders.filter(({ weights }) => concerns(weights)),
    at: admittedAt(runId(run), { pools, occupants, waiters }, now),
  };
}

/** Those of jobs that are deployed. */
function poolWaiters(
  waiting: readonly Run[],
  jobs: readonly ManifestJob[],
  now: number,
): (Waiter & Pick<Run, 'jobId'>)[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return waiting.flatMap((run) => {
    const job = byId.get(run.jobId);
    return run.reason === 'pool' && job !== undefined ? [{ jobId: job.id, ...waiterOf(run, job, now) }] : [];
  });
}

/** The runs that have some of these pools, and what they have. */
async function ownersOf(
  pools: readonly PoolState[],
  ledger: Pick<Ledger, 'runs'>,
): Promise<Pick<HolderNow, 'run' | 'weights'>[]> {
  const ids = [...new Set(pools.flatMap(({ holds }) => Object.keys(holds)))];
  const runs = await ledger.runs(ids.flatMap((id) => parseRunId(id) ?? []));
  return runs.map((run) => {
    const held = pools.flatMap(({ name, holds }) =>
      Object.hasOwn(holds, runId(run)) ? [[name, holds[runId(run)] ?? 0] as const] : [],
    );
    return { run, weights: Object.fromEntries(held) };
  });
}

function holderOf(
  run: Run,
  weights: Weights,
  { usual, jobs, now }: { usual: ReadonlyMap<string, number>; jobs: readonly ManifestJob[]; now: number },
): HolderNow {
  const since = run.state === 'waiting' ? waitsSince(run) : (staysOf(run, now).at(-1)?.from ?? run.createdAt);
  // It may wait for its pools, with the slot.
  const length = run.state === 'waiting' ? undefined : usual.get(run.jobId);
  const until = length === undefined ? null : (run.attempts.at(-1)?.startedAt ?? now) + length;
  return {
    ...{ run, weights, since, until: until !== null && until > now ? until : null },
    usualMs: usual.get(run.jobId) ?? null,
    bound: boundOf(run, jobs.find(({ id }) => id === run.jobId)?.timeoutMs, now),
  };
}

/** Its timeout; only its lease bounds one that is dead, or didn't stop. */
function boundOf(run: Run, timeoutMs: number | undefined, now: number): HolderNow['bound'] {
  const attempt = run.state === 'running' ? run.attempts.at(-1) : undefined;
  if (attempt === undefined) return null;
  const timeoutAt = attempt.startedAt + (timeoutMs ?? 0);
  const mayHeed = run.suspected === undefined && run.timedOutAt === undefined && timeoutAt > now;
  return mayHeed ? { at: timeoutAt, by: 'timeout' } : { at: attempt.leaseUntil, by: 'lease' };
}

/**
 * For the slot, or to be made up: the slot's owner first, then the fires before it, each for as long as its job's runs usually
 * take; missed ones no faster than their rate.
 */
async function inLine(
  run: Run,
  waiting: readonly Run[],
  { ledger, job, slot, now }: Asked & { job: ManifestJob; slot: JobState['slot'] },
): Promise<Omit<Outlook, 'paused'>> {
  const line = waiting
    .filter(({ jobId, reason }) => jobId === run.jobId && reason === run.reason)
    .sort((a, b) => a.fireTime - b.fireTime);
  const before = line.findIndex(({ key }) => key === run.key);
  const usual = await usualLengths(ledger, [run.jobId], now);
  const owner = slot === undefined ? null : await ledger.run({ jobId: run.jobId, key: slot });
  const holder = owner && holderOf(owner, {}, { usual, jobs: [job], now });
  const pace = run.reason === 'catch-up' ? minute / job.missed.ratePerMinute : 0;
  const each = takesSlot(job) ? Math.max(pace, usual.get(run.jobId) ?? Number.POSITIVE_INFINITY) : pace;
  const at =
    (holder === null ? now : (holder.until ?? Number.POSITIVE_INFINITY)) + (before > 0 ? before * each : 0);
  return {
    ...{ position: before + 1, of: line.length, lacks: [] },
    holders: holder === null ? [] : [holder],
    at: Number.isFinite(at) ? at : null,
  };
}

/** By job; those without a success are left out. */
async function usualLengths(
  ledger: Pick<Ledger, 'history'>,
  jobIds: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const lengths = await Promise.all(
    [...new Set(jobIds)].map(async (id) => {
      const usual = usualMs(successesAmong(await runsBefore(ledger, id, now)), now);
      return usual === null ? [] : [[id, usual] as const];
    }),
  );
  return new Map(lengths.flat());
}
