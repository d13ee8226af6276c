import { defineJob, manual } from '../../../functions/job.ts';
import { loadJob } from '../../../functions/runtime/load.ts';
import { handleEvent } from '../../../functions/runtime/runtime.ts';
import { dynamoLedger, ledgerClient } from '../../../functions/store/dynamodb/index.ts';
import { quietPorts } from '../../bench/quiet-ports.ts';
import { manifestJob } from '../../support/jobs.ts';

/** What a process that pays everybody is told. */
export interface PayrollOrder {
  readonly endpoint: string;
  readonly ledger: string;
  readonly payments: string;
  readonly employees: number;
  readonly event: unknown;
}

/** One payment is committed, or the invocation is over and came to this. */
export type PayrollNews = { readonly paid: string } | { readonly outcome: string };

/** An attempt in a process of its own, so that it can be killed as processes are: without a word. */
async function main({ endpoint, ledger: table, payments, employees, event }: PayrollOrder): Promise<void> {
  const tell = (news: PayrollNews) => process.send?.(news);
  const job = defineJob({
    description: 'Pay everybody',
    schedule: manual(),
    missed: 'all',
    crashed: 'resume',
    run: async (fire, ctx) => {
      const everybody = await ctx.step('collect', () => Array.from({ length: employees }, (_, n) => `e${n}`));
      await ctx.map('pay', everybody, { key: (id) => id, batch: 50 }, async (id) => {
        await ctx.commit(`pay ${id}`, [
          {
            Update: {
              TableName: payments,
              Key: { pk: id, sk: fire.id },
              UpdateExpression: 'ADD times :one',
              ExpressionAttributeValues: { ':one': 1 },
            },
          },
        ]);
        tell({ paid: id });
      });
      return everybody.length;
    },
  });
  const client = ledgerClient({ endpoint });
  const ports = quietPorts(dynamoLedger({ client, table }), Date.now);
  const invocation = { requestId: `of-${process.pid}`, remainingMs: () => 330_000 };
  const { outcome } = await handleEvent(event, invocation, loadJob(manifestJob(), job), ports);
  tell({ outcome });
  process.disconnect?.();
  client.destroy();
}

const [, , order] = process.argv;
if (order !== undefined && process.send !== undefined) await main(JSON.parse(order));
