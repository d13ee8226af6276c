import { type CompiledSpec, dueFires, reignsOf } from '../domain/due.ts';
import type { JobState, SpecVersion } from '../domain/job-state.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import { fireKey, type RunRef } from '../domain/names.ts';
import type { Observed } from '../domain/plan.ts';
import type { Run } from '../domain/run.ts';
import { compileAlarms, exclusions, type Spec, timetable } from '../domain/schedule/index.ts';
import type { Interval } from '../domain/watermark.ts';
import type { ReconcilerPorts } from './ports.ts';

/** Open runs that one slice attends to; the rest follow in the next. */
const mostOpen = 500;

export interface Observation {
  readonly jobs: readonly Observed[];
  readonly open: readonly Run[];
  readonly states: ReadonlyMap<string, JobState>;
  readonly byId: ReadonlyMap<string, ManifestJob>;
}

/** Reads what a slice needs: the fires due in it, which of them have a record, and the open runs that need attention. */
export async function observe(
  ports: ReconcilerPorts,
  manifest: Manifest,
  { slices, now, compiled }: { slices: readonly Interval[]; now: number; compiled: Compiled },
): Promise<Observation> {
  const states = await ports.ledger.jobs(manifest.jobs.map((job) => job.id));
  const due = await Promise.all(
    manifest.jobs.map((job) => dueOf(ports, job, { state: states.get(job.id), slices, compiled })),
  );
  const refs = due.flatMap(({ job, due }) =>
    due.map(({ fire }): RunRef => ({ jobId: job.id, key: fireKey(fire.fireTime) })),
  );
  const [present, open] = await Promise.all([ports.ledger.runs(refs), openRuns(ports, now)]);
  const recorded = new Map(manifest.jobs.map((job) => [job.id, new Set<string>()]));
  for (const run of present) recorded.get(run.jobId)?.add(run.key);
  const jobs = due.flatMap(({ job, due }) => {
    const state = states.get(job.id);
    return state && due.length > 0 ? [{ job, state, due, recorded: recorded.get(job.id) ?? new Set() }] : [];
  });
  const byId = new Map(manifest.jobs.map((job) => [job.id, job]));
  const ownerless = open.map((run) => run.jobId).filter((jobId) => !byId.has(jobId));
  return { jobs, open, states: new Map([...states, ...(await statesOf(ports, ownerless))]), byId };
}

/** Of removed jobs, whose last runs give back slot and tally. */
async function statesOf(
  { ledger }: ReconcilerPorts,
  jobIds: readonly string[],
): Promise<Observation['states']> {
  return jobIds.length === 0 ? new Map() : ledger.jobs([...new Set(jobIds)]);
}

/** The index suggests; what counts is read from the record itself. */
async function openRuns({ ledger }: ReconcilerPorts, now: number): Promise<Run[]> {
  return ledger.runs(await ledger.open(now, mostOpen));
}

type Due = Observed['due'];

/** A job whose schedule can't be worked out is left out and told, so that it stops no other job. */
async function dueOf(
  { ledger, log }: ReconcilerPorts,
  job: ManifestJob,
  {
    state,
    slices,
    compiled,
  }: { state: JobState | undefined; slices: readonly Interval[]; compiled: Compiled },
): Promise<{ job: ManifestJob; due: Due }> {
  try {
    if (state?.specId === undefined) return { job, due: [] };
    const isCurrent = state.specId === job.specId && slices.every((slice) => slice.from >= state.specSince);
    const versions = isCurrent ? [currentVersion(job, state)] : await ledger.specs(job.id);
    const reigns = reignsOf(versions, compiled);
    return { job, due: slices.flatMap((slice) => dueFires(job.id, reigns, slice)) };
  } catch (error) {
    log.error('the fires of a job could not be worked out; it is left out of this sweep', {
      jobId: job.id,
      error,
    });
    return { job, due: [] };
  }
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
