import { at, localTime, timetable, zoneProblem } from '../domain/schedule/index.ts';
import { day, fromIso, toIso } from '../domain/time.ts';
import type { Io } from './io.ts';
import { oneLine } from './render/text.ts';
import { UserError } from './user-error.ts';

const clockShape = /^\d{2}:\d{2}$/;
const dateShape = /^\d{4}-\d{2}-\d{2}$/;
const localShape = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::00)?)?$/;

/**
 * The instants that a text names: one, when it says its zone (`…Z`, `…+08:00`); else those at which the wall of
 * `timezone` shows it: two where the clock is set back, oldest first. A date alone is the start of
 * its day.
 *
 * @param what - names the option in the error, such as `--from`
 * @throws UserError when the text names none
 */
export function instantsOf(text: string, timezone: string, what: string): readonly [number, ...number[]] {
  const instant = fromIso(text);
  if (instant !== null) return [instant];
  const [, date, time = '00:00'] = localShape.exec(text) ?? [];
  if (date === undefined) throw new UserError(`${what}: "${oneLine(text)}" is not a time; write ${examples}`);
  const gap = dateShape.test(text) ? 'next' : 'skip';
  const [first, ...others] = shownAt(`${date}T${time}`, { timezone, gap });
  if (first === undefined)
    throw new UserError(`${what}: there is no ${text} in ${timezone}: no such date, or the clock skips it`);
  return [first, ...others];
}

/**
 * The zone in which times without one are read: that of the jobs that are asked for. Where they have several, it is UTC;
 * people are told so, scripts have it in their answer's instants.
 */
export function readingZone(
  zones: readonly string[],
  { from, to, json }: { readonly from?: string; readonly to?: string; readonly json?: boolean },
  { warn }: Pick<Io, 'warn'>,
): string {
  const [zone, another] = new Set(zones);
  if (zone !== undefined && another === undefined) return zone;
  const zoneless = [from, to].filter(
    (text) => text !== undefined && (localShape.test(text) || isClockTime(text)),
  );
  if (another !== undefined && zoneless.length > 0 && !json)
    warn(
      `${zoneless.join(' and ')}: read as UTC, since several jobs have several zones; add an offset, or name one job\n`,
    );
  return 'UTC';
}

/** Whether a text is a time of the clock alone: `02:00`. */
export function isClockTime(text: string): boolean {
  return clockShape.test(text);
}

/**
 * The ends of a range, as far as they are given. A clock time is the last such time for its start, and the first after that
 * for its end, where a date is the whole of its day; without a start, the first after this time yesterday. Errors as of `instantsOf`.
 */
export function endsOf(
  { from, to }: { readonly from?: string; readonly to?: string },
  { timezone, now, what = optionNames }: { timezone: string; now: number; what?: typeof optionNames },
): { readonly start: number | null; readonly end: number | null } {
  const start = from === undefined ? null : startOf(from, { timezone, now, what: what.from });
  if (to === undefined) return { start, end: null };
  if (dateShape.test(to)) return { start, end: endOfDay(to, timezone, what.to) };
  return { start, end: endOf(to, { timezone, start: start ?? now - day, what: what.to }) };
}

/** How errors name the ends of a range. */
const optionNames: { readonly from: string; readonly to: string } = { from: '--from', to: '--to' };

function startOf(text: string, { timezone, now, what }: { timezone: string; now: number; what: string }) {
  if (!isClockTime(text)) return instantsOf(text, timezone, what)[0];
  const on = (instant: number) => instantsOf(onDayOf(instant, text, timezone), timezone, what)[0];
  const today = on(now);
  return today <= now ? today : on(now - day);
}

/** The last millisecond of a date. */
function endOfDay(date: string, timezone: string, what: string): number {
  const [midnight] = instantsOf(date, 'UTC', what);
  const next = toIso(midnight + day).slice(0, date.length);
  return instantsOf(next, timezone, what)[0] - 1;
}

/** When something lasts up to: a clock time is the first after its start. Errors as of `instantsOf`. */
export function endOf(
  text: string,
  { timezone, start, what = '--to' }: { timezone: string; start: number; what?: string },
): number {
  const on = (instant: number) => {
    const local = isClockTime(text) ? onDayOf(instant, text, timezone) : text;
    return instantsOf(local, timezone, what).at(-1) ?? start;
  };
  const sameDay = on(start);
  return sameDay > start ? sameDay : on(start + day);
}

/**
 * The one instant that a text names; a clock time is that of today.
 *
 * @throws UserError, also when the clock shows that time twice
 */
export function instantOf(
  text: string,
  { timezone, now, what }: { timezone: string; now: number; what: string },
): number {
  const local = isClockTime(text) ? onDayOf(now, text, timezone) : text;
  const [instant, ...others] = instantsOf(local, timezone, what);
  if (others.length === 0) return instant;
  const each = [instant, ...others].map(toIso).join(' or ');
  throw new UserError(`${what} ${text}: the clock shows that time twice; name one by its UTC time: ${each}`);
}

/** The local time that a clock shows on the day of an instant. */
export function onDayOf(instant: number, clock: string, timezone: string): string {
  return `${localTime(instant, timezone).slice(0, 10)}T${clock}`;
}

const examples = '2026-12-01T03:00 (in the job’s zone), 2026-12-01, or 2026-11-30T19:00:00Z';

function shownAt(
  local: string,
  { timezone, gap }: { readonly timezone: string; readonly gap: 'next' | 'skip' },
): number[] {
  if (zoneProblem(timezone) !== null) return [];
  try {
    const dst = { gap, repeat: 'both' } as const;
    return [...timetable({ schedules: [at(local)], timezone, dst }).between(-1, Number.MAX_SAFE_INTEGER)];
  } catch {
    // Shaped like a date and no date: 2026-02-30.
    return [];
  }
}
