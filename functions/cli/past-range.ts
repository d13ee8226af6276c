import type { Span } from '../domain/contention/span.ts';
import { hour } from '../domain/time.ts';
import { endsOf } from './instants.ts';
import { UserError } from './user-error.ts';

/**
 * A range that is over, or under way. A time alone is the last such time of the clock for its start, and the first after
 * that for its end; without a start, the hour before the end; without an end, up to now.
 *
 * @throws UserError when there is no such time, or the range is empty or yet to come
 */
export function pastRange(
  given: { readonly from?: string; readonly to?: string },
  { timezone, now }: { timezone: string; now: number },
): Span {
  const { from, to } = given;
  const { start, end } = endsOf(given, { timezone, now });
  const last = end ?? now;
  const range = { from: start ?? last - hour, until: Math.min(last, now) };
  if (range.from >= last) throw new UserError(`--from ${from} is not before --to ${to ?? 'now'}`);
  if (range.from >= now)
    throw new UserError(
      `--from ${from ?? `an hour before ${to}`} is yet to come; what ran can be told, not what will`,
    );
  return range;
}
