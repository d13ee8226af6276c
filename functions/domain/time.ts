/** Milliseconds in the units that the domain counts in. */
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** `2026-11-30T19:00:00Z`: UTC, second precision; the only spelling of an instant in the ledger and at the edges. */
export function toIso(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Epoch milliseconds of an ISO instant with its zone, or null when the text is not one. */
export function fromIso(text: string): number | null {
  if (!isoInstant.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

/** EventBridge Scheduler has minute precision: its scheduled-time is not always at second 0. */
export function floorToMinute(instant: number): number {
  return Math.floor(instant / minute) * minute;
}
