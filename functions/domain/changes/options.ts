import { canonicalJson } from '../fingerprint.ts';
import type { ManifestJob } from '../manifest.ts';

/** What of a job is compared as it is; schedule, file, permissions and secrets have rules of their own. */
const compared = [
  'missed',
  'crashed',
  'overlap',
  'maxQueued',
  'maxWaitMs',
  'pools',
  'priority',
  'retry',
  'pauseAfter',
  'notify',
  'timeoutMs',
  'graceMs',
  'memoryMb',
  'metrics',
  'stages',
  'secrets',
  'description',
] as const satisfies readonly (keyof ManifestJob)[];

export type ComparedOption = (typeof compared)[number];

/** The options that two versions of a job differ in. */
export function changedOptions(before: ManifestJob, after: ManifestJob): ComparedOption[] {
  return compared.filter((option) => canonicalJson(before[option]) !== canonicalJson(after[option]));
}
