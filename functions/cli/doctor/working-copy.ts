import { resolve } from 'node:path';
import type { Catalog } from '../../catalog/index.ts';
import { stageNames, stageProblems, stages } from '../../config.ts';
import { counted } from '../render/text.ts';
import { type Check, fine, foundNone } from './check.ts';

/** Every stage of functions/config.ts, whether it is asked about or not. */
export function stagesCheck(): Check {
  const problems = Object.entries(stages).flatMap(([name, config]) => stageProblems(name, config));
  const wrong = {
    name: 'stages',
    verdict: 'wrong',
    says: "functions/config.ts has values that can't be deployed",
  } as const;
  return foundNone(problems, wrong, stageNames.join(', '));
}

export interface WorkingCopy {
  readonly check: Check;
  /** Null when a job file is bad: what is deployed can't be compared with it. */
  readonly catalog: Catalog | null;
}

/** The job files as `npm start` and a deployment of the stage would load them. */
export async function readWorkingCopy(jobsDir: string, stage: string, now: number): Promise<WorkingCopy> {
  // Only here: it brings the bundler along.
  const { loadCatalog } = await import('../../catalog/index.ts');
  const problems: string[] = [];
  const onProblem = ({ file, message }: { file: string; message: string }) =>
    void problems.push(`${file}: ${message.replace(/\s+/g, ' ')}`);
  const catalog = await loadCatalog({ jobsDir: resolve(jobsDir), stage, now, onProblem });
  const { jobs } = catalog.manifest;
  if (problems.length > 0) {
    const files = new Set(catalog.problems.map(({ file }) => file)).size;
    const says = `${counted(files, 'file')} under ${jobsDir} can't be used; ${counted(jobs.length, 'job')} can`;
    const todo = 'mend them: until then neither npm start nor a deployment takes any of them';
    return { check: { name: 'jobs', verdict: 'wrong', says, items: problems, todo }, catalog: null };
  }
  const says = `${counted(jobs.length, 'job')} under ${jobsDir} for stage ${stage}`;
  const check: Check =
    catalog.warnings.length === 0
      ? fine('jobs', says)
      : { name: 'jobs', verdict: 'note', says: `${says}, with warnings`, items: catalog.warnings };
  return { check, catalog };
}
