import { at, timetable, zoneProblem } from '../domain/schedule/index.ts';
import { fromIso } from '../domain/time.ts';
import type { Io } from './io.ts';
import { oneLine } from './render/text.ts';
import { UserError } from './user-error.ts';

const timeAlone = /^\d{2}:\d{2}$/;
const localShape = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::00)?)?$/;

/**
 * The instants that a text names: one, when it says its zone (`…Z`, `…+08:00`); else those at which the wall of
 * `timezone` shows it: two where the clock is set back, oldest first. A date alone is its midnight.
 *
 * @param what - names the option in the error, such as `--from`
 * @throws UserError when the text names none
 */
export function instantsOf(text: string, timezone: string, what: string): readonly [number, ...number[]] {
  const instant = fromIso(text);
  if (instant !== null) return [instant];
  const [, date, time = '00:00'] = localShape.exec(text) ?? [];
  if (date === undefined) throw new UserError(`${what}: "${oneLine(text)}" is not a time; write ${examples}`);
  const [first, ...others] = shownAt(`${date}T${time}`, timezone);
  if (first === undefined)
    throw new UserError(`${what}: there is no ${text} in ${timezone}: no such date, or the clock skips it`);
  return [first, ...others];
}

/** The zone in which times without one are read: that of the one job asked for; of several jobs UTC, and that is said. */
export function readingZone(
  asked: { readonly timezone: string } | null,
  { from, to }: { readonly from?: string; readonly to?: string },
  { warn }: Pick<Io, 'warn'>,
): string {
  if (asked !== null) return asked.timezone;
  const zoneless = [from, to].filter(
    (text) => text !== undefined && (localShape.test(text) || timeAlone.test(text)),
  );
  if (zoneless.length > 0)
    warn(
      `${zoneless.join(' and ')}: read as UTC, since several jobs have several zones; add an offset, or name one job\n`,
    );
  return 'UTC';
}

const examples = '2026-12-01T03:00 (in the job’s zone), 2026-12-01, or 2026-11-30T19:00:00Z';

function shownAt(local: string, timezone: string): number[] {
  if (zoneProblem(timezone) !== null) return [];
  try {
    const dst = { gap: 'skip', repeat: 'both' } as const;
    return [...timetable({ schedules: [at(local)], timezone, dst }).between(-1, Number.MAX_SAFE_INTEGER)];
  } catch {
    // Shaped like a date and no date: 2026-02-30.
    return [];
  }
}
