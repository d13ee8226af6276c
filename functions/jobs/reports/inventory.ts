import { cron, defineJob } from '#job';
import { isoSeconds } from '../../example/days.ts';
import { putAll, scanPages } from '../../example/dynamo.ts';
import { exampleTableArn } from '../../example/tables.ts';

export default defineJob({
  description: 'Count the stock of every product',
  schedule: cron('0 3 * * *'), // The minute of reports/daily-sales, in the same database: whichever is later waits.
  timezone: 'UTC',
  missed: 'latest', // Yesterday's stock is of no use once today's is counted.
  crashed: 'rerun',
  pools: { 'reports-db': 2 },
  permissions: [
    { actions: ['dynamodb:Scan'], resources: [exampleTableArn('stock-movements')] },
    { actions: ['dynamodb:BatchWriteItem'], resources: [exampleTableArn('reports')] },
  ],

  async run(fire, ctx) {
    const scan = {
      FilterExpression: 'movedAt < :now',
      ExpressionAttributeValues: { ':now': isoSeconds(fire.fireTime) },
      Limit: 25,
    };
    const totals: Record<string, number> = {};
    for await (const movements of scanPages('stock-movements', scan, ctx.signal)) {
      for (const { product, quantity } of movements) totals[product] = (totals[product] ?? 0) + quantity;
    }
    const day = fire.localTime.slice(0, 10);
    await putAll('reports', [{ report: 'inventory', day, totals }], ctx.signal);
    return { day, products: Object.keys(totals).length };
  },
});
