import type { Span } from '../domain/contention/span.ts';
import { localTime } from '../domain/schedule/index.ts';
import { day, hour } from '../domain/time.ts';
import { instantsOf } from './instants.ts';
import { UserError } from './user-error.ts';

const timeAlone = /^\d{2}:\d{2}$/;

/**
 * A range that is over, or under way. A time alone is the last such time of the clock for its start, and the first after
 * that for its end; without a start, the hour before the end; without an end, up to now.
 *
 * @throws UserError when there is no such time, or the range is empty or yet to come
 */
export function pastRange(
  { from, to }: { readonly from?: string; readonly to?: string },
  { timezone, now }: { timezone: string; now: number },
): Span {
  const until = to === undefined || timeAlone.test(to) ? null : read(to, timezone, '--to').at(-1);
  const start = from === undefined ? null : startOf(from, { timezone, now });
  const end = until ?? (to === undefined ? now : endOf(to, { timezone, start: start ?? now - day }));
  const range = { from: start ?? end - hour, until: Math.min(end, now) };
  if (range.from >= end) throw new UserError(`--from ${from} is not before --to ${to ?? 'now'}`);
  if (range.from >= now)
    throw new UserError(
      `--from ${from ?? `an hour before ${to}`} is yet to come; what ran can be told, not what will`,
    );
  return range;
}

function startOf(text: string, { timezone, now }: { timezone: string; now: number }): number {
  if (!timeAlone.test(text)) return read(text, timezone, '--from')[0];
  const today = read(`${dayOf(now, timezone)}T${text}`, timezone, '--from')[0];
  return today <= now ? today : read(`${dayOf(now - day, timezone)}T${text}`, timezone, '--from')[0];
}

function endOf(text: string, { timezone, start }: { timezone: string; start: number }): number {
  const sameDay = read(`${dayOf(start, timezone)}T${text}`, timezone, '--to').at(-1) ?? start;
  if (sameDay > start) return sameDay;
  return read(`${dayOf(start + day, timezone)}T${text}`, timezone, '--to').at(-1) ?? start;
}

function read(text: string, timezone: string, what: string): readonly [number, ...number[]] {
  return instantsOf(text, timezone, what);
}

function dayOf(instant: number, timezone: string): string {
  return localTime(instant, timezone).slice(0, 10);
}
