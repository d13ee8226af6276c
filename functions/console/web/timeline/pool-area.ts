import type { PoolUse } from '../../data.ts';
import { lowerBound } from './packed.ts';
import type { Sheet } from './paint-lanes.ts';
import type { Palette } from './palette.ts';
import { type TimeView, xOf } from './time-view.ts';

export interface PackedPool {
  readonly name: string;
  readonly capacity: number;
  /** Epoch milliseconds, ascending, and how much was held from then on. */
  readonly times: Float64Array;
  readonly held: Float64Array;
}

export const poolHeight = 36;
const padding = 5;

export function packPool({ pool, capacity, held }: PoolUse): PackedPool {
  return {
    ...{ name: pool, capacity },
    times: Float64Array.from(held, ([at]) => at * 1_000),
    held: Float64Array.from(held, ([, amount]) => amount),
  };
}

/** How much of pools was held, one below the other, each against its capacity. */
export function paintPools(
  { context, width, height }: Sheet,
  pools: readonly PackedPool[],
  { view, now, palette }: { readonly view: TimeView; readonly now: number; readonly palette: Palette },
): void {
  context.clearRect(0, 0, width, height);
  const high = height / Math.max(1, pools.length);
  for (let index = 0; index < pools.length; index += 1) {
    const pool = pools[index];
    if (pool === undefined) continue;
    const bottom = Math.round((index + 1) * high) - 1;
    context.fillStyle = palette.rule;
    context.fillRect(0, bottom, width, 1);
    context.fillRect(0, bottom - Math.round(high - 2 * padding), width, 1);
    context.fillStyle = palette.accent;
    context.globalAlpha = 0.55;
    paintSteps(context, pool, { view, now, width, bottom, unit: (high - 2 * padding) / pool.capacity });
    context.globalAlpha = 1;
  }
}

/** Of the steps within one pixel the highest is shown. */
function paintSteps(
  context: CanvasRenderingContext2D,
  { times, held }: PackedPool,
  at: { view: TimeView; now: number; width: number; bottom: number; unit: number },
): void {
  const { view, now, width, bottom, unit } = at;
  const end = Math.min(width, xOf(view, width, now));
  let [x, amount, peak] = [0, 0, 0];
  for (let index = Math.max(0, lowerBound(times, view.from) - 1); index <= times.length; index += 1) {
    const next = Math.min(end, Math.max(0, Math.floor(xOf(view, width, times[index] ?? now))));
    if (next > x) {
      if (peak > amount) context.fillRect(x, bottom - peak * unit, 1, peak * unit);
      if (amount > 0) context.fillRect(x, bottom - amount * unit, next - x, amount * unit);
      x = next;
      peak = 0;
    }
    if (next >= end && x > 0) return;
    amount = held[index] ?? amount;
    peak = Math.max(peak, amount);
  }
}
