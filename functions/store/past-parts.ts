import { type ClosedDay, dayOf, lastOf } from '../domain/closed-days/index.ts';
import type { Ledger } from '../domain/ledger.ts';

/** A stretch of a job's past, both ends inclusive: of a day that is closed, or, where `closed` is null, of which only records tell. */
export interface PastPart {
  readonly from: number;
  readonly to: number;
  readonly closed: ClosedDay | null;
}

/** A job's past in a range, oldest first, in stretches that follow each other: as much of it as can be had of closed days. */
export async function* pastParts(
  ledger: Pick<Ledger, 'closedDays'>,
  jobId: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<PastPart> {
  let next = from;
  for await (const closed of ledger.closedDays(jobId, { from: dayOf(from), to })) {
    const part = { from: Math.max(from, closed.day), to: Math.min(to, lastOf(closed.day)), closed };
    if (next < part.from) yield { from: next, to: part.from - 1, closed: null };
    yield part;
    next = part.to + 1;
  }
  if (next <= to) yield { from: next, to, closed: null };
}
