import pools from '#pools';
import { checkPools } from '../catalog/check-pools.ts';
import { findingsOf } from '../catalog/problem.ts';
import { validateJob } from '../catalog/validate.ts';
import type { JobEntry, Manifest, ManifestJob } from '../domain/manifest.ts';
import { fromIso } from '../domain/time.ts';
import type { Job } from '../job.ts';

/** Epoch milliseconds. `what`: the option that the text is of. @throws for a text without a zone */
export function instantOf(text: string, what: string): number {
  const instant = fromIso(text);
  if (instant === null)
    throw new Error(
      `${what}: "${text}" is no instant; write it with its zone: 2026-12-01T03:00:00Z or …+08:00`,
    );
  return instant;
}

const findings = findingsOf('functions/pools.ts');
const declared = checkPools(pools, findings);

/** The job as it would be deployed. `now`: epoch milliseconds. @throws with everything that is wrong with it */
export function entryOf<Input>(job: Job<Input>, jobId: string, now: number): JobEntry {
  const { capacities } = declared;
  const { job: valid, problems } = validateJob(`${jobId}.ts`, job, { now, capacities });
  const wrong = [
    ...findings.problems.map(({ file, message }) => `${file}: ${message}`),
    ...problems.map(({ message }) => message),
  ];
  if (valid === undefined || wrong.length > 0)
    throw new Error(`the job would not deploy:\n${wrong.join('\n')}`);
  return valid.entry;
}

/** What is deployed when the job is alone: itself, and the pools that it takes of. */
export function manifestOf<Job extends ManifestJob>(job: Job): Manifest<Job> {
  const used = Object.entries(declared.pools).filter(([name]) => Object.hasOwn(job.pools ?? {}, name));
  return { version: 1, jobs: [job], ...(used.length > 0 && { pools: Object.fromEntries(used) }) };
}
