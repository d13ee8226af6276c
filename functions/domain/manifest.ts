import { canonicalJson, fingerprint } from './fingerprint.ts';
import type { Pool, Weights } from './pools.ts';
import type { Spec } from './schedule/index.ts';

export const missedPolicies = ['all', 'latest', 'skip'] as const;
export const crashPolicies = ['rerun', 'resume', 'park'] as const;
export const overlapPolicies = ['skip', 'queue', 'queue-one', 'cancel-running', 'allow'] as const;

/** What a job wants done about fires that nothing claimed within their grace. */
export interface MissedPolicy {
  readonly policy: (typeof missedPolicies)[number];
  /** At most so many of one outage are made up; the newest. */
  readonly limit: number;
  /** Older ones are not made up. */
  readonly maxAgeMs: number;
  /** At most so many are started a minute. */
  readonly ratePerMinute: number;
}

/** How often a run that fails is tried again, and after which pauses. */
export interface RetryPolicy {
  /** Of all attempts together, the first included: at least 2. */
  readonly attempts: number;
  /** The first pause is at most this; each further one at most twice the one before. */
  readonly backoffMs: number;
  /** No pause is longer. */
  readonly capMs: number;
}

/** What its role may do besides its own records. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** A validated job as plain data: what the reconciler and `fl` know of it without loading its code. */
export interface ManifestJob {
  readonly id: string;
  /** The file's path below the jobs folder, `/`-separated. */
  readonly file: string;
  readonly description: string;
  readonly spec: Spec;
  readonly specId: string;
  readonly missed: MissedPolicy;
  readonly crashed: (typeof crashPolicies)[number];
  readonly overlap: (typeof overlapPolicies)[number];
  /** How many fires may wait for the slot; the oldest beyond are superseded. Only where they queue. */
  readonly maxQueued?: number;
  /** How long a fire may wait for its slot and pools. Absent: for ever. */
  readonly maxWaitMs?: number;
  /** What a run takes of pools. Absent: nothing. */
  readonly pools?: Weights;
  /** Runs of a higher one are admitted to pools first. Absent: 0; what is made up counts one less. */
  readonly priority?: number;
  /** Absent: one attempt. */
  readonly retry?: RetryPolicy;
  /** After so many failed fires in a row it is paused. Absent: never. */
  readonly pauseAfter?: number;
  /** Whether people are told when it fails or is parked. Absent: yes. */
  readonly notify?: false;
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly memoryMb: number;
  /** Absent: none. */
  readonly permissions?: readonly Permission[];
  /** Which secret is whose, by the name that its code calls it by. Absent: none. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The network of functions/config.ts that its function is in. Absent: none. */
  readonly vpc?: string;
  /** It has metrics of its own. Absent: it counts only among its stage's. */
  readonly metrics?: true;
  /** Stages in which it is deployed; absent: all. */
  readonly stages?: readonly string[];
}

/** A job with what its function needs besides, and nobody else sees: values may be secret. */
export interface JobEntry extends ManifestJob {
  readonly environment: Readonly<Record<string, string>>;
}

/** The jobs of one version of the working copy, by id. */
export interface Manifest<Job extends ManifestJob = ManifestJob> {
  readonly version: 1;
  readonly jobs: readonly Job[];
  /** The pools that are declared, by name. Absent: none. */
  readonly pools?: Readonly<Record<string, Pool>>;
  /** Over how many stacks the jobs are spread. Absent: one. */
  readonly jobStacks?: number;
}

/** What the reconciler's bundle and the ledger get of a manifest. */
export function publicManifest({ jobs, ...others }: Manifest<JobEntry>): Manifest {
  return { ...others, jobs: jobs.map(({ environment: _values, ...job }) => job) };
}

/** A job that was deployed once; its records are there until they expire. */
export interface RemovedJob {
  readonly id: string;
  readonly timezone: string;
}

/** What the ledger keeps of manifests: the newest, and the jobs that it no longer has. */
export interface PublishedManifest extends Manifest {
  readonly removed?: readonly RemovedJob[];
}

/** Whether the job's runs go one at a time through its slot. */
export function takesSlot({ overlap }: Pick<ManifestJob, 'overlap'>): boolean {
  return overlap !== 'allow';
}

/** Whether a fire that finds the slot taken waits for it, behind those that wait already. */
export function queues({ overlap }: Pick<ManifestJob, 'overlap'>): boolean {
  return overlap === 'queue' || overlap === 'queue-one' || overlap === 'cancel-running';
}

/** Two specs with the same id have the same `E`. */
export function specIdOf(spec: Spec): string {
  return fingerprint(canonicalJson(spec));
}

/** A manifest is long, and each turn of a sweep asks for its id. */
const manifestIds = new WeakMap<Manifest, string>();

/** Two manifests with the same id deploy the same jobs. */
export function manifestIdOf(manifest: Manifest): string {
  const known = manifestIds.get(manifest);
  if (known !== undefined) return known;
  const id = fingerprint(canonicalJson(manifest));
  manifestIds.set(manifest, id);
  return id;
}
