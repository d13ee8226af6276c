import { defineJob, every } from '#job';
import { ratesUrl } from '../../example/addresses.ts';
import { putAll } from '../../example/dynamo.ts';
import { parseReferenceRates } from '../../example/reference-rates.ts';
import { exampleTableArn } from '../../example/tables.ts';

export default defineJob({
  description: "Pull the European Central Bank's reference rates",
  schedule: every('5 minutes'),
  missed: 'latest', // The bank serves only the newest day, so one pull makes up for any number of missed ones.
  crashed: 'rerun', // A rate's key is its day and currency: written twice, stored once.
  timeout: '1 minute',
  permissions: [{ actions: ['dynamodb:BatchWriteItem'], resources: [exampleTableArn('rates')] }],

  async run(_fire, ctx) {
    const url = ratesUrl();
    const response = await fetch(url, { signal: ctx.signal });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    const rates = parseReferenceRates(await response.text());
    const day = rates[0]?.day;

    // One day's rates are served about 288 times, and the last success tells whether they are stored already.
    const previous = await ctx.previous();
    if (dayOf(previous?.result) === day) return { day, stored: 0 };
    await putAll('rates', rates, ctx.signal);
    ctx.log.info('New reference rates', { day, rates: rates.length });
    return { day, stored: rates.length };
  },
});

function dayOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'day' in result ? result.day : undefined;
}
