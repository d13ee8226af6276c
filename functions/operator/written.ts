import type { Answer } from '../domain/ledger.ts';
import { type RunRef, runId } from '../domain/names.ts';
import type { Run } from '../domain/run.ts';
import { type Operator, Refused, Unseen } from './ports.ts';

/**
 * The run as it is once a write of it was done. The reconciler is told: what the run gave back others may wait for, or it
 * waits itself.
 *
 * @throws Refused when it was not written, Unseen when it was and can't be read
 */
export async function written({ ledger, nudge }: Operator, ref: RunRef, answer: Answer): Promise<Run> {
  if (answer.kind !== 'done') throw notWritten(ref, answer);
  await nudge(`a person moved ${runId(ref)}`);
  const run = await ledger.run(ref).catch((cause: unknown) => {
    throw unseen(ref, cause);
  });
  if (run === null) throw new Error(`${runId(ref)} was written, and is gone`);
  return run;
}

function unseen(ref: RunRef, cause: unknown): Unseen {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Unseen(
    `${runId(ref)} was written, but can't be read (${why}). Don't do it once more: look at it first`,
    { cause },
  );
}

function notWritten(ref: RunRef, answer: Exclude<Answer, { kind: 'done' }>): Refused {
  if (answer.kind === 'conflict')
    return new Refused(`${runId(ref)} is being written by others; nothing was changed. Try again`);
  return new Refused(
    `${runId(ref)} was changed meanwhile${answer.run ? `: it is ${answer.run.state}` : ''}; nothing was written`,
  );
}
