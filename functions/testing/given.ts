import { validateJob } from '../catalog/validate.ts';
import type { JobEntry } from '../domain/manifest.ts';
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

/** The job as it would be deployed. `now`: epoch milliseconds. @throws with everything that is wrong with it */
export function entryOf<Input>(job: Job<Input>, jobId: string, now: number): JobEntry {
  const { job: valid, problems } = validateJob(`${jobId}.ts`, job, now);
  if (valid === undefined)
    throw new Error(`the job would not deploy:\n${problems.map(({ message }) => message).join('\n')}`);
  return valid.entry;
}
