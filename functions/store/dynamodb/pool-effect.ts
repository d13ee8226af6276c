import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { PoolEffect } from '../../domain/ledger.ts';
import type { RunRef } from '../../domain/names.ts';
import { holdIsMine, holdIsNew, isFree, isKnown, unwaited } from './conditions.ts';
import type { Database } from './database.ts';
import { Changes, type Condition, under } from './expressions.ts';
import { holdAttribute, poolKey } from './keys.ts';

/** What a write of a run does to a pool, as one more part of the transaction. */
export function effectOnPool(db: Database, ref: RunRef, effect: PoolEffect): TransactWriteItem {
  const item = { TableName: db.table, Key: poolKey(effect.pool) };
  const conditions = required(ref, effect);
  const changes = changesOf(ref, effect);
  return changes.areNone
    ? { ConditionCheck: { ...under(...conditions), ...item } }
    : { Update: { ...changes.under(...conditions), ...item } };
}

function required(ref: RunRef, { hold, require }: PoolEffect): Condition[] {
  const conditions = require?.unwaited ? [unwaited] : [];
  if (hold === undefined) return [isKnown, ...conditions];
  return hold.kind === 'take'
    ? [isFree(hold.weight), holdIsNew(ref), ...conditions]
    : [holdIsMine(ref, hold.weight), ...conditions];
}

function changesOf(ref: RunRef, { hold, addWaiting }: PoolEffect): Changes {
  const changes = new Changes({ hold: holdAttribute(ref) });
  if (hold?.kind === 'take') changes.set('hold', hold.weight).add('free', -hold.weight);
  if (hold?.kind === 'free') changes.remove('hold').add('free', hold.weight);
  if (addWaiting !== undefined) changes.add('waiting', addWaiting);
  return changes;
}
