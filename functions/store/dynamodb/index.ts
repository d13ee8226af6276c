import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from '../../domain/ledger.ts';
import { day } from '../../domain/time.ts';
import type { Database } from './database.ts';
import { dayVerbs } from './days.ts';
import { jobVerbs } from './jobs.ts';
import { logVerbs } from './log.ts';
import { poolVerbs } from './pools.ts';
import { reconcilerVerbs } from './reconciler.ts';
import { runVerbs } from './runs.ts';
import { stepVerbs } from './steps.ts';

export { embedded, type LedgerClientOptions, ledgerClient } from './client.ts';
export { createLedgerTable } from './create-table.ts';
export { type ReconcilerStanding, readReconciler } from './reconciler.ts';

export type DynamoLedgerOptions = Pick<Database, 'client' | 'table'> & Partial<Database>;

/** The ledger in one DynamoDB table. `retentionMs` is 400 days, and repeated writes wait at random, unless told otherwise. */
export function dynamoLedger(options: DynamoLedgerOptions): Ledger {
  const db: Database = {
    retentionMs: 400 * day,
    random: Math.random,
    sleep: delay,
    ...options,
  };
  return {
    ...runVerbs(db),
    ...stepVerbs(db),
    ...jobVerbs(db),
    ...dayVerbs(db),
    ...poolVerbs(db),
    ...logVerbs(db),
    ...reconcilerVerbs(db),
  };
}
