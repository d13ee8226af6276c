/** Calendar arithmetic on local times such as `2026-12-01T03:00:00+08:00`. */

/** The calendar day before the local time's own: `2026-11-30`. */
export function dayBefore(localTime: string): string {
  const day = new Date(`${localTime.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** The calendar month before the local time's own: `2026-11`. */
export function monthBefore(localTime: string): string {
  return dayBefore(`${localTime.slice(0, 7)}-01`).slice(0, 7);
}

/** `2026-11-30T19:00:00Z`: sorts by time as text. */
export function isoSeconds(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
