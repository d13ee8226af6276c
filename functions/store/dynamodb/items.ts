import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { table } from '../../contract.ts';
import { fingerprint } from '../../domain/fingerprint.ts';
import type { JobState, SpecVersion } from '../../domain/job-state.ts';
import type { ReconcilerState } from '../../domain/ledger.ts';
import { type RunRef, runId } from '../../domain/names.ts';
import type { Run } from '../../domain/run.ts';
import { attemptsOf, linesOf } from './attempt-log.ts';
import { type Item, jobIdOf, runKey, runRefOf, specKey } from './keys.ts';

const { openIndex } = table;

/** Which of the open index's shards lists a run. */
export function openShardOf(ref: RunRef): number {
  return Number.parseInt(fingerprint(runId(ref)).slice(-8), 16) % openIndex.shards;
}

/** A run is on the open index while it has the index's two attributes, and only then. */
export function openAttributes(run: RunRef & Pick<Run, 'attentionAt'>): Record<string, unknown> {
  if (run.attentionAt === undefined) return {};
  return { [openIndex.sortKey]: run.attentionAt, [openIndex.partitionKey]: openShardOf(run) };
}

/**
 * Results and inputs are the authors' values: as JSON text they come back exactly as they were, whatever numbers they
 * hold. Everything else is ours, and stays readable as attributes.
 */
export function withAuthorsValues(run: Partial<Run>): Record<string, unknown> {
  const { result, input, ...ours } = run;
  return {
    ...ours,
    ...(result === undefined ? {} : { result: JSON.stringify(result) }),
    ...(input === undefined ? {} : { input: JSON.stringify(input) }),
  };
}

/** Tallies that are absent while they are nought: the most common item is the smallest. */
const tallies = { crashes: 0, duplicates: 0, reoffers: 0 };

export function runItem({ jobId, key, attempts, ...run }: Run, retentionMs: number): Item {
  const attributes: Record<string, unknown> = {
    ...withAuthorsValues(run),
    ...openAttributes({ jobId, key, ...run }),
    attempts: attempts.flatMap((attempt) => linesOf({ attempt })),
    [table.ttl]: Math.floor((run.createdAt + retentionMs) / 1_000),
  };
  for (const name of Object.keys(tallies)) if (attributes[name] === 0) delete attributes[name];
  return { ...runKey({ jobId, key }), ...marshall(attributes, { removeUndefinedValues: true }) };
}

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
    ...tallies,
    ...ours,
    ...runRefOf(item),
    attempts: attemptsOf(attempts),
    ...(result === undefined ? {} : { result: JSON.parse(result) }),
    ...(input === undefined ? {} : { input: JSON.parse(input) }),
  };
}

/** What a state item says before anything happened: publishing a schedule or taking a slot writes only its own part. */
const quiet = {
  specSince: 0,
  specChanged: false,
  catchUp: { waiting: 0, minute: 0, admitted: 0 },
  failuresInARow: 0,
  strays: 0,
};

export function jobStateOf(item: Item): JobState {
  return { ...quiet, ...(valuesOf(item) as Partial<JobState>), jobId: jobIdOf(item) };
}

export function specItem({ jobId, ...version }: SpecVersion): Item {
  return { ...specKey(jobId, version.from), ...marshall(version, { removeUndefinedValues: true }) };
}

export function specVersionOf(item: Item): SpecVersion {
  return { ...(valuesOf(item) as Omit<SpecVersion, 'jobId'>), jobId: jobIdOf(item) };
}

export function reconcilerStateOf(item: Item): ReconcilerState {
  const { leaseToken: _token, leaseUntil: _until, ...state } = valuesOf(item);
  return state;
}

function valuesOf(item: Item): Record<string, unknown> {
  const own = { ...item };
  for (const name of bookkeeping) delete own[name];
  return unmarshall(own);
}
