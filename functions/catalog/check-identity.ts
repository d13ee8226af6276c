import { stageNames } from '../config.ts';
import { jobIdProblem } from '../domain/names.ts';
import { nonEmptyList, oneLine } from './check-shape.ts';
import { nearest } from './nearest.ts';
import type { Findings, Refuse } from './problem.ts';

/** The id: the file's path without its ending, unless the job names one. */
export function checkId(file: string, value: unknown, { refuse, report }: Findings): string | undefined {
  if (value !== undefined && typeof value !== 'string') {
    refuse('id', value, 'is not a job id; write a text such as "billing/send-invoices"');
    return undefined;
  }
  const id = value ?? file.replace(/\.[^./]+$/, '');
  const problem = jobIdProblem(id);
  if (problem === null) return id;
  if (value !== undefined) refuse('id', value, problem);
  else
    report(
      'id',
      `id: the path, without its ending the job's id, ${problem}; rename the file or give it an id`,
      id,
    );
  return undefined;
}

/** Lambda's limit for a function's description. */
const longestDescription = 256;

export function checkDescription(value: unknown, findings: Findings): string | undefined {
  return oneLine('description', value, longestDescription, findings);
}

/** The stages, or undefined for all of them. */
export function checkStages(value: unknown, refuse: Refuse): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return nonEmptyList('stages', value, 'stages', refuse).flatMap((stage, index) => {
    if (typeof stage === 'string' && stageNames.includes(stage)) return [stage];
    const near = typeof stage === 'string' ? nearest(stage, stageNames) : null;
    const guess = near === null ? '' : `; did you mean "${near}"?`;
    refuse(
      `stages[${index}]`,
      stage,
      `is not a stage of functions/config.ts: ${stageNames.join(', ')}${guess}`,
    );
    return [];
  });
}
