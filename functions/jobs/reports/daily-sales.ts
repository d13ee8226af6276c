import { cron, defineJob } from '#job';
import { dayBefore, isoSeconds } from '../../example/days.ts';
import { putAll, queryPages } from '../../example/dynamo.ts';
import type { Report } from '../../example/items.ts';
import { exampleTableArn } from '../../example/tables.ts';

export default defineJob({
  description: "Sum up yesterday's sales by product",
  schedule: cron('0 3 * * *'),
  timezone: 'UTC',
  missed: 'latest', // One run reports every day that was missed: those of the fires that it covers.
  crashed: 'rerun',
  pools: { 'reports-db': 2 }, // Reads a whole day: never at the same time as another that takes so much.
  permissions: [
    { actions: ['dynamodb:Query'], resources: [exampleTableArn('sales')] },
    { actions: ['dynamodb:BatchWriteItem'], resources: [exampleTableArn('reports')] },
  ],

  async run(fire, ctx) {
    const days = [...fire.covers, fire.fireTime].map((due) => dayBefore(isoSeconds(due)));
    const reports: Report[] = [];
    for (const day of days) {
      reports.push({ report: 'daily-sales', day, totals: await totalsOf(day, ctx.signal) });
    }
    await putAll('reports', reports, ctx.signal);
    return { days };
  },
});

/** The day's revenue by product. A day of a busy shop doesn't fit in memory, so it is read in pages. */
async function totalsOf(day: string, signal: AbortSignal): Promise<Record<string, number>> {
  const query = {
    KeyConditionExpression: 'soldOn = :day',
    ExpressionAttributeValues: { ':day': day },
    Limit: 25,
  };
  const totals: Record<string, number> = {};
  for await (const sales of queryPages('sales', query, signal)) {
    for (const { product, amount } of sales) totals[product] = (totals[product] ?? 0) + amount;
  }
  return totals;
}
