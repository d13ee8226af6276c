import { fingerprint } from './fingerprint.ts';

/**
 * The stacks of a stage, 1 to `jobStacks`, in the order in which the job prefers them: it is deployed in the first. Each job
 * has an order of its own (rendezvous hashing), so that one more stack moves only the jobs that prefer it to all others, and
 * a job that it moves was in the next one of its order before.
 */
export function stacksOf(jobId: string, jobStacks: number): readonly number[] {
  const job = Number.parseInt(fingerprint(jobId).slice(-8), 16);
  return Array.from({ length: jobStacks }, (_, index) => index + 1)
    .map((stack) => ({ stack, weight: mixed(job ^ Math.imul(stack, 0x9e3779b1)) }))
    .sort((one, other) => other.weight - one.weight)
    .map(({ stack }) => stack);
}

/** The stack that a job is deployed in. */
export function stackOf(jobId: string, jobStacks: number): number {
  const [first = 1] = stacksOf(jobId, jobStacks);
  return first;
}

/** MurmurHash3's last step, by which neighbours differ in half of their 32 bits: a fingerprint is a name, and no draw. */
function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
