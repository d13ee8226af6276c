import { failsTooOften } from '../pause.ts';
import type { JobChange } from './job-change.ts';
import { excessOf, type PoolChange } from './pools.ts';

/**
 * All that a person should look at before a deployment, the worst first: `fl plan` ends with 2 when there is any of it.
 * Whatever else changes is told, and is no reason to stop.
 */
export const looks = {
  'run-loses-its-job': 'a run of a job that is removed goes on, or waits and is canceled',
  'file-moved': 'a job is removed and one that looks the same is added: its history stays behind',
  'job-removed': 'a job is removed',
  'run-gives-way': 'a run is ended, since a newer fire of its job waits',
  'fires-dropped': 'fires that are due or wait already will not run',
  'fires-vanish': 'fires to come that are due as deployed will not be',
  'fires-again': 'a fire comes a second time on its date',
  'never-due': 'a job is never due again',
  'timeout-too-short': 'a timeout is shorter than the job usually takes',
  'memory-too-small': 'a job has less memory than it has used',
  'pauses-at-once': 'a job has failed as often in a row as it may from now on',
  'pool-over': 'runs hold more of a pool than there will be of it',
  'rights-grow': 'a job may do more, or reads a secret that it could not',
  'stays-paused': 'a job is paused, and no deployment resumes it',
} as const;

export type Look = keyof typeof looks;

export const everyLook = Object.keys(looks) as Look[];

type Unjudged = Omit<JobChange, 'looks'>;

interface Deployment {
  /** Nothing is deployed yet, so nothing grows. */
  readonly isFirst: boolean;
}

const ofJob: Readonly<Partial<Record<Look, (job: Unjudged, deployment: Deployment) => boolean>>> = {
  'run-loses-its-job': ({ kind, runs }) =>
    kind === 'removed' && runs !== null && runs.running.length + runs.canceled.length > 0,
  'file-moved': ({ lookalike }) => lookalike !== undefined,
  'job-removed': ({ kind }) => kind === 'removed',
  'run-gives-way': ({ runs }) => runs !== null && runs.replaced !== null,
  'fires-dropped': ({ runs }) => runs !== null && runs.dropped.length > 0,
  'fires-vanish': ({ kind, fires }) => kind === 'changed' && fires !== null && fires.vanished.length > 0,
  'fires-again': ({ fires }) => fires?.appeared.some(({ again }) => again !== undefined) ?? false,
  'never-due': ({ kind, fires, after, next }) =>
    kind !== 'removed' && fires !== null && next === null && !(after?.spec.schedules.every(isManual) ?? true),
  'timeout-too-short': ({ usual, after }) =>
    usual?.durationMs !== undefined && after !== undefined && usual.durationMs > after.timeoutMs,
  'memory-too-small': ({ usual, after }) =>
    usual?.memoryMb !== undefined && after !== undefined && usual.memoryMb > after.memoryMb,
  'pauses-at-once': ({ options, state, after }) =>
    options.includes('pauseAfter') && state !== null && after !== undefined && failsTooOften(after, state),
  'rights-grow': ({ rights }, { isFirst }) =>
    !isFirst && rights.granted.length + rights.newSecrets.length > 0,
  'stays-paused': ({ kind, paused }) => kind !== 'removed' && paused !== undefined,
};

/** Why a person should look at a job, the worst first. */
export function looksOf(job: Unjudged, deployment: Deployment): Look[] {
  return everyLook.filter((look) => ofJob[look]?.(job, deployment) ?? false);
}

/** Why a person should look at a pool. */
export function looksOfPool(pool: PoolChange): Look[] {
  return excessOf(pool) > 0 ? ['pool-over'] : [];
}

function isManual({ kind }: { readonly kind: string }): boolean {
  return kind === 'manual';
}
