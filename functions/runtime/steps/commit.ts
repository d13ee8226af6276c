import { finishedOrLost, type LastWrite, thoughOthersWait } from '../../domain/finish.ts';
import { Unwritable } from '../../domain/ledger.ts';
import type { Run } from '../../domain/run.ts';
import { CommitRefused, StepError } from '../../domain/step-errors.ts';
import { type AuthorWrite, roomForWrites, type StepWrite } from '../../domain/steps.ts';
import type { CommitOptions } from '../../job.ts';
import { awaitedIn, tellOf } from '../finish.ts';
import type { Sent, StepScope } from './scope.ts';

/**
 * The author's own writes, the fence and the step's record in one transaction, so that they happen once, whatever happens to
 * the attempt. With `final` the run's finish is in it as well.
 */
export async function commit(
  name: string,
  writes: readonly AuthorWrite[],
  { options, signal, scope }: { options: CommitOptions; signal: AbortSignal; scope: StepScope },
): Promise<void> {
  const call = scope.begin(name, 'commit', signal);
  try {
    const { standing, known } = await scope.known(name);
    if (known !== null) return;
    const last = lastOf(call, options, scope);
    checkWrites(call, writes, last);
    const write = { step: scope.record(name, 'commit'), replaces: standing, writes };
    const sent = last === undefined ? await scope.send(write) : await end({ ...write, last }, scope);
    if (sent.came === 'writes-refused') throw refusedBy(name, sent);
    if (sent.came === 'fenced') throw scope.stop();
    if (last !== undefined) scope.endedBy = name;
  } catch (error) {
    scope.names.giveBack(name);
    throw error instanceof Unwritable ? unwritable(call, error) : error;
  }
}

/** Such as a table that isn't there, or one that the job has no permission for. */
function unwritable(call: string, error: Unwritable): StepError {
  return new StepError(`${call}: DynamoDB can not take it: ${error.message}`, { cause: error });
}

function lastOf(
  call: string,
  { final = false, result }: CommitOptions,
  scope: StepScope,
): LastWrite | undefined {
  if (!final && result !== undefined)
    throw new StepError(`${call}: only a final commit has a result; pass { final: true, result }`);
  if (!final) return undefined;
  return scope.lastWrite(scope.kept(result, call).value);
}

/** Others who wait for the slot or a pool of the run are told once it has given them back. */
async function end(write: StepWrite & { readonly last: LastWrite }, scope: StepScope): Promise<Sent> {
  const { run, ports } = scope;
  const first = await scope.send(write);
  const came = endOf(first, run);
  if (came !== 'others-wait') return { ...first, came };
  const last = { ...write.last, effect: thoughOthersWait(write.last.effect) };
  const again = await scope.send({ ...write, last });
  if (endOf(again, run) !== 'written') return again;
  await tellOf(awaitedIn(first.answer), run, ports);
  return { ...again, came: 'written' };
}

/** A run that has ended under this attempt's token was ended by this very commit, whose answer was lost. */
function endOf({ came, answer }: Sent, run: Run): Sent['came'] | 'others-wait' {
  if (came !== 'fenced') return came;
  const finished = finishedOrLost(answer, run);
  if (finished === 'finished') return 'written';
  return finished === 'others-wait' ? finished : came;
}

function refusedBy(name: string, { answer }: Sent): CommitRefused {
  return new CommitRefused(name, answer.kind === 'refused' ? (answer.writes ?? []) : []);
}

const kinds = ['Put', 'Update', 'Delete', 'ConditionCheck'];

function checkWrites(call: string, writes: readonly AuthorWrite[], last: LastWrite | undefined): void {
  const room = roomForWrites(last);
  if (writes.length > room)
    throw new StepError(
      `${call}: ${writes.length} writes; at most ${room} fit in one transaction with fireledger's own. Make several commits`,
    );
  for (const [index, write] of writes.entries()) {
    const named = Object.keys(write);
    if (named.length !== 1 || !kinds.includes(named[0] ?? ''))
      throw new StepError(
        `${call}: writes[${index}] has ${named.join(', ') || 'nothing'}; allowed is one of ${kinds.join(', ')}, as TransactWriteCommand takes them`,
      );
  }
}
