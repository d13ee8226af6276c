import path from 'node:path';
import { loadCatalog } from '../catalog/index.ts';
import type { Problem } from '../catalog/problem.ts';
import { InputRefused, validInput } from '../runtime/load.ts';
import type { Io } from './io.ts';
import { oneLine } from './render/text.ts';
import { UserError } from './user-error.ts';

const usualJobs = path.join('functions', 'jobs');

/**
 * Checks the input of a run by hand with the schema in its job's file. Where that isn't at hand a person is told so, and the job's
 * function checks it.
 *
 * @throws UserError when the schema refuses it
 */
export async function checkInput(
  jobId: string,
  input: unknown,
  { jobsDir = usualJobs, io }: { jobsDir?: string | undefined; io: Pick<Io, 'warn'> },
): Promise<void> {
  const { jobs, problems } = await loadCatalog({ jobsDir, onProblem: () => {} });
  const job = jobs.find(({ entry }) => entry.id === jobId);
  if (job === undefined) {
    const problem = problems.find(({ file }) => file === `${jobId}.ts`);
    const why = problem === undefined ? `${jobId} has no file in ${jobsDir}` : problemText(problem);
    if (input !== undefined || problem !== undefined)
      io.warn(`${why}, so its input is checked only when it starts\n`);
    return;
  }
  try {
    await validInput(input, job.options.input);
  } catch (error) {
    if (error instanceof InputRefused) throw new UserError(`${error.message}; nothing was started`);
    throw error;
  }
}

function problemText({ file, message }: Problem): string {
  return `${file} has a problem (${oneLine(message)})`;
}
