import { randomUUID } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { table } from '../../contract.ts';
import type { Action, ActionRange } from '../../domain/action.ts';
import type { Ledger } from '../../domain/ledger.ts';
import { attributesOf } from './attributes.ts';
import { isAbsent } from './conditions.ts';
import type { Database } from './database.ts';
import { under } from './expressions.ts';
import { actionItem, actionOf } from './items.ts';
import { actionRange, type Item } from './keys.ts';
import { queryPages } from './read.ts';
import { crowded, put } from './write.ts';

/** The log of actions. */
export function logVerbs(db: Database): Pick<Ledger, 'log' | 'actions'> {
  return {
    async log(action) {
      const outcome = await put(db, lineOf(db, action));
      if (outcome.kind === 'conflict') throw new Error(`The action could not be logged: ${crowded}`);
    },
    actions: (range) => actions(db, range),
  };
}

/** A line of the log as a part of a transaction. */
export function logged(db: Database, action: Action): TransactWriteItem {
  return { Put: { ...lineOf(db, action), TableName: db.table } };
}

function lineOf(db: Database, action: Action): ReturnType<typeof under> & { Item: Item } {
  const { retentionMs } = db;
  return { ...under(isAbsent), Item: actionItem(action, { nonce: randomUUID().slice(0, 8), retentionMs }) };
}

async function* actions(db: Database, { from, to, limit }: ActionRange): AsyncGenerator<Action> {
  const { log, first, last } = actionRange(from, to);
  const range = {
    KeyConditionExpression: '#pk = :log AND #sk BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#pk': table.partitionKey, '#sk': table.sortKey },
    ExpressionAttributeValues: attributesOf({ ':log': log, ':first': first, ':last': last }),
    ConsistentRead: true,
    ScanIndexForward: false,
  };
  for await (const item of queryPages(db, range, limit)) yield actionOf(item);
}
