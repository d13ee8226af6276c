import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Fence, type Ledger, Unwritable } from '../../domain/ledger.ts';
import type { RunRef } from '../../domain/names.ts';
import {
  type AuthorWrite,
  roomForWrites,
  type StepAnswer,
  type StepRecord,
  type StepWrite,
} from '../../domain/steps.ts';
import { fenceHolds, isAbsent, stepIs } from './conditions.ts';
import type { Database } from './database.ts';
import { under } from './expressions.ts';
import { stepItem, stepOf } from './items.ts';
import { runKey, stepPartition, stepPrefix } from './keys.ts';
import { queryPrefix } from './read.ts';
import { isHopeless } from './refusal.ts';
import { answerOf, effectsOf, moveItem } from './runs.ts';
import { transact } from './write.ts';

/** The verbs of steps. */
export function stepVerbs(db: Database): Pick<Ledger, 'steps' | 'writeStep'> {
  return {
    steps: (ref) => readSteps(db, ref),
    writeStep: (ref, fence, write) => writeStep(db, ref, fence, write),
  };
}

async function readSteps(db: Database, ref: RunRef): Promise<StepRecord[]> {
  return (await queryPrefix(db, stepPartition(ref), stepPrefix)).map(stepOf);
}

/** The run first, then its job and pools, the author's writes and the step: in the order in which the answer is read. */
async function writeStep(db: Database, ref: RunRef, fence: Fence, write: StepWrite): Promise<StepAnswer> {
  const { writes = [], last } = write;
  const authors = authorsItems(db, write);
  const ours =
    last === undefined
      ? [checkOf(db, ref, fence)]
      : [moveItem(db, ref, fence, last.change), ...effectsOf(db, ref, last.effect)];
  const outcome = await sent(db, [...ours, ...authors, putOf(db, ref, write)]);
  if (outcome.kind !== 'refused') return outcome;
  const answer = answerOf({ ...outcome, items: outcome.items.slice(0, ours.length) }, last?.effect);
  const rest = outcome.items.slice(ours.length);
  const failed = writes.flatMap((_, index) => (rest[index] === undefined ? [] : [index]));
  const step = rest[writes.length];
  return {
    ...answer,
    ...(step === undefined ? {} : { step: step && stepOf(step) }),
    ...(failed.length === 0 ? {} : { writes: failed }),
  };
}

function checkOf(db: Database, ref: RunRef, fence: Fence): TransactWriteItem {
  return { ConditionCheck: { ...under(fenceHolds(fence)), Key: runKey(ref), TableName: db.table } };
}

function putOf(db: Database, ref: RunRef, { step, replaces }: StepWrite): TransactWriteItem {
  const stands = replaces === null ? isAbsent : stepIs(replaces);
  return { Put: { ...under(stands), Item: stepItem(ref, step, db.retentionMs), TableName: db.table } };
}

/** As DynamoDB spells them. @throws Unwritable for more than fit, and for what can't be spelled */
function authorsItems(db: Database, { writes = [], last }: StepWrite): TransactWriteItem[] {
  const room = roomForWrites(last);
  if (writes.length > room)
    throw new Unwritable(`${writes.length} writes; at most ${room} fit in one transaction`);
  return writes.map((write, index) => {
    const [[kind, input] = ['nothing', {}]] = Object.entries(write);
    if (input.TableName === db.table)
      throw new Unwritable(`writes[${index}] is to ${db.table}: the ledger's table is not for jobs`);
    try {
      return { [kind]: spelled(input) };
    } catch (error) {
      throw new Unwritable(`writes[${index}]: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  });
}

const inAttributes = ['Item', 'Key', 'ExpressionAttributeValues'];

function spelled(input: NonNullable<AuthorWrite['Put']>): Record<string, unknown> {
  const parts = Object.entries(input).map(([name, value]) =>
    inAttributes.includes(name) ? [name, marshall(value)] : [name, value],
  );
  return Object.fromEntries(parts);
}

/** What is wrong with the authors' part of it, such as a table that isn't there, is wrong each time. */
async function sent(db: Database, items: readonly TransactWriteItem[]): ReturnType<typeof transact> {
  try {
    return await transact(db, items);
  } catch (error) {
    if (isHopeless(error)) throw new Unwritable(error.message, { cause: error });
    throw error;
  }
}
