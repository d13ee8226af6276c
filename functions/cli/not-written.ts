import type { Answer } from '../domain/ledger.ts';
import { runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { UserError } from './user-error.ts';

/** What a person is told whose move of a run was not written. */
export function notWritten(run: Run, answer: Exclude<Answer, { kind: 'done' }>): UserError {
  if (answer.kind === 'conflict')
    return new UserError(`${runId(run)} is being written by others; nothing was changed. Try again`);
  return new UserError(
    `${runId(run)} was changed meanwhile${answer.run ? `: it is ${answer.run.state}` : ''}; nothing was written`,
  );
}
