import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { table } from '../../contract.ts';
import type {
  ClosedDay,
  DayFence,
  DayLedger,
  DayRecord,
  DayRef,
  Reopening,
} from '../../domain/closed-days/index.ts';
import { attributesOf } from './attributes.ts';
import { closedUntilIs, isAbsent, isKnown, reopenedBy } from './conditions.ts';
import type { Database } from './database.ts';
import { dayItem, dayRecordOf } from './day-item.ts';
import { Changes, under } from './expressions.ts';
import { dayNumbers } from './items.ts';
import { dayKey, dayRange, jobKey, jobPartition } from './keys.ts';
import { get, queryPages } from './read.ts';
import { transact } from './write.ts';

/** The verbs of days. */
export function dayVerbs(db: Database): DayLedger {
  return {
    closedDays: (jobId, range) => closedDays(db, jobId, range),
    async dayRecord(ref) {
      const item = await get(db, dayKey(ref));
      return item && dayRecordOf(item);
    },
    closeDay: (closed, fence) => closeDay(db, closed, fence),
    leaveDay: (ref, fence, where) => leaveDay(db, ref, fence, where),
  };
}

/** A day that is opened again, as a part of a transaction: under no condition, and whether it was ever closed or not. */
export function reopened(db: Database, jobId: string, { day, token }: Reopening): TransactWriteItem {
  const change = new Changes().set('reopened', token).unconditional();
  return { Update: { TableName: db.table, Key: dayKey({ jobId, day }), ...change } };
}

async function closeDay(db: Database, closed: ClosedDay, fence: DayFence): Promise<'done' | 'refused'> {
  const put = { TableName: db.table, Item: dayItem(closed), ...under(asRead(fence)) };
  return written(db, { Put: put }, passed(db, closed, { fence, where: 'unlisted' }));
}

async function leaveDay(
  db: Database,
  ref: DayRef,
  fence: DayFence,
  where: 'among-open' | 'unlisted',
): Promise<'done' | 'refused'> {
  const check = { TableName: db.table, Key: dayKey(ref), ...under(asRead(fence)) };
  return written(db, { ConditionCheck: check }, passed(db, ref, { fence, where }));
}

async function written(db: Database, ...items: TransactWriteItem[]): Promise<'done' | 'refused'> {
  return (await transact(db, items)).kind === 'done' ? 'done' : 'refused';
}

function asRead({ replaces }: DayFence) {
  return replaces === null ? isAbsent : reopenedBy(replaces);
}

/** What becomes of the job's state. */
function passed(
  db: Database,
  { jobId, day }: DayRef,
  { fence: { progress }, where }: { fence: DayFence; where: 'among-open' | 'unlisted' },
): TransactWriteItem {
  const changes = new Changes().setAll({ closedUntil: progress?.after });
  if (where === 'among-open') changes.add('openDays', dayNumbers(day));
  else changes.delete('openDays', dayNumbers(day));
  const conditions = progress === undefined ? [isKnown] : [isKnown, closedUntilIs(progress.before)];
  return { Update: { TableName: db.table, Key: jobKey(jobId), ...changes.under(...conditions) } };
}

async function* closedDays(
  db: Database,
  jobId: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<ClosedDay> {
  const { first, last } = dayRange(from, to);
  if (first > last) return;
  const range = {
    KeyConditionExpression: '#pk = :job AND #sk BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#pk': table.partitionKey, '#sk': table.sortKey },
    ExpressionAttributeValues: attributesOf({ ':job': jobPartition(jobId), ':first': first, ':last': last }),
    ConsistentRead: true,
  };
  for await (const item of queryPages(db, range)) {
    const { closed, reopened: isOpen }: DayRecord = dayRecordOf(item);
    if (closed !== null && isOpen === undefined) yield closed;
  }
}
