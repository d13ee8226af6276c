import { unmarshall } from '@aws-sdk/util-dynamodb';
import { table } from '../../contract.ts';
import type { Action } from '../../domain/action.ts';
import type { JobState, SpecVersion } from '../../domain/job-state.ts';
import type { ReconcilerState } from '../../domain/ledger.ts';
import { type RunRef, runId } from '../../domain/names.ts';
import type { PoolState } from '../../domain/pools.ts';
import type { Run } from '../../domain/run.ts';
import type { StepRecord } from '../../domain/steps.ts';
import { day } from '../../domain/time.ts';
import { attemptsOf, lineOf } from './attempt-log.ts';
import { attributesOf } from './attributes.ts';
import {
  actionKey,
  holderIn,
  type Item,
  jobIdOf,
  poolNameOf,
  runKey,
  runRefOf,
  specKey,
  stepKey,
  stepNameOf,
} from './keys.ts';

const { openIndex } = table;

/** Which of the open index's shards lists a run: FNV-1a again, of the 32 bits that need no big integers, since each start waits for it. */
export function openShardOf(ref: RunRef): number {
  const id = runId(ref);
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % openIndex.shards;
}

/** A run is on the open index while it has the index's two attributes, and only then. */
export function openAttributes(ref: RunRef, attentionAt: number | undefined): Record<string, unknown> {
  if (attentionAt === undefined) return {};
  return { [openIndex.sortKey]: attentionAt, [openIndex.partitionKey]: openShardOf(ref) };
}

/**
 * Results and inputs are the authors' values: as JSON text they come back exactly as they were, whatever numbers they
 * hold. Everything else is ours, and stays readable as attributes.
 */
export function withAuthorsValues<T extends Partial<Run>>(run: T): T {
  const { result, input } = run;
  return {
    ...run,
    ...(result !== undefined && { result: JSON.stringify(result) }),
    ...(input !== undefined && { input: JSON.stringify(input) }),
  };
}

/** What goes unsaid of a run: that it was a fire of the schedule, has no slot, and nothing unusual was counted. */
export const unsaidOfRuns = {
  trigger: 'schedule',
  hasSlot: false,
  crashes: 0,
  duplicates: 0,
  reoffers: 0,
} as const;

export function runItem(run: Run, retentionMs: number): Item {
  const values = {
    ...withAuthorsValues(run),
    ...openAttributes(run, run.attentionAt),
    attempts: run.attempts.map(lineOf),
    [table.ttl]: Math.floor((run.createdAt + retentionMs) / 1_000),
    ...inItsKey,
  };
  return { ...attributesOf(values, unsaidOfRuns), ...runKey(run) };
}

const inItsKey = { jobId: undefined, key: undefined };

/** What an item holds for the table alone. */
const bookkeeping = [table.partitionKey, table.sortKey, table.ttl, openIndex.partitionKey] as const;

type AsKept = Omit<Run, 'jobId' | 'key' | 'attempts' | 'result' | 'input'> & {
  readonly attempts: readonly string[];
  readonly result?: string;
  readonly input?: string;
};

export function runOf(item: Item): Run {
  const { attempts, result, input, ...ours } = valuesOf(item) as unknown as AsKept;
  return {
    ...unsaidOfRuns,
    ...ours,
    ...runRefOf(item),
    attempts: attemptsOf(attempts),
    ...(result === undefined ? {} : { result: JSON.parse(result) }),
    ...(input === undefined ? {} : { input: JSON.parse(input) }),
  };
}

/** What goes unsaid of a job before anything happened: publishing a schedule or taking a slot writes only its own part. */
export const unsaidOfJobs = {
  specSince: 0,
  specChanged: false,
  queued: 0,
  catchUp: { waiting: 0, minute: 0, admitted: 0 },
  failuresInARow: 0,
  strays: 0,
};

/** The last success is a line of JSON like those of the attempts: each finish writes it, and nothing asks for its parts. */
export function jobValues({ lastSuccess, ...values }: Partial<JobState>): Record<string, unknown> {
  return { ...values, lastSuccess: lastSuccess && JSON.stringify(lastSuccess) };
}

/** The days that are open are a set of small numbers: each start and finish writes the item that they are in. */
export function dayNumbers(...days: readonly number[]): ReadonlySet<number> {
  return new Set(days.map((first) => first / day));
}

export function jobStateOf(item: Item): JobState {
  const { lastSuccess, openDays, ...values } = valuesOf(item);
  return {
    ...unsaidOfJobs,
    ...(values as Partial<JobState>),
    ...(typeof lastSuccess === 'string' && { lastSuccess: JSON.parse(lastSuccess) }),
    ...(openDays instanceof Set && { openDays: [...openDays].sort((a, b) => a - b).map((one) => one * day) }),
    jobId: jobIdOf(item),
  };
}

/** Each hold is an attribute of its own, so that taking one needs no map to be there. Until somebody waits, nobody does. */
export function poolStateOf(item: Item): PoolState {
  const { capacity, free, waiting = 0, ...others } = valuesOf(item) as Record<string, number>;
  if (capacity === undefined || free === undefined)
    throw new Error(
      `The item of the pool ${poolNameOf(item)} has no capacity, or does not say what is free.`,
    );
  const holds = Object.entries(others).flatMap(([name, weight]) => {
    const holder = holderIn(name);
    return holder === null ? [] : [[holder, weight] as const];
  });
  return { name: poolNameOf(item), capacity, free, waiting, holds: Object.fromEntries(holds) };
}

/** What goes unsaid of a step: that it is a plain one, in its run's first life. */
const unsaidOfSteps = { kind: 'step', restarts: 0 } as const;

/** Kept as long as its run, or a little longer. The result is the author's. */
export function stepItem(ref: RunRef, { name, result, ...step }: StepRecord, retentionMs: number): Item {
  const values = {
    ...step,
    ...(result !== undefined && { result: JSON.stringify(result) }),
    [table.ttl]: Math.floor((step.at + retentionMs) / 1_000),
  };
  return { ...attributesOf(values, unsaidOfSteps), ...stepKey(ref, name) };
}

export function stepOf(item: Item): StepRecord {
  const { result, ...step } = valuesOf(item) as Omit<StepRecord, 'name' | 'result'> & { result?: string };
  return {
    ...unsaidOfSteps,
    ...step,
    name: stepNameOf(item),
    ...(result === undefined ? {} : { result: JSON.parse(result) }),
  };
}

/** Kept as long as a run. */
export function actionItem(
  action: Action,
  { nonce, retentionMs }: { nonce: string; retentionMs: number },
): Item {
  const values = { ...action, [table.ttl]: Math.floor((action.at + retentionMs) / 1_000) };
  return { ...attributesOf(values), ...actionKey(action.at, nonce) };
}

export function actionOf(item: Item): Action {
  return valuesOf(item) as unknown as Action;
}

export function specItem({ jobId, ...version }: SpecVersion): Item {
  return { ...specKey(jobId, version.from), ...attributesOf(version) };
}

export function specVersionOf(item: Item): SpecVersion {
  return { ...(valuesOf(item) as Omit<SpecVersion, 'jobId'>), jobId: jobIdOf(item) };
}

export function reconcilerStateOf(item: Item): ReconcilerState {
  const { leaseToken: _token, leaseUntil: _until, ...state } = valuesOf(item);
  return state;
}

export function valuesOf(item: Item): Record<string, unknown> {
  const own = { ...item };
  for (const name of bookkeeping) delete own[name];
  return unmarshall(own);
}
