import {
  PutItemCommand,
  type PutItemCommandInput,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { Unwritable } from '../../domain/ledger.ts';
import type { Database } from './database.ts';
import type { Item } from './keys.ts';
import { isCollision, isInProgress, isInvalid, refusedItems } from './refusal.ts';

/**
 * - `done`: written; `item` as it now is, when one item was updated.
 * - `refused`: of each item of the write, the one that stood in its way (null: there is none; undefined: its condition held).
 * - `conflict`: not written; other transactions were in the way each time.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly item?: Item }
  | { readonly kind: 'refused'; readonly items: readonly (Item | null | undefined)[] }
  | { readonly kind: 'conflict' };

/** Why a write that had to be written was not. */
export const crowded = 'other transactions were in the way each time. Trying again later is safe.';

type WithoutTable<T> = Omit<T, 'TableName'>;

/** One conditional put. */
export function put(db: Database, input: WithoutTable<PutItemCommandInput>): Promise<Outcome> {
  const command = new PutItemCommand({ TableName: db.table, ...input });
  return decided(db, async () => {
    await db.client.send(command);
    return {};
  });
}

/** One conditional update. */
export function update(db: Database, input: WithoutTable<UpdateItemCommandInput>): Promise<Outcome> {
  const command = new UpdateItemCommand({ TableName: db.table, ReturnValues: 'ALL_NEW', ...input });
  return decided(db, async () => {
    const { Attributes: item } = await db.client.send(command);
    return item === undefined ? {} : { item };
  });
}

/**
 * Several conditional writes, all or none. A request token makes one write of all that carry it; without one the SDK draws
 * one for each command, so that its own repetitions are one write.
 */
export function transact(
  db: Database,
  items: readonly TransactWriteItem[],
  requestToken?: string,
): Promise<Outcome> {
  const command = new TransactWriteItemsCommand({
    TransactItems: [...items],
    ...(requestToken === undefined ? {} : { ClientRequestToken: requestToken }),
  });
  return decided(db, async () => {
    await db.client.send(command);
    return {};
  });
}

const mostTries = 5;
const firstDelayMs = 25;

/**
 * Sends a write until its conditions have decided, or collisions have used up its tries. A refusal of which a part
 * collided is sent again as well: the part that is still unknown may be the writer's own record.
 */
async function decided(db: Database, write: () => Promise<{ readonly item?: Item }>): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    try {
      return { kind: 'done', ...(await write()) };
    } catch (error) {
      const items = refusedItems(error);
      if (items === null && !isCollision(error)) throw rejectionOf(error);
      if (!isCollision(error) || tries === mostTries)
        return items === null ? givenUp(error) : { kind: 'refused', items };
    }
    await db.sleep(db.random() * firstDelayMs * 2 ** tries);
  }
}

function rejectionOf(error: unknown): unknown {
  return isInvalid(error) ? new Unwritable(error.message, { cause: error }) : error;
}

/** A transaction still in progress may yet be written: nothing is known, so nothing is answered. */
function givenUp(error: unknown): Outcome {
  if (isInProgress(error)) throw error;
  return { kind: 'conflict' };
}
