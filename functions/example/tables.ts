/** The example app's tables: one list for its jobs, its seeds and its stack. Imports nothing. */

/** The keys of a table; all are strings. */
export interface ExampleTable {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Attribute after which DynamoDB deletes an item some time: seconds since the epoch. */
  readonly ttl?: string;
}

export const exampleTables = {
  /** What customers paid, by instant. The sort key ends in the reference: two may pay in one second. */
  payments: { partitionKey: 'merchant', sortKey: 'paidAt' },
  /** What the bank says arrived, by the bank's own calendar day. */
  'bank-lines': { partitionKey: 'bookedOn', sortKey: 'reference' },
  /** Where payments and bank disagree. */
  differences: { partitionKey: 'day', sortKey: 'reference' },
  invoices: { partitionKey: 'billedFor', sortKey: 'invoice' },
  sessions: { partitionKey: 'sessionId' },
  rates: { partitionKey: 'day', sortKey: 'currency' },
  'uptime-checks': { partitionKey: 'endpoint', sortKey: 'dueAt', ttl: 'ttl' },
  sales: { partitionKey: 'soldOn', sortKey: 'sale' },
  'stock-movements': { partitionKey: 'product', sortKey: 'movedAt' },
  reports: { partitionKey: 'report', sortKey: 'day' },
} as const satisfies Readonly<Record<string, ExampleTable>>;

export type ExampleTableName = keyof typeof exampleTables;

export const exampleTableNames = Object.keys(exampleTables) as ExampleTableName[];

export function exampleTableName(stage: string, table: ExampleTableName): string {
  return `fireledger-${stage}-example-${table}`;
}

/** The table of the job's own stage, as a resource in its `permissions`. */
export function exampleTableArn(table: ExampleTableName): string {
  return `arn:aws:dynamodb:*:*:table/${exampleTableName('{stage}', table)}`;
}
