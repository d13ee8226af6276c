import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The table and how to reach it. */
export interface Database {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  /** How long runs are kept, from their creation. */
  readonly retentionMs: number;
  /** In [0, 1): the jitter of a repeated write. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}
