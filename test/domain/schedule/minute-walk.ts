import { Temporal } from 'temporal-polyfill';
import type { Dst } from '../../../functions/domain/schedule/index.ts';
import type { RandomCron, Wall } from './random-cron.ts';

const MINUTE = 60_000;

/** One minute of real time: its instant, and the digits on the wall as if they were UTC. */
interface WalkedMinute {
  readonly instant: number;
  readonly digits: number;
  readonly wall: Wall;
}

/** Every minute from `from` up to `to` as Temporal shows it in a zone. The slow truth. */
export function walkMinutes(timezone: string, from: number, to: number): WalkedMinute[] {
  const minutes: WalkedMinute[] = [];
  for (let instant = from; instant < to; instant += MINUTE) {
    const wall = new Temporal.ZonedDateTime(BigInt(instant) * 1_000_000n, timezone).toPlainDateTime();
    const digits = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
    minutes.push({ instant, digits, wall: wallOf(digits) });
  }
  return minutes;
}

/** The due instants of an expression among walked minutes, by the words of the DST rules. */
export function dueAmong(minutes: readonly WalkedMinute[], cron: RandomCron, dst: Dst | undefined): number[] {
  const { gap, repeat } = dst ?? defaults(cron);
  const due = new Set<number>();
  const shown = new Map<number, number[]>();
  minutes.forEach(({ instant, digits, wall }, index) => {
    if (cron.fits(wall)) shown.set(digits, [...(shown.get(digits) ?? []), instant]);
    const before = minutes[index - 1];
    if (gap === 'next' && before && missingFits(cron, before.digits, digits)) due.add(instant);
  });
  for (const instants of shown.values()) {
    const chosen = repeat === 'both' ? instants : [repeat === 'first' ? instants[0] : instants.at(-1)];
    for (const instant of chosen) if (instant !== undefined) due.add(instant);
  }
  return [...due].sort((a, b) => a - b);
}

function defaults({ starHour }: RandomCron): Dst {
  return starHour ? { gap: 'skip', repeat: 'both' } : { gap: 'next', repeat: 'first' };
}

function missingFits(cron: RandomCron, before: number, after: number): boolean {
  for (let digits = before + MINUTE; digits < after; digits += MINUTE)
    if (cron.fits(wallOf(digits))) return true;
  return false;
}

function wallOf(digits: number): Wall {
  const date = new Date(digits);
  return {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
    lastDay: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  };
}
