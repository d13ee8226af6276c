import type { Answer } from '../domain/ledger.ts';
import { runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { type Io, writeJson } from './io.ts';
import { nudgeReconciler } from './nudge-reconciler.ts';
import type { OpenLedger } from './open-ledger.ts';
import { runJson } from './render/run-json.ts';
import { UserError } from './user-error.ts';

/**
 * Tells what came of a person's move of a run: scripts have the run as it is then, people the text. The reconciler is told
 * first: what the run gave back others may wait for, or it waits itself.
 *
 * @throws UserError when it was not written
 */
export async function tellMove(
  run: Run,
  answer: Answer,
  {
    text,
    open,
    options,
    io,
  }: { text: string; open: OpenLedger; options: { readonly json?: boolean }; io: Io },
): Promise<void> {
  if (answer.kind !== 'done') throw notWritten(run, answer);
  await nudgeReconciler(open, `a person moved ${runId(run)}`, io);
  if (!options.json) return io.write(`${text}\n`);
  const after = await open.ledger.run(run);
  return writeJson(io, after && runJson(after));
}

function notWritten(run: Run, answer: Exclude<Answer, { kind: 'done' }>): UserError {
  if (answer.kind === 'conflict')
    return new UserError(`${runId(run)} is being written by others; nothing was changed. Try again`);
  return new UserError(
    `${runId(run)} was changed meanwhile${answer.run ? `: it is ${answer.run.state}` : ''}; nothing was written`,
  );
}
