import { Temporal } from 'temporal-polyfill';
import { expect } from 'vitest';
import { cron, type Spec, timetable } from '../../../functions/domain/schedule/index.ts';
import { ZONE_NAMES } from '../../../functions/domain/schedule/zone-names.ts';
import { dueAmong, walkMinutes } from './minute-walk.ts';
import type { Random } from './random.ts';
import { randomCron } from './random-cron.ts';

const HOUR = 3_600_000;
const GAPS = ['next', 'skip'] as const;
const REPEATS = ['first', 'second', 'both'] as const;

export interface Transition {
  readonly timezone: string;
  readonly at: number;
}

/** A random change of a random zone's clocks, as Temporal knows it. */
export function randomTransition(random: Random): Transition {
  for (;;) {
    const timezone = random.pick(ZONE_NAMES);
    const from = Date.UTC(random.integer(1972, 2060), random.integer(0, 11));
    const at = nextTransition(timezone, from);
    if (at !== null && at < Date.UTC(2070, 0)) return { timezone, at };
  }
}

/** The first time after an instant that a zone's clocks are moved; a renaming that moves none is passed over. */
export function nextTransition(timezone: string, from: number): number | null {
  let before = new Temporal.ZonedDateTime(BigInt(from) * 1_000_000n, timezone);
  for (;;) {
    const after = before.getTimeZoneTransition('next');
    if (after === null) return null;
    if (after.offsetNanoseconds !== before.offsetNanoseconds) return after.epochMilliseconds;
    before = after;
  }
}

/** Ten random expressions over the three days around a change: engine and walk must agree in both directions. */
export function checkAround(random: Random, { timezone, at }: Transition): void {
  const start = Math.floor(at / HOUR) * HOUR;
  const [from, to] = [start - 36 * HOUR, start + 36 * HOUR];
  const minutes = walkMinutes(timezone, from, to);
  const hours = [-2, -1, 0, 1, 2].map((off) => new Date(digitsAt(minutes, at + off * HOUR)).getUTCHours());
  for (let count = 0; count < 10; count++) {
    const expression = randomCron(random, hours);
    const dst = random.chance(0.4) ? undefined : { gap: random.pick(GAPS), repeat: random.pick(REPEATS) };
    const spec: Spec = { schedules: [cron(expression.text)], timezone, ...(dst && { dst }) };
    const label = `${expression.text} in ${timezone} ${JSON.stringify(dst)} around ${new Date(at).toISOString()}`;
    compare(spec, dueAmong(minutes, expression, dst), from, to, label);
  }
}

function digitsAt(minutes: ReturnType<typeof walkMinutes>, instant: number): number {
  return minutes.find((minute) => minute.instant >= instant)?.digits ?? 0;
}

function compare(spec: Spec, expected: readonly number[], from: number, to: number, label: string): void {
  const table = timetable(spec);
  const forwards = [...table.between(from - 1, to - 1)];
  const backwards: number[] = [];
  let fire = table.previous(to);
  for (; fire !== null && fire >= from; fire = table.previous(fire)) backwards.unshift(fire);
  expect(forwards, label).toEqual(expected);
  expect(backwards, `${label}, backwards`).toEqual(expected);
  for (const due of expected.slice(0, 3)) expect(table.has(due), label).toBe(true);
}
