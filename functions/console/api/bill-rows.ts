import type { Explanation } from '../../cli/explanation.ts';
import { amountText, bytesText, timesText } from '../../cli/render/amounts.ts';
import { spanText } from '../../cli/render/times.ts';
import { outlying, type Quantity, usualOf } from '../../domain/contention/unusual.ts';
import { amountOf, meteredUnits } from '../../domain/contention/usage.ts';
import type { Attempt } from '../../domain/run.ts';
import type { RunAnswer } from '../data.ts';

type Row = RunAnswer['attempts'][number]['bill'][number];

/** What a run's last attempt is compared with. */
type Compared = Pick<Explanation, 'earlier' | 'now'>;

/** What an attempt used, against what its job is used to. What isn't known is left out. `compared` null: with nothing. */
export function billRows(attempt: Attempt, compared: Compared | null): Row[] {
  const { startedAt, settledAt, bill } = attempt;
  const row = (
    name: string,
    amount: number | null | undefined,
    text: (amount: number) => string,
    quantity?: Quantity,
  ): Row[] => {
    if (amount === undefined || amount === null) return [];
    const usual = quantity && compared ? against(amount, { quantity, text, compared }) : nothing;
    return [{ name, value: text(amount), ...usual }];
  };
  const waits = Object.entries(bill?.waitedMs ?? {}).flatMap(([pool, ms]) =>
    row(`waited for ${pool}`, ms, spanText),
  );
  const metered = Object.keys(bill?.metered ?? {}).flatMap((name) =>
    meteredUnits([attempt], name).flatMap((unit) => {
      const quantity = { of: 'metered', name, unit } as const;
      return row(`${name}: ${unit}`, amountOf(attempt, quantity) ?? 0, amountText, quantity);
    }),
  );
  return [
    ...row('ran', settledAt === undefined ? null : settledAt - startedAt, spanText, { of: 'duration' }),
    ...waits,
    ...metered,
    ...row('CPU', amountOf(attempt, { of: 'cpu' }), spanText, { of: 'cpu' }),
    ...row('memory, at most', bill?.peakMemoryMb, (mb) => `${Math.ceil(mb)} MB`),
    ...row('read from disk', bill?.readBytes, bytesText),
    ...row('written to disk', bill?.writtenBytes, bytesText),
    ...row('received', bill?.receivedBytes, bytesText),
    ...row('sent', bill?.sentBytes, bytesText),
    ...row('all bytes', amountOf(attempt, { of: 'bytes' }), bytesText, { of: 'bytes' }),
    ...row('event loop held up', bill?.eventLoopDelayMs, spanText),
    ...row('DynamoDB read units', bill?.dynamo?.readUnits, amountText),
    ...row('DynamoDB write units', bill?.dynamo?.writeUnits, amountText),
  ];
}

const nothing = { usual: null, isUnusual: false } as const;

function against(
  amount: number,
  { quantity, text, compared }: { quantity: Quantity; text: (amount: number) => string; compared: Compared },
): Pick<Row, 'usual' | 'isUnusual'> {
  const median = usualOf(quantity, compared)?.median;
  if (median === undefined) return nothing;
  const isUnusual = outlying(amount, { quantity, ...compared }) !== null;
  const usual = `usually ${text(median)}`;
  return {
    isUnusual,
    usual: isUnusual && median > 0 ? `${timesText(amount / median)} as much; ${usual}` : usual,
  };
}
