import { DAY, HOUR, MINUTE } from './calendar.ts';
import { formatDuration } from './duration.ts';

const RATE = /^rate\((\d{1,6}) (minute|hour|day)s?\)$/;
const UNITS = { minute: MINUTE, hour: HOUR, day: DAY } as const;

/** The period of an EventBridge `rate(5 minutes)` in milliseconds; null when the text is no such thing. */
export function readRate(expression: string): number | null {
  const [, count, unit] = RATE.exec(expression) ?? [];
  const period = Number(count) * UNITS[unit as keyof typeof UNITS];
  return period > 0 ? period : null;
}

/** Why a grid can't be followed; null when it can. */
export function periodProblem(periodMs: number, offsetMs: number): string | null {
  const shown = formatDuration(periodMs);
  if (periodMs < MINUTE) return `every: "${shown}" is too short; the shortest period is 1 minute`;
  if (periodMs % MINUTE !== 0) return `every: "${shown}" is no whole number of minutes`;
  if (offsetMs % MINUTE !== 0) return `offset: "${formatDuration(offsetMs)}" is no whole number of minutes`;
  if (offsetMs >= periodMs) {
    return `offset: "${formatDuration(offsetMs)}" must be shorter than the period of ${shown}`;
  }
  return null;
}

/** The instants `offset + k * period` from the epoch on; no zone has a say in it. */
export class Grid {
  readonly #period: number;
  readonly #offset: number;

  constructor(periodMs: number, offsetMs: number) {
    this.#period = periodMs;
    this.#offset = offsetMs;
  }

  next(after: number): number {
    return this.#offset + Math.max(0, Math.floor((after - this.#offset) / this.#period) + 1) * this.#period;
  }

  previous(before: number): number {
    const step = Math.ceil((before - this.#offset) / this.#period) - 1;
    return step < 0 ? Number.NEGATIVE_INFINITY : this.#offset + step * this.#period;
  }
}
