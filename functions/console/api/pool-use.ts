import type { ClosedRun } from '../../domain/closed-days/index.ts';
import { staysOf } from '../../domain/contention/holding.ts';
import { common, type Span } from '../../domain/contention/span.ts';
import { type PoolState, weightOf } from '../../domain/pools.ts';
import type { Run } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import type { PoolUse } from '../data.ts';

/** What a run has, or had, of pools, and when. */
export type Holding = NonNullable<ClosedRun['held']>;

export function holdingOf(run: Run, now: number): Holding[] {
  const { holds: weights = {} } = run;
  return Object.keys(weights).length === 0 ? [] : [{ weights, stays: staysOf(run, now) }];
}

/** How much of a pool was held at each time of a range. */
export function poolUse(
  { name, capacity }: Pick<PoolState, 'name' | 'capacity'>,
  holdings: readonly Holding[],
  { range, now }: { range: Span; now: number },
): PoolUse {
  const changes = new Map<number, number>();
  const add = (at: number, weight: number) => {
    const inSeconds = Math.floor(at / second);
    changes.set(inSeconds, (changes.get(inSeconds) ?? 0) + weight);
  };
  for (const { weights, stays } of holdings) {
    const weight = weightOf(weights, name);
    if (weight === 0) continue;
    for (const stay of stays) {
      const part = common(stay, range);
      if (part === null) continue;
      add(part.from, weight);
      // What goes on is held for as long as anybody knows.
      if (stay.until < now) add(part.until, -weight);
    }
  }
  return { pool: name, capacity, held: summed(changes) };
}

function summed(changes: ReadonlyMap<number, number>): [number, number][] {
  let held = 0;
  const steps: [number, number][] = [];
  for (const [at, change] of [...changes].sort(([one], [other]) => one - other)) {
    if (change === 0) continue;
    held += change;
    steps.push([at, held]);
  }
  return steps;
}

/** The same, told once for each pixel: the most that was held in it. `pixelMs` 0: as it is. */
export function mostOfEachPixel({ held, ...pool }: PoolUse, pixelMs: number): PoolUse {
  const wide = pixelMs / second;
  if (wide <= 1) return { ...pool, held };
  const most = new Map<number, number>();
  let before = 0;
  for (const [at, amount] of held) {
    const pixel = Math.floor(at / wide) * wide;
    most.set(pixel, Math.max(most.get(pixel) ?? before, amount));
    // Until the next change, whose pixel begins with it.
    most.set(pixel + wide, amount);
    before = amount;
  }
  return { ...pool, held: [...most].filter(([, amount], index, all) => amount !== all[index - 1]?.[1]) };
}
