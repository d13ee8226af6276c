import { cron, defineJob } from '#job';
import { dayBefore, isoSeconds } from '../../example/days.ts';
import { putAll, queryAll } from '../../example/dynamo.ts';
import type { BankLine, Difference, Payment } from '../../example/items.ts';
import { exampleTableArn } from '../../example/tables.ts';

export default defineJob({
  description: "Reconcile yesterday's payments against the bank's lines",
  schedule: cron('0 3 * * *'),
  timezone: 'Asia/Taipei',
  missed: 'all', // Every fire reconciles a day of its own: a day left out stays unreconciled for ever.
  crashed: 'rerun', // The keys come from the data alone, so a second run writes the same items.
  pools: { 'reports-db': 1 }, // Two queries by their keys: there is room for them beside a report.
  permissions: [
    { actions: ['dynamodb:Query'], resources: [exampleTableArn('payments'), exampleTableArn('bank-lines')] },
    { actions: ['dynamodb:BatchWriteItem'], resources: [exampleTableArn('differences')] },
  ],

  async run(fire, ctx) {
    const day = dayBefore(fire.localTime);
    // Taipei keeps one offset all the year. In a zone with summer time each midnight has an offset of its own.
    const midnight = new Date(`${day}T00:00:00${fire.localTime.slice(19)}`);
    const payments = await paymentsOn(midnight, ctx.signal);
    const bankLines = await bankLinesOf(day, ctx.signal);
    const differences = compare(day, payments, bankLines);
    await putAll('differences', differences, ctx.signal);
    ctx.log.info('Reconciled', { day, differences: differences.length });
    return { day, payments: payments.length, bankLines: bankLines.length, differences: differences.length };
  },
});

function paymentsOn(midnight: Date, signal: AbortSignal): Promise<Payment[]> {
  const nextMidnight = new Date(midnight.getTime() + 24 * 3_600_000);
  const query = {
    // A payment's key goes on after its instant, so it is greater than that instant alone: the end stays outside.
    KeyConditionExpression: 'merchant = :merchant AND paidAt BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':merchant': 'shop',
      ':from': isoSeconds(midnight),
      ':to': isoSeconds(nextMidnight),
    },
  };
  return queryAll('payments', query, signal);
}

function bankLinesOf(day: string, signal: AbortSignal): Promise<BankLine[]> {
  const query = { KeyConditionExpression: 'bookedOn = :day', ExpressionAttributeValues: { ':day': day } };
  return queryAll('bank-lines', query, signal);
}

function compare(day: string, payments: readonly Payment[], bankLines: readonly BankLine[]): Difference[] {
  const paid = new Map(payments.map(({ reference, amount }) => [reference, amount]));
  const banked = new Map(bankLines.map(({ reference, amount }) => [reference, amount]));
  return [...new Set([...paid.keys(), ...banked.keys()])]
    .filter((reference) => paid.get(reference) !== banked.get(reference))
    .map((reference) => ({
      day,
      reference,
      paid: paid.get(reference) ?? null,
      banked: banked.get(reference) ?? null,
    }));
}
