import { staysOf, weightIn } from '../../domain/contention/holding.ts';
import { common, type Span } from '../../domain/contention/span.ts';
import type { PoolState } from '../../domain/pools.ts';
import type { Run } from '../../domain/run.ts';
import { second } from '../../domain/time.ts';
import type { PoolUse } from '../data.ts';

/** How much of a pool was held at each time of a range, as the records of its runs tell. */
export function poolUse(
  { name, capacity }: Pick<PoolState, 'name' | 'capacity'>,
  runs: readonly Run[],
  { range, now }: { range: Span; now: number },
): PoolUse {
  const changes = new Map<number, number>();
  const add = (at: number, weight: number) => {
    const inSeconds = Math.floor(at / second);
    changes.set(inSeconds, (changes.get(inSeconds) ?? 0) + weight);
  };
  for (const run of runs) {
    const weight = weightIn(run, name);
    if (weight === 0) continue;
    for (const stay of staysOf(run, now)) {
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
