import type { DueFire } from '../domain/catch-up.ts';
import { earliestMs } from '../domain/delivery.ts';
import { type CompiledSpec, dueFires, reignsOf } from '../domain/due.ts';
import type { JobState, SpecVersion } from '../domain/job-state.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import { fireKey, type RunRef } from '../domain/names.ts';
import type { Observed } from '../domain/plan.ts';
import { mostQueued } from '../domain/queue.ts';
import { neverNeedsAttention, type Run, waitingBand } from '../domain/run.ts';
import { compileAlarms, exclusions, type Spec, timetable } from '../domain/schedule/index.ts';
import { toIso } from '../domain/time.ts';
import { oldestWaitMs } from '../domain/waiting.ts';
import type { Interval } from '../domain/watermark.ts';
import type { ReconcilerPorts } from './ports.ts';
import { readableRuns } from './records.ts';

/** Ended leases and expired offers that one slice attends to; the rest follow in the next. */
const mostOpen = 500;
/** Waiting runs of all jobs that are looked through: twice as many as the largest limit of a job. And, after them, parked ones. */
const mostWaiting = 20_000;
/** Waiting runs of one job that one slice attends to, besides a full queue, so that those of one hide no other's. */
const mostOfEachJob = 100;
/** Of a paused job those that wait for pools, whose turn comes first, stand back. */
const mostOfPausedJob = 10;

/** A removed job whose history reaches into the slices. */
export type Leaving = Pick<Observed, 'due' | 'recorded'> & { readonly jobId: string };

export interface Observation {
  /** Those with fires due in the slices. */
  readonly jobs: readonly Observed[];
  /** Of every job that is in force. */
  readonly states: readonly JobState[];
  readonly leaving: readonly Leaving[];
  /** Ids of jobs whose fires in the slices are not known. */
  readonly unknown: readonly string[];
  readonly open: readonly Run[];
  readonly parkedNow: number;
  /** How long the run had waited that had waited longest, of jobs that aren't paused; 0: none waits. */
  readonly oldestWaitMs: number;
  readonly byId: ReadonlyMap<string, ManifestJob>;
}

/**
 * Reads what a slice needs: the fires due in it, which of them have a record, and the open runs that need attention.
 * Rejects when a read does: then nothing was looked at.
 */
export async function observe(
  ports: ReconcilerPorts,
  manifest: Manifest,
  {
    leaving,
    slices,
    now,
    compiled,
  }: { leaving: readonly string[]; slices: readonly Interval[]; now: number; compiled: Compiled },
): Promise<Observation> {
  const states = await ports.ledger.jobs(manifest.jobs.map((job) => job.id));
  tellOfClocks(ports, states, now);
  const within = { slices, compiled };
  const [dueOfJobs, dueOfLeaving] = await Promise.all([
    Promise.all(manifest.jobs.map((job) => dueOf(ports, job, { state: states.get(job.id), ...within }))),
    Promise.all(leaving.map((jobId) => dueOfRemoved(ports, jobId, within))),
  ]);
  const due = new Map([...dueOfJobs, ...dueOfLeaving]);
  const refs = [...due.values()].flatMap((fires) => fires ?? []).map(({ fire }) => refOf(fire));
  const recorded = new Map([...due.keys()].map((jobId) => [jobId, new Set<string>()]));
  const isRecorded = ({ jobId, key }: RunRef) => void recorded.get(jobId)?.add(key);
  const byId = new Map(manifest.jobs.map((job) => [job.id, job]));
  const [present, { open, parkedNow }] = await Promise.all([
    ports.ledger.runs(refs, isRecorded),
    openRuns(ports, { states, byId, now }),
  ]);
  present.forEach(isRecorded);
  const seen = (jobId: string) => ({ due: due.get(jobId) ?? [], recorded: recorded.get(jobId) ?? new Set() });
  const jobs = manifest.jobs.flatMap((job) => {
    const state = states.get(job.id);
    const fires = seen(job.id);
    return state && fires.due.length > 0 ? [{ job, state, ...fires }] : [];
  });
  return {
    jobs,
    states: [...states.values()],
    leaving: leaving.map((jobId) => ({ jobId, ...seen(jobId) })),
    unknown: [...due.keys()].filter((jobId) => due.get(jobId) === null),
    open,
    parkedNow,
    oldestWaitMs: oldestWaitMs(
      open.filter(({ jobId }) => states.has(jobId) && states.get(jobId)?.paused === undefined),
      now,
    ),
    byId,
  };
}

/** Two clocks disagree, and only a person can say which one is right. */
function tellOfClocks({ log }: ReconcilerPorts, states: ReadonlyMap<string, JobState>, now: number): void {
  for (const { jobId, specId, specSince } of states.values())
    if (specId !== undefined && specSince > now + earliestMs)
      log.warn('a schedule was put in force by a clock that was ahead: nothing is due before then', {
        jobId,
        inForceFrom: toIso(specSince),
        now: toIso(now),
      });
}

interface Known {
  readonly states: ReadonlyMap<string, JobState>;
  readonly byId: Observation['byId'];
}

/**
 * The index suggests; what counts is read from the record itself. But for how many are parked: they stand at its end, behind
 * those that wait, and for a number that each sweep tells anew the index is good enough.
 */
async function openRuns(
  ports: ReconcilerPorts,
  { now, ...of }: Known & { now: number },
): Promise<Pick<Observation, 'open' | 'parkedNow'>> {
  const [due, others] = await Promise.all([
    ports.ledger.open(now, mostOpen),
    ports.ledger.open(neverNeedsAttention, mostWaiting, waitingBand.from),
  ]);
  const waiting = others.filter(({ attentionAt }) => attentionAt <= waitingBand.until);
  const open = await readableRuns(ports, [...due, ...nextOfEachJob(waiting, of)], 'an open run');
  return { open, parkedNow: others.length - waiting.length };
}

/** Of each job those whose turn comes first: more than may wait in its queue, or none would be too many. */
function nextOfEachJob(waiting: readonly RunRef[], { states, byId }: Known): RunRef[] {
  const taken = new Map<string, number>();
  return waiting.filter(({ jobId }) => {
    const before = taken.get(jobId) ?? 0;
    taken.set(jobId, before + 1);
    const job = byId.get(jobId);
    const usual = mostOfEachJob + (job && hasBound(job) ? mostQueued(job) : 0);
    return before < (states.get(jobId)?.paused === undefined ? usual : mostOfPausedJob);
  });
}

function hasBound(job: ManifestJob): boolean {
  return mostQueued(job) < Number.POSITIVE_INFINITY;
}

/** By job; null: they are not known. */
type DueOf = readonly [jobId: string, due: Observed['due'] | null];

interface Within {
  readonly slices: readonly Interval[];
  readonly compiled: Compiled;
}

async function dueOf(
  ports: ReconcilerPorts,
  job: ManifestJob,
  { state, slices, compiled }: Within & { state: JobState | undefined },
): Promise<DueOf> {
  if (state === undefined) return [job.id, []];
  const isCurrent = state.specId === job.specId && slices.every((slice) => slice.from >= state.specSince);
  const versions = isCurrent ? [currentVersion(job, state)] : await ports.ledger.specs(job.id);
  return [job.id, workOut(ports, job.id, { versions, slices, compiled })];
}

/** A job that is gone stops no other, whatever is wrong with it. */
async function dueOfRemoved(ports: ReconcilerPorts, jobId: string, within: Within): Promise<DueOf> {
  try {
    const versions = await ports.ledger.specs(jobId);
    return [jobId, workOut(ports, jobId, { versions, ...within })];
  } catch (error) {
    ports.log.error('the schedules of a removed job could not be read', { jobId, error });
    return [jobId, null];
  }
}

/** A job whose schedule can't be worked out is left out and told, so that it stops no other job. */
function workOut(
  { log }: ReconcilerPorts,
  jobId: string,
  { versions, slices, compiled }: Within & { versions: readonly SpecVersion[] },
): Observed['due'] | null {
  try {
    const reigns = reignsOf(versions, compiled);
    return slices.flatMap((slice) => dueFires(jobId, reigns, slice));
  } catch (error) {
    log.error('the fires of a job could not be worked out; it is left out of this sweep', { jobId, error });
    return null;
  }
}

function refOf({ jobId, fireTime }: DueFire): RunRef {
  return { jobId, key: fireKey(fireTime) };
}

function currentVersion({ id, specId, spec }: ManifestJob, { specSince }: JobState): SpecVersion {
  return { jobId: id, from: specSince, specId, spec };
}

export type Compiled = (specId: string, spec: Spec) => CompiledSpec;

/** Compiles each version of a schedule once in the life of a sandbox. */
export function compileOnce(): Compiled {
  const known = new Map<string, CompiledSpec>();
  return (specId, spec) => {
    const found = known.get(specId);
    if (found) return found;
    const alarms = compileAlarms(spec);
    const fresh = {
      timetable: timetable(spec),
      isSwept: (fire: number) => alarms.isSwept(fire),
      isExcluded: exclusions(spec),
      timezone: spec.timezone,
    };
    known.set(specId, fresh);
    return fresh;
  };
}
