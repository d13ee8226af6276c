import { FIRST_YEAR, localMinute } from './calendar.ts';
import type { WallClockPattern } from './wall-clock.ts';

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::00)?$/;

/** The minute on the wall of `2027-01-01T09:00` (or `…:00:00`); null when that is no whole minute from 1970 on. */
export function readLocal(local: string): number | null {
  const match = SHAPE.exec(local);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return year >= FIRST_YEAR ? localMinute(year, month, day, hour, minute) : null;
}

/** A single minute on the wall. */
export class SingleTime implements WallClockPattern {
  readonly #minute: number;

  constructor(minute: number) {
    this.#minute = minute;
  }

  next(minute: number): number {
    return minute <= this.#minute ? this.#minute : Number.POSITIVE_INFINITY;
  }

  previous(minute: number): number {
    return minute >= this.#minute ? this.#minute : Number.NEGATIVE_INFINITY;
  }
}
