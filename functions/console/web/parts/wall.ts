/** What a clock on the wall of a zone shows: `2026-12-01`, `03:00:05`, `+08:00`. */
export interface Wall {
  readonly date: string;
  readonly time: string;
  readonly offset: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A zone that this browser doesn't know is told in UTC, and its offset says so. */
export function wallOf(instant: number, timezone: string): Wall {
  const parts = new Map(
    formatOf(timezone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    offset: part('timeZoneName').replace('GMT', '') || 'UTC',
  };
}

/** `2026-12-01 03:00 +08:00`; seconds only where they aren't 0. */
export function wallText(instant: number, timezone: string): string {
  const { date, time, offset } = wallOf(instant, timezone);
  return `${date} ${time.replace(/:00$/, '')} ${offset}`;
}

/** As a field takes it: `2026-12-01 03:00`. */
export function typedText(instant: number, timezone: string): string {
  const { date, time } = wallOf(instant, timezone);
  return `${date} ${time.slice(0, 5)}`;
}

/** That of whoever looks. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const made = made24h(timezone);
  formats.set(timezone, made);
  return made;
}

function made24h(timeZone: string): Intl.DateTimeFormat {
  const shown: Intl.DateTimeFormatOptions = {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    timeZoneName: 'longOffset',
  };
  try {
    return new Intl.DateTimeFormat('en-US', { ...shown, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...shown, timeZone: 'UTC' });
  }
}
