import { exclusions, type Spec, timetable } from '../schedule/index.ts';
import type { Interval } from '../watermark.ts';

export interface Listed {
  /** Ascending. */
  readonly fires: ReadonlySet<number>;
  readonly until: number;
}

/** What is due within a range and not excepted, of the first `most` that are due; and up to where that led. Null: nothing is due. */
export function listed(spec: Spec | null, { from, to }: Interval, most: number): Listed {
  const fires = new Set<number>();
  if (spec === null) return { fires, until: to };
  const isExcluded = exclusions(spec);
  let looked = 0;
  for (const at of timetable(spec).between(from, to)) {
    if (looked === most) return { fires, until: at - 1 };
    looked += 1;
    if (!isExcluded(at)) fires.add(at);
  }
  return { fires, until: to };
}
