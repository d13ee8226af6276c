import type { Timetable } from '../domain/schedule/index.ts';
import { second } from '../domain/time.ts';

/** A thing to wake: a job's alarm, or the minute of the reconciler. */
export interface Alarmed<Target> {
  readonly target: Target;
  /** When EventBridge would fire it. */
  readonly timetable: Timetable;
  /** How late it may still be delivered; EventBridge drops an event that is older. */
  readonly eventAgeMs: number;
}

export interface Ring<Target> {
  readonly target: Target;
  readonly scheduledTime: number;
}

/** Longest nap: a clock that was set, or a machine that slept, is noticed within a second. */
const longestNapMs = second;

/**
 * EventBridge Scheduler on this machine: tells which alarms ring, given the time again and again. After a pause of any
 * length (a stopped process, a sleeping laptop, a clock set forward) only the newest instant of an alarm rings, if it is
 * young enough: the others are the reconciler's. A clock set back starts anew from there.
 */
export class AlarmClock<Target> {
  readonly #alarms: readonly Alarmed<Target>[];
  readonly #next: (number | null)[];
  #lastTick: number;

  constructor(alarms: readonly Alarmed<Target>[], now: number) {
    this.#alarms = alarms;
    this.#next = alarms.map(({ timetable }) => timetable.next(now));
    this.#lastTick = now;
  }

  /** The alarms that ring now. */
  tick(now: number): Ring<Target>[] {
    if (now < this.#lastTick) this.#restart(now);
    this.#lastTick = now;
    return this.#alarms.flatMap(({ target, timetable, eventAgeMs }, index) => {
      const due = this.#next[index] ?? null;
      if (due === null || due > now) return [];
      const newest = timetable.previous(now + 1) ?? due;
      this.#next[index] = timetable.next(now);
      return now - newest <= eventAgeMs ? [{ target, scheduledTime: newest }] : [];
    });
  }

  /** Milliseconds until the next tick is worth while: at least 1, at most a second. */
  nap(now: number): number {
    const soonest = Math.min(...this.#next.map((due) => due ?? Number.POSITIVE_INFINITY));
    return Math.max(1, Math.min(longestNapMs, soonest - now));
  }

  #restart(now: number): void {
    this.#alarms.forEach(({ timetable }, index) => {
      this.#next[index] = timetable.next(now);
    });
  }
}
