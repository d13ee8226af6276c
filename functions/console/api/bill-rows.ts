import { amountText, bytesText, timesText } from '../../cli/render/amounts.ts';
import { spanText } from '../../cli/render/times.ts';
import type { Quantity, Unusual } from '../../domain/contention/unusual.ts';
import { amountOf, meteredUnits } from '../../domain/contention/usage.ts';
import type { Attempt } from '../../domain/run.ts';
import type { RunAnswer } from '../data.ts';

type Row = RunAnswer['attempts'][number]['bill'][number];

/** What an attempt used: name, value, and how it compares with the usual where that is unusual. What isn't known is left out. */
export function billRows(attempt: Attempt, unusual: readonly Unusual[]): Row[] {
  const { startedAt, settledAt, bill } = attempt;
  const compared = (isIt: (quantity: Quantity) => boolean) => {
    const found = unusual.find(({ quantity }) => isIt(quantity));
    return found === undefined ? '' : comparison(found);
  };
  const of = (kind: Quantity['of']) => compared((quantity) => quantity.of === kind);
  const row = (
    name: string,
    amount: number | null | undefined,
    text: (amount: number) => string,
    than = '',
  ): Row[] => (amount === undefined || amount === null ? [] : [[name, text(amount), than]]);
  const waits = Object.entries(bill?.waitedMs ?? {}).map(
    ([pool, ms]): Row => [`waited for ${pool}`, spanText(ms), ''],
  );
  const metered = Object.keys(bill?.metered ?? {}).flatMap((name) =>
    meteredUnits([attempt], name).map((unit): Row => {
      const amount = amountOf(attempt, { of: 'metered', name, unit }) ?? 0;
      const isIt = (one: Quantity) => one.of === 'metered' && one.name === name && one.unit === unit;
      return [`${name}: ${unit}`, amountText(amount), compared(isIt)];
    }),
  );
  return [
    ...row('ran', settledAt === undefined ? null : settledAt - startedAt, spanText, of('duration')),
    ...waits,
    ...row('CPU', amountOf(attempt, { of: 'cpu' }), spanText, of('cpu')),
    ...row('memory, at most', bill?.peakMemoryMb, (mb) => `${Math.ceil(mb)} MB`),
    ...row('read from disk', bill?.readBytes, bytesText),
    ...row('written to disk', bill?.writtenBytes, bytesText),
    ...row('received', bill?.receivedBytes, bytesText),
    ...row('sent', bill?.sentBytes, bytesText),
    ...row('all bytes', amountOf(attempt, { of: 'bytes' }), bytesText, of('bytes')),
    ...row('event loop held up', bill?.eventLoopDelayMs, spanText),
    ...row('DynamoDB read units', bill?.dynamo?.readUnits, amountText),
    ...row('DynamoDB write units', bill?.dynamo?.writeUnits, amountText),
    ...metered,
  ];
}

function comparison({ value, median, samples }: Unusual): string {
  return median === 0
    ? `of the last ${samples} successes at least half had none`
    : `${timesText(value / median)} the median of the last ${samples} successes`;
}
