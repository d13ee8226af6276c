import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Effect } from '../../domain/ledger.ts';
import type { RunRef } from '../../domain/names.ts';
import {
  inForceBefore,
  isKnown,
  slotIsFree,
  slotIsMine,
  specIs,
  tallyIs,
  unpaused,
  unqueued,
} from './conditions.ts';
import type { Database } from './database.ts';
import { Changes, type Condition, under } from './expressions.ts';
import { dayNumbers, jobValues, unsaidOfJobs } from './items.ts';
import { jobKey } from './keys.ts';

/** What a write of a run does to its job's state, as another part of the transaction. */
export function effectOnJob(db: Database, { jobId, key }: RunRef, effect: Effect): TransactWriteItem {
  const item = { TableName: db.table, Key: jobKey(jobId) };
  const conditions = required(effect, key);
  const changes = changesOf(effect, key);
  return changes.areNone
    ? { ConditionCheck: { ...under(...conditions), ...item } }
    : { Update: { ...changes.under(...conditions), ...item } };
}

function required({ require = {}, slot }: Effect, key: string): Condition[] {
  // A version in force and a slot's owner are a known job's alone, so they say that too.
  const conditions = require.specId === undefined && slot !== 'free' ? [isKnown] : [];
  if (require.unpaused) conditions.push(unpaused);
  if (require.specId !== undefined) conditions.push(specIs(require.specId));
  if (require.inForceBefore !== undefined) conditions.push(inForceBefore(require.inForceBefore));
  if (require.catchUp !== undefined) conditions.push(tallyIs(require.catchUp));
  if (require.unqueued) conditions.push(unqueued);
  if (slot === 'take') conditions.push(slotIsFree);
  if (slot === 'free') conditions.push(slotIsMine(key));
  return conditions;
}

function changesOf({ slot, set = {}, addFailureInARow, addQueued, reopens }: Effect, key: string): Changes {
  const changes = new Changes().setAll(jobValues(set), unsaidOfJobs);
  if (slot === 'take') changes.set('slot', key);
  if (slot === 'free') changes.remove('slot');
  if (addFailureInARow) changes.add('failuresInARow', 1);
  if (addQueued !== undefined) changes.add('queued', addQueued);
  if (reopens !== undefined) changes.add('openDays', dayNumbers(reopens.day));
  return changes;
}
