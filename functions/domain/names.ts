import { fingerprint } from './fingerprint.ts';
import { fromIso, toIso } from './time.ts';

/** Which run: the job and the key of its record. */
export interface RunRef {
  readonly jobId: string;
  /** `2026-11-30T19:00:00Z`, or `2026-11-30T19:00:00Z~manual-<nonce>` for a manual run. */
  readonly key: string;
}

const jobIdPattern = /^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*)*$/;

/** Longest job id: it is part of partition keys, function names (hashed when too long) and schedule names. */
export const longestJobId = 120;

/** What is wrong with a job id, or null. */
export function jobIdProblem(id: string): string | null {
  if (id.length > longestJobId) return `has ${id.length} characters; at most ${longestJobId} are allowed`;
  if (!jobIdPattern.test(id))
    return 'must be lower-case words of letters, digits and single "-", separated by "/", such as billing/send-invoices';
  return null;
}

/** The key of the run that records a fire of the schedule. */
export function fireKey(fireTime: number): string {
  return toIso(fireTime);
}

/** `billing/send-invoices#2026-11-30T19:00:00Z`: the identity of a fire, and of its run. */
export function runId(ref: RunRef): string {
  return `${ref.jobId}#${ref.key}`;
}

/** The inverse of `runId`; null when the text is not one. */
export function parseRunId(text: string): RunRef | null {
  const at = text.indexOf('#');
  const jobId = text.slice(0, at);
  const key = text.slice(at + 1);
  if (at < 1 || jobIdProblem(jobId) !== null || fireTimeOf(key) === null) return null;
  return { jobId, key };
}

/** The due instant that a run key names, or null when the text is not a run key. */
export function fireTimeOf(key: string): number | null {
  const [iso = '', suffix] = key.split('~');
  if (suffix !== undefined && !/^manual-[a-z0-9]+$/.test(suffix)) return null;
  const fireTime = fromIso(iso);
  return fireTime !== null && toIso(fireTime) === iso ? fireTime : null;
}

/** Lambda's and Scheduler's limit. */
const longestName = 64;

/**
 * The Lambda function of a job in one of its stage's stacks, of which it has one more while it moves. `/` becomes `_`, which
 * no id contains, so two jobs never share a name; a longer one keeps its beginning and gets a fingerprint.
 */
export function functionName(stage: string, jobId: string, stack: number): string {
  return shortened(`fireledger-${stage}-${stack}-${jobId.replaceAll('/', '_')}`);
}

/** `_`: no job's function is ever called so, since no job id starts with it. */
export function reconcilerName(stage: string): string {
  return `fireledger-${stage}-_reconciler`;
}

/** The schedule of a job's nth alarm, within its stage's group: `1-billing_send-invoices.1`. */
export function alarmName(jobId: string, stack: number, nth: number): string {
  return shortened(`${stack}-${jobId.replaceAll('/', '_')}`, `.${nth}`);
}

/** Where a function tells what it does. */
export function logGroupName(functionName: string): string {
  return `/aws/lambda/${functionName}`;
}

function shortened(stem: string, ending = ''): string {
  if (stem.length + ending.length <= longestName) return stem + ending;
  const hashed = `-${fingerprint(stem).slice(0, 12)}${ending}`;
  return stem.slice(0, longestName - hashed.length) + hashed;
}
