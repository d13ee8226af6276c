import { type PoolForecast, type Range, sliceMs } from '../../domain/forecast/index.ts';
import { localTime } from '../../domain/schedule/index.ts';
import { day } from '../../domain/time.ts';
import type { Look } from './look.ts';

/** A day as it is drawn; by the clock on the wall, so that it has 24 hours whatever the clocks do. */
interface DrawnDay {
  readonly date: string;
  /** The most that was needed at once; null: not foreseen. */
  readonly demand: (number | null)[];
  heldUnitMs: number;
  foreseenMs: number;
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const slicesADay = day / sliceMs;
const labelWidth = 11;
const useWidth = 7;

export const stripLegend =
  '▁ to █: the most that is needed at once, against the capacity; !: more than there is; ·: nothing';

/** A line for each day of a pool's forecast, and one of hours below. */
export function dayStrips(
  pool: PoolForecast,
  { from, timezone, look }: Pick<Range, 'from'> & { timezone: string; look: Look },
): string[] {
  const columns = [96, 48, 24].find((count) => labelWidth + count + useWidth <= look.width) ?? 12;
  const lines = daysOf(pool, { from, timezone }).map((drawn) => {
    const use = drawn.heldUnitMs / (pool.capacity * Math.max(1, drawn.foreseenMs));
    const cells = merged(drawn.demand, columns).map((demand) => cell(demand, pool.capacity, look));
    return `${label(drawn.date)}${cells.join('')}${percent(use).padStart(useWidth)}`;
  });
  const quarter = columns / 4;
  const hours = ['00', '06', '12', '18'].map((hour) => hour.padEnd(quarter)).join('');
  return [...lines, look.colors.dim(`${' '.repeat(labelWidth)}${hours}${'use'.padStart(useWidth)}`)];
}

export function percent(share: number): string {
  if (share > 0 && share < 0.01) return '<1 %';
  return `${Math.round(share * 100)} %`;
}

function label(date: string): string {
  const weekday = new Date(`${date}T00:00:00Z`).toUTCString().slice(0, 3);
  return `${weekday} ${date.slice(5)}`.padEnd(labelWidth);
}

function daysOf(
  { slices, slicesFrom, until }: PoolForecast,
  { from, timezone }: { from: number; timezone: string },
): DrawnDay[] {
  const days = new Map<string, DrawnDay>();
  for (let index = 0, at = slicesFrom; at < until; index += 1, at += sliceMs) {
    const local = localTime(at, timezone);
    const date = local.slice(0, 10);
    const drawn = days.get(date) ?? blankDay(date);
    days.set(date, drawn);
    const place = (Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))) / 15;
    const { demand = 0, heldUnitMs = 0 } = slices[index] ?? {};
    drawn.demand[place] = Math.max(drawn.demand[place] ?? 0, demand);
    drawn.heldUnitMs += heldUnitMs;
    drawn.foreseenMs += Math.min(until, at + sliceMs) - Math.max(from, at);
  }
  return [...days.values()];
}

function blankDay(date: string): DrawnDay {
  return { date, demand: Array.from({ length: slicesADay }, () => null), heldUnitMs: 0, foreseenMs: 0 };
}

function merged(demand: readonly (number | null)[], columns: number): (number | null)[] {
  const each = demand.length / columns;
  return Array.from({ length: columns }, (_, column) => {
    const seen = demand.slice(column * each, (column + 1) * each).filter((one) => one !== null);
    return seen.length === 0 ? null : Math.max(...seen);
  });
}

function cell(demand: number | null, capacity: number, { colors }: Look): string {
  if (demand === null) return ' ';
  if (demand === 0) return colors.dim('·');
  if (demand > capacity) return colors.red('!');
  const level = Math.ceil((demand / capacity) * levels.length);
  return colors.cyan(levels[level - 1] ?? '█');
}
