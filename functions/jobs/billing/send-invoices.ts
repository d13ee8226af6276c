import { cron, defineJob } from '#job';
import { invoicesUrl } from '../../example/addresses.ts';
import { monthBefore } from '../../example/days.ts';
import { queryPages } from '../../example/dynamo.ts';
import type { Invoice } from '../../example/items.ts';
import { exampleTableArn } from '../../example/tables.ts';

export default defineJob({
  description: "Mail last month's invoices",
  schedule: cron('0 6 1 * *'),
  timezone: 'Europe/Berlin',
  missed: 'all', // Late invoices are better than none.
  crashed: 'park', // Mails may have gone out: a person looks before it runs again.
  environment: { INVOICES_URL: '' }, // Your mail service. Until it is set, a deployed run fails and says so.
  permissions: [{ actions: ['dynamodb:Query'], resources: [exampleTableArn('invoices')] }],

  async run(fire, ctx) {
    const url = invoicesUrl();
    const month = monthBefore(fire.localTime);
    const query = {
      KeyConditionExpression: 'billedFor = :month',
      ExpressionAttributeValues: { ':month': month },
    };
    let sent = 0;
    for await (const invoices of queryPages('invoices', query, ctx.signal)) {
      for (const invoice of invoices) {
        await send(url, invoice, `${fire.id}/${invoice.invoice}`, ctx.signal);
        sent++;
      }
    }
    ctx.log.info('Invoices sent', { month, sent });
    return { month, sent };
  },
});

/** The key is the same in every attempt for this fire, so the mail service can tell a repeat from a new invoice. */
async function send(
  url: string,
  invoice: Invoice,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(invoice),
    signal,
  });
  const answer = await response.text();
  if (!response.ok) {
    throw new Error(
      `The mail service answered ${response.status} to ${invoice.invoice}: ${answer.slice(0, 200)}`,
    );
  }
}
